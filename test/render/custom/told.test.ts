import { describe, expect, it } from "vitest";
import type { Evaluation } from "../../../src/policy/model/evaluation.ts";
import type { CustomPartial } from "../../../src/policy/model/wording.ts";
import { COMMENT_BYTES } from "../../../src/render/comment-view.ts";
import { chooseWording, type FoundFolder, PARTIAL_BYTES } from "../../../src/render/custom/choose.ts";
import { fillPartial } from "../../../src/render/custom/fill.ts";
import { FIXED_NAMES, WORDABLE_NAMES } from "../../../src/render/custom/names.ts";
import { toldBy } from "../../../src/render/custom/told.ts";
import { createRenderer } from "../../../src/render/renderer.ts";
import { CASES } from "../cases.ts";
import { templates } from "../evaluation-builder.ts";

const renderer = createRenderer(templates());
const LINKS = { details: null, recheckHint: true };
const [BLOCKED] = Object.values(CASES);
if (BLOCKED === undefined) throw new Error("there are no cases");

const partial = (name: string, text: string): CustomPartial => ({
  name,
  file: `acme/shop:.github/tollgate/${name}.hbs`,
  text,
  blob: "b",
});

/** The comment with these words of a team's own, and what is wrong with them. */
function worded(e: Evaluation, texts: Readonly<Record<string, string>>) {
  const partials = Object.entries(texts).map(([name, text]) => partial(name, text));
  const own = { ...e, wording: { partials, problems: [] } };
  const tasks = renderer.wordingTasks(own, LINKS);
  const told = toldBy(own, tasks, tasks.map(fillPartial));
  return {
    comment: renderer.comment(own, LINKS, told),
    problems: told.problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`),
  };
}

describe("words of a team's own", () => {
  it("stand in for ours, and leave the verdict and the money as they are", () => {
    const plain = renderer.comment(BLOCKED, LINKS).split("\n");
    const { comment, problems } = worded(BLOCKED, {
      "next-step":
        "{{broken}} {{plural broken 'rule' 'rules'}} on {{base}}. See https://wiki.example/finops.",
      "findings-note": "How to read this: https://wiki.example/rules",
      "closing-note": "Yours, {{repository}} #{{pull}}",
    });
    expect(problems).toEqual([]);
    const lines = comment.split("\n");
    expect(lines[0]).toBe(plain[0]);
    expect(lines[2]).toBe("2 rules on <code>main</code>. See https://wiki.example/finops.");
    for (const line of plain.slice(3).filter((text) => text.startsWith("|"))) expect(lines).toContain(line);
    expect(lines.at(-1)).toBe(plain.at(-1));
    expect(lines.at(-3)).toBe("Yours, <code>acme&#47;payments</code> #7");
    expect(comment.indexOf("How to read this")).toBeGreaterThan(comment.indexOf("#### Why"));
    expect(comment.indexOf("How to read this")).toBeLessThan(comment.indexOf("#### What drives it"));
  });

  it("are told to be broken, with their place, while ours stand in", () => {
    const { comment, problems } = worded(BLOCKED, { changes: "ok\n{{cuonts}}" });
    expect(problems).toEqual([
      "acme/shop:.github/tollgate/changes.hbs:2:3 there is no field cuonts here; did you mean counts?",
    ]);
    expect(
      comment.split("\n").filter((line) => !renderer.comment(BLOCKED, LINKS).includes(line)),
    ).toMatchInlineSnapshot(`
      [
        "⚠️ Not every custom wording could be used; Tollgate's own words stand in for it:",
        "- \`acme/shop:.github/tollgate/changes.hbs\`, line 2, column 3: there is no field cuonts here; did you mean counts?",
      ]
    `);
  });

  it("must show every amount that ours show", () => {
    const e = withPrevious();
    expect(worded(e, { "since-last": "Moved since {{head}}." }).problems).toEqual([
      expect.stringMatching(
        /leaves out [+−]\$[\d,.]+, or shows it .*; money may be worded and not left out$/,
      ),
    ]);
    const { comment, problems } = worded(e, {
      "since-last": "Moved by {{#each changes}}{{change}} {{/each}}since {{head}}.",
    });
    expect(problems).toEqual([]);
    expect(comment).toMatch(/^Moved by [+−]\$[\d,.]+ since <code>/m);
  });

  it("are looked at once more as they come out, because loops and tests can put marks together", () => {
    const problems = (text: string) =>
      worded(BLOCKED, { changes: text }).problems.map((one) => one.replace(/^.*?:1:1 /, ""));
    expect(problems("{{#if known}}<details>{{/if}}\n\nx")).toEqual([
      "in what it writes, each <details> has its </details> below it",
    ]);
    expect(problems("`{{#if known}}``{{/if}}")).toEqual([
      expect.stringMatching(/in what it writes, a fence of code/),
    ]);
    expect(problems("{{#each open}}{{#if @first}}#{{/if}}{{/each}}# Passed")).toEqual([
      expect.stringMatching(/in what it writes, a heading of this size/),
    ]);
  });

  it("may silence what a policy may leave out, and not what to do next", () => {
    expect(worded(BLOCKED, { changes: "" }).comment).not.toContain("#### What changes");
    expect(worded(BLOCKED, { "next-step": "{{! nothing }}" }).problems).toEqual([
      expect.stringContaining("says nothing; remove the file"),
    ]);
  });

  it("that are too long give way to ours, and then ours to nothing, within the budget", () => {
    const { problems } = worded(BLOCKED, { "closing-note": "x".repeat(8_001) });
    expect(problems).toEqual([expect.stringContaining("writes more than 8000 bytes")]);
    const texts = Object.fromEntries(
      WORDABLE_NAMES.filter((name) => name !== "since-last").map((name) => [name, "x".repeat(7_999)]),
    );
    const many = Object.values(CASES).map((e) => worded(e, texts).comment);
    for (const comment of many)
      expect(new TextEncoder().encode(comment).length).toBeLessThanOrEqual(COMMENT_BYTES);
    expect(many.some((comment) => comment.includes("x".repeat(7_999)))).toBe(true);
  });
});

/** A head whose cost moved since the one before. */
function withPrevious(): Evaluation {
  if (BLOCKED === undefined) throw new Error("there are no cases");
  const totals = BLOCKED.report.totals.map((total) => ({ ...total, change: total.previous }));
  return { ...BLOCKED, previous: { headSha: BLOCKED.pull.headSha, totals } };
}

describe("the files that are found", () => {
  const text = (name: string, own: string) => ({
    name,
    content: { state: "text" as const, text: own, blob: own },
  });
  const folder = (label: string, ...files: readonly ReturnType<typeof text>[]): FoundFolder => ({
    state: "found",
    label,
    files,
  });

  it("count for their names, the first folder's before the second's", () => {
    const wording = chooseWording([
      folder("r", text("changes.hbs", "own"), text("README.md", "about"), text(".keep", "")),
      folder("o", text("changes.hbs", "theirs"), text("context.hbs", "\ufeffa\r\nb")),
    ]);
    expect(wording?.partials.map(({ file, text: own }) => [file, own])).toEqual([
      ["r/changes.hbs", "own"],
      ["o/context.hbs", "a\nb"],
    ]);
    expect(wording?.problems).toEqual([]);
    expect(chooseWording([null, folder("o")])).toBeNull();
  });

  it("are told of when they cannot be used", () => {
    const unreadable = {
      name: "context.hbs",
      content: { state: "unreadable" as const, reason: "symlink" as const },
    };
    const found = folder(
      "r",
      text("verdict.hbs", ""),
      text("chnages.hbs", ""),
      text("next-step.md", ""),
      text("wow.hbs", ""),
      text("savings.hbs", "x".repeat(PARTIAL_BYTES + 1)),
      text("changes.hbs", "a\n b\u202e"),
    );
    const wording = chooseWording([
      { ...found, files: [...(found?.state === "found" ? found.files : []), unreadable] } as FoundFolder,
      { state: "unreadable", label: "o", reason: "submodule" },
    ]);
    expect(wording?.partials).toEqual([]);
    expect(
      wording?.problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`),
    ).toMatchInlineSnapshot(`
      [
        "r/verdict.hbs:1:1 cannot be replaced: the verdict, the money, what they rest on and where they come from are always told by Tollgate",
        "r/chnages.hbs:1:1 there is nothing called "chnages" to word; did you mean changes.hbs?",
        "r/next-step.md:1:1 is not used: names of such files end in .hbs",
        "r/wow.hbs:1:1 there is nothing called "wow" to word; there are next-step, since-last, changes, savings, context, findings-note, modules-note, resources-note, closing-note",
        "r/savings.hbs:1:1 is not used: it is larger than 8000 bytes; make it shorter",
        "r/changes.hbs:2:3 is not used: here is a character that nobody can see; take it out",
        "r/context.hbs:1:1 is not used: it is a symbolic link; commit the file itself",
        "o:1:1 is not used: it is a submodule; commit the file itself",
      ]
    `);
  });

  it("never word the verdict, the money, what they rest on or where they come from", () => {
    const fixed = [
      "headline",
      "verdict",
      "title",
      "stages",
      "findings",
      "approvals",
      "unpriced",
      "not-judged",
      "provenance",
    ];
    for (const name of fixed) {
      expect(FIXED_NAMES).toContain(name);
      expect(WORDABLE_NAMES).not.toContain(name);
    }
  });
});
