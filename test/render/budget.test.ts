import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Evaluation } from "../../src/policy/model/evaluation.ts";
import { buildCheckSummary, buildCheckText, buildCommentSections } from "../../src/render/renderer.ts";
import { composeSections } from "../../src/render/sections/budget.ts";
import { keepSignsTogether } from "../../src/render/sign-joiners.ts";
import { compileTemplates } from "../../src/render/templates.ts";
import { NO_CONTEXT } from "../../src/report/model/context.ts";
import { casesToTry } from "../world/depth.ts";
import { CASES } from "./cases.ts";
import {
  changes,
  evaluatedSituation,
  evaluation,
  finding,
  module,
  money,
  report,
  resource,
  row,
  stage,
  templates,
} from "./evaluation-builder.ts";
import { active, parse, tables, walk } from "./markdown.ts";
import { renderer } from "./renderer.ts";

const fill = compileTemplates(templates());
const links = { details: null, recheckHint: true };

/** As much of everything as `n` says, with names as long and as heavy as they come. */
function large(n: number, name: (index: number) => string): Evaluation {
  const all = Array.from({ length: n }, (_, index) => index);
  const items = all.map(name);
  return evaluation({
    report: report(
      all.map((i) => stage(name(i), ["1", `${i + 2}`], { state: "partial", problems: [`<${name(i)}`] })),
      {
        modules: all.map((i) => module(name(i), `${n - i}`)),
        resources: all.map((i) => resource(name(i), `${n - i}`, { workspace: name(i) })),
        changes: changes({ deleted: n, added: n }),
        rows: all.map((i) => row(i % 2 === 0 ? "deleted" : "drifted", name(i), name(i))),
        unpriced: { count: n, types: Object.fromEntries(all.map((i) => [name(i), 1])) },
        context: {
          ...NO_CONTEXT,
          savings: {
            state: "known",
            value: {
              totals: [money(`${n}`)],
              items: all.map((i) => ({
                recommendationId: name(i),
                address: name(i),
                workspace: name(i),
                resourceType: name(i),
                change: "changed",
                monthly: money("1"),
              })),
              unmatched: n,
            },
          },
          anomalies: {
            state: "known",
            value: {
              count: n,
              impact: null,
              items: all.map((i) => ({ id: name(i), resource: name(i), perspective: name(i), spend: null })),
            },
          },
        },
      },
    ),
    situation: evaluatedSituation(
      "block",
      all.map((i) => finding(name(i), { per: "stage", subject: name(i), items, message: name(i) })),
    ),
  });
}

const heavy = (index: number): string => `${"\u{10fffd}🏗".repeat(60)}${index}`;

function isWhole(markdown: string): void {
  const root = parse(markdown);
  const effects = active(root, null).filter((one) => !one.startsWith("code: /tollgate approve "));
  expect(effects).toEqual([]);
  const html = walk(root).flatMap(({ type, value }) => (type === "html" ? [value] : []));
  expect(html.filter((tag) => tag?.startsWith("<details>")).length).toBe(
    html.filter((tag) => tag === "</details>").length,
  );
  for (const table of tables(root)) expect(new Set(table.map(({ length }) => length)).size).toBe(1);
  expect(markdown.isWellFormed()).toBe(true);
}

describe("a comment within its budget", () => {
  it("always has the verdict, the money, the next step and the origin, and loses from the bottom", () => {
    const source = { evaluation: large(40, (i) => `name-${i}`), links };
    const bytes = fc.integer({ min: 1_200, max: 12_000 });
    fc.assert(
      fc.property(bytes, (limit) => {
        const text = composeSections(buildCommentSections(source), fill, { bytes: limit, details: null });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
        expect(text).toMatch(/^### ⛔ Blocked: \+\$820\.00 per month/);
        expect(text).toContain("**To merge:**");
        expect(text).toContain("<sub>Commit `3f2c9a41`");
        isWhole(text);
        const order = ["#### Why", "#### Cost per month", "#### What drives it", "#### What changes"];
        const there = order.map((heading) => text.includes(heading));
        expect(there).toEqual(there.toSorted((a, b) => Number(b) - Number(a)));
      }),
      { numRuns: casesToTry({ usual: 4, deep: 200 }) },
    );
  });

  it("says what it left out and where that is", () => {
    const source = { evaluation: large(40, (i) => `name-${i}`), links };
    const compose = (bytes: number): string =>
      composeSections(buildCommentSections(source), fill, { bytes, details: null });
    expect(compose(3_000)).toContain("Left out for lack of room: ");
    expect(compose(3_000)).toMatch(/and \d+ more/);
    expect(compose(100_000)).not.toContain("Left out");
  });

  it.each([10, casesToTry({ usual: 300, deep: 3_000 })])(
    "stays within it for %i of everything, with the heaviest names",
    (n) => {
      const e = large(n, heavy);
      const { title, summary, text } = renderer.check(e, links);
      expect(title.length).toBeLessThanOrEqual(255);
      const comment = renderer.comment(e, links);
      expect(Buffer.byteLength(comment)).toBeLessThanOrEqual(65_000);
      expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(65_535);
      expect(Buffer.byteLength(text ?? "")).toBeLessThanOrEqual(65_535);
      for (const part of [comment, summary, text ?? ""]) isWhole(part);
    },
  );

  it("has room for the characters that join amounts", () => {
    for (let length = 60; length < 70; length += 1) {
      const e = large(300, (i) => `${i}`.padEnd(length, "\u{10fffd}"));
      const comment = renderer.comment(e, links);
      expect(Buffer.byteLength(keepSignsTogether(comment))).toBeLessThanOrEqual(65_000);
    }
  });

  it.each(Object.entries(CASES))("is met at any size: %s", (_, e) => {
    const source = { evaluation: e, links };
    const views = [buildCommentSections(source), buildCheckSummary(source), buildCheckText(source)];
    for (const sections of views) {
      const kept = sections.filter(({ isRequired: keep }) => keep);
      const least = Buffer.byteLength(composeSections(kept, fill, { bytes: 0, details: null })) + 600; // and the line about what is left out
      const step = Math.ceil((6_000 - least) / casesToTry({ usual: 4, deep: 27 }));
      for (let bytes = least; bytes < 6_000; bytes += step) {
        const text = composeSections(sections, fill, { bytes, details: null });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
        isWhole(text);
      }
    }
  });
});
