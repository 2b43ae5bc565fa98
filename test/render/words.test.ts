import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import type { Finding } from "../../src/policy/model/finding.ts";
import { createRenderer } from "../../src/render/renderer.ts";
import { compileTemplates } from "../../src/render/templates.ts";
import type { ChangeKind, UnknownReason } from "../../src/report/model/facts.ts";
import { CASES } from "./cases.ts";
import {
  changes,
  evaluatedSituation,
  evaluation,
  finding,
  money,
  report,
  row,
  stage,
  tagProblem,
  templates,
  unknownStage,
} from "./evaluation-builder.ts";
import { SAMPLE_NOTIFICATIONS } from "./notifications/sample-notifications.ts";

/** Pages have a folder of their own, which only they use. */
const texts = Object.fromEntries(Object.entries(templates()).filter(([name]) => !name.startsWith("pages/")));
const fill = compileTemplates(texts);
const renderer = createRenderer(texts);
const links = { details: null, recheckHint: true };

const REASONS: Record<UnknownReason, true> = {
  not_estimated: true,
  partly_estimated: true,
  not_indexed: true,
  not_read: true,
  not_listed: true,
  not_granted: true,
  not_stated: true,
  not_compared: true,
  no_plan: true,
  incomplete_plan: true,
  execution_failed: true,
  execution_pending: true,
  unproven: true,
  push_disabled: true,
  past_retention: true,
  unauthorised: true,
  forbidden: true,
  rate_limited: true,
  unavailable: true,
  malformed: true,
  contradictory: true,
  too_large: true,
  files_unlisted: true,
  timed_out: true,
  local_preview: true,
  no_history: true,
  tags_unknown: true,
};
const ACTIONS: readonly ChangeKind[] = [
  "deleted",
  "added",
  "changed",
  "imported",
  "removed",
  "replaced",
  "drifted",
];

const distinct = (all: readonly string[]): void => {
  expect(all.every((text) => text.length > 2)).toBe(true);
  expect(new Set(all).size).toBe(all.length);
};

describe("the templates have words of their own", () => {
  it("for every reason why something is unknown", () => {
    distinct(Object.keys(REASONS).map((reason) => fill("reason", { reason })));
  });

  it("for every change of a resource, and every way an execution was found", () => {
    distinct(ACTIONS.map((action) => fill("action-word", { action })));
    const sources = ["status", "check", "audit", "notification", "file"];
    distinct(sources.map((source) => fill("source", { source })));
  });

  it("for a policy of the organisation that may be there: both ways out", () => {
    const text = renderer.comment(CASES["unreadable"] ?? evaluation(), links);
    for (const way of ["adds that repository to the installation", "`ORG_POLICY=none:`"])
      expect(text).toContain(way);
  });

  it("for every situation: a headline, a check title, and what to do next", () => {
    for (const e of Object.values(CASES)) {
      const [headline, , next] = renderer.comment(e, links).split("\n");
      expect(headline).toMatch(/^### \S+ \S/u);
      expect(headline?.match(/\p{Emoji_Presentation}|\ufe0f/gu)).toHaveLength(1);
      expect(next).toMatch(/^(\*\*To merge:\*\*|Nothing to do\.|You can merge\.|No rules are set)/);
      const { title, summary } = renderer.check(e, links);
      expect(headline?.endsWith(title)).toBe(true);
      expect(summary.startsWith(next ?? "-")).toBe(true);
    }
  });

  it("for every kind of limit, with and without figures", () => {
    const count = (
      kind: "deletions" | "replacements" | "changes" | "drift" | "unpriced" | "untagged",
    ): Partial<Finding> => ({
      limit: { kind, count: 0 },
      measured: { kind: "count", count: 1 },
    });
    const limits: Partial<Finding>[] = [
      { limit: { kind: "increase", amount: money("5") } },
      { limit: { kind: "decrease", amount: money("5") } },
      { limit: { kind: "total", amount: money("5") } },
      {
        limit: { kind: "percent", percent: decimal("5") },
        measured: { kind: "percent", percent: decimal("9") },
      },
      { limit: { kind: "percent", percent: decimal("5") }, measured: { kind: "increase_from_zero" } },
      count("deletions"),
      count("replacements"),
      count("changes"),
      count("drift"),
      count("unpriced"),
      count("untagged"),
      { limit: { kind: "untagged-cost", amount: money("5") } },
    ];
    const line = (limit: Partial<Finding>, figures: boolean): string => {
      const situation = evaluatedSituation("block", [finding("rule", limit)]);
      const text = renderer.comment(evaluation({ situation, pull: { figures } }), links);
      return text.split("\n").find((one) => one.startsWith("- ⛔")) ?? "";
    };
    distinct(limits.map((limit) => line(limit, true)));
    expect(line(count("deletions"), true)).toBe("- ⛔ `rule`: **1** resource would be deleted (limit **0**)");
    expect(limits.map((limit) => line(limit, false)).filter((text) => /[$%]/.test(text))).toEqual([]);
  });

  it("for what is wrong with the tags of a resource", () => {
    const [a, b] = ["prod: aws_instance.a", "prod: aws_instance.b"];
    const tags: Partial<Finding> = {
      limit: { kind: "untagged", count: 0 },
      measured: { kind: "count", count: 2 },
      items: [a, b],
      tagProblems: [
        tagProblem(a, "team"),
        tagProblem(a, "app", { otherKey: "App" }),
        tagProblem(a, "env", { found: "" }),
        tagProblem(b, "team", { found: "payment", nearest: "payments" }),
        tagProblem(b, "cost-center", { found: "CC-1", pattern: "CC-[0-9]{4}" }),
        tagProblem(b, "env", { found: "x", values: ["prod", "test"], moreValues: 3 }),
      ],
    };
    const told = (rest: Partial<Finding>) => {
      const situation = evaluatedSituation("block", [finding("tagged", { ...tags, ...rest })]);
      const text = renderer.comment(evaluation({ situation }), links);
      return text.slice(text.indexOf("#### Why"), text.indexOf("\n\n", text.indexOf("`tagged`")));
    };
    expect(told({})).toMatchInlineSnapshot(`
      "#### Why

      - ⛔ \`tagged\`: **2** resources are not tagged as required (limit **0**)
        - \`prod: aws_instance.a\`: \`team\` is missing, \`app\` is missing (it has \`App\`, another key), \`env\` is empty
        - \`prod: aws_instance.b\`: \`team\` is \`payment\` (did you mean \`payments\`?), \`cost-center\` is \`CC-1\` (expected \`CC-[0-9]{4}\`), \`env\` is \`x\` (expected \`prod\`, \`test\` or one of 3 more)"
    `);
    const because = [
      {
        kind: "resources",
        unknown: "tags_later",
        count: 5,
        names: ["p: a", "p: b", "p: c", "p: d"],
      } as const,
      { kind: "resources", unknown: "tags_sensitive", count: 1, names: ["p: e"] } as const,
      { kind: "resources", unknown: "tags_not_read", count: 1, names: ["p: f"] } as const,
      { kind: "resources", unknown: "cost", count: 1, names: ["p: g"] } as const,
    ];
    const others = { items: [], tagProblems: [tagProblem(a, "team")] };
    expect(told({ outcome: "undecided", measured: null, because, ...others })).toMatchInlineSnapshot(`
      "#### Why

      - ❓ \`tagged\`: could not be evaluated, because the tags of \`p: a\`, \`p: b\`, \`p: c\` and 2 more are known only after the apply; the tags of \`p: e\` are sensitive; the tags of \`p: f\` were not read; the cost of \`p: g\` is unknown
        - \`prod: aws_instance.a\`: \`team\` is missing"
    `);
    const many = Array.from({ length: 25 }, (_, index) => `prod: aws_instance.${index}`);
    const folded = told({
      items: many,
      tagProblems: many.slice(0, 20).map((item) => tagProblem(item, "team")),
    });
    expect(folded).toContain("<summary>25 by name</summary>");
  });

  it("in the singular and the plural", () => {
    const removed = (n: number): string =>
      renderer.comment(
        evaluation({
          report: report([stage("s", ["0", "0"]), unknownStage("t")], {
            changes: changes({ deleted: n, replaced: n }),
            rows: [row("drifted", "a.b")],
            unpriced: { count: n, types: { a: n } },
          }),
        }),
        links,
      );
    expect(removed(1)).toContain("Of these, 1 is replaced (deleted and created again).");
    expect(removed(1)).toContain("1 resource has no known price and is not");
    expect(removed(2_000)).toContain("Of these, 2,000 are replaced (deleted and created again).");
    expect(removed(2_000)).toContain("2,000 resources have no known price and are not");
  });
});

/** The text of every file of a folder. */
const sources = (folder: URL): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");

describe("templates", () => {
  it("that name an unknown helper, field or template are errors, not blanks", () => {
    expect(() => compileTemplates({ a: "{{nonsense 1}}" })("a", {})).toThrow(/nonsense/);
    expect(() => compileTemplates({ a: "{{missing}}" })("a", {})).toThrow(/missing/);
    expect(compileTemplates({ a: "[{{constructor}}]" })("a", {})).toBe("[]");
    expect(() => compileTemplates({})("a", {})).toThrow(/there is no template/);
  });

  it("offer an estimate of one state only as what another one is compared with", () => {
    for (const text of Object.values(texts).flatMap((all) => all.split("\n")))
      if (text.includes("infracost breakdown")) expect(text).toContain("infracost diff --compare-to");
  });

  it("are all used", () => {
    const source = sources(new URL("../../src/render/", import.meta.url));
    const included = [
      ...Object.values(texts)
        .join("\n")
        .matchAll(/\{\{~?> ([\w/-]+)/g),
    ].map(([, name]) => name);
    const ofSituations = Object.keys(texts).filter((name) => /^(verdict|next-step)\//.test(name));
    const ofEvents = SAMPLE_NOTIFICATIONS.flatMap(({ event }) => [event, `${event}-title`]).map(
      (name) => `notifications/${name}`,
    );
    const named = Object.keys(texts).filter((name) => source.includes(`"${name}"`));
    expect(new Set([...included, ...named, ...ofSituations, ...ofEvents])).toEqual(
      new Set(Object.keys(texts)),
    );
  });
});
