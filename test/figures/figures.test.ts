import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { typed } from "../cli/run-command.ts";
import { casesToTry } from "../world/depth.ts";
import { type Change, changes, estimateFile, lowered, millionthsOf, planFile } from "./files.ts";
import {
  changeOutcome,
  counts,
  type Files,
  modules,
  percentOutcome,
  shown,
  totalOutcome,
  totals,
  workspaces,
} from "./reference.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate figures "));
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: object | string): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
};

interface Parts {
  readonly plans: boolean;
  readonly estimate: boolean;
}
const BOTH: Parts = { plans: true, estimate: true };

/** What is typed to preview a change under a policy. */
function words(change: Change, policy: string, { plans, estimate }: Parts = BOTH): readonly string[] {
  return [
    "preview",
    ...(estimate ? ["--infracost", file("costs.json", estimateFile(change))] : []),
    ...(plans ? change.workspaces.flatMap((one) => ["--plan", file(`${one.name}.json`, planFile(one))]) : []),
    "--policy",
    file("tollgate.yml", policy),
  ];
}

/** The files as anybody reads them. */
const filesOf = (change: Change): Files =>
  JSON.parse(
    JSON.stringify({ estimate: estimateFile(change), plans: change.workspaces.map(planFile) }),
  ) as Files; // as `files.ts` builds them

interface Line {
  readonly previous: string | null;
  readonly current: string | null;
  readonly change: string | null;
}

const figures = ({ previous, current, change }: Line) =>
  [previous, current, change].map((amount) => (amount === null ? null : millionthsOf(amount)));

async function json(change: Change, policy: string, parts?: Parts) {
  const { results, messages } = await typed([...words(change, policy, parts), "--json"]);
  expect(messages.filter((message) => !message.startsWith("note: "))).toEqual([]);
  return JSON.parse(results) as {
    readonly report: {
      readonly totals: readonly Line[];
      readonly stages: readonly (Line & { readonly workspace: string })[];
      readonly modules: readonly (Line & { readonly module: string })[];
      readonly changes: object | null;
    };
    readonly verdict: {
      readonly kind: string;
      readonly findings: readonly Finding[];
    };
    readonly conclusion: string;
  }; // the fixed fields of the preview
}

const NO_RULES = "version: 1\n";
const RUNS = { numRuns: casesToTry({ usual: 8, deep: 300 }) };

test("each total, stage, module and count is the file's, to the last digit", async () => {
  await fc.assert(
    fc.asyncProperty(changes({ usage: false }), async (change) => {
      const files = filesOf(change);
      const { report } = await json(change, NO_RULES);
      const { before, after, change: difference } = totals(files);
      expect(report.totals.map(figures)).toEqual([[before, after, difference]]);
      for (const [name, own] of workspaces(files)) {
        const stage = report.stages.find(({ workspace }) => workspace === name);
        expect(stage && figures(stage)).toEqual([own.before, own.after, own.change]);
      }
      for (const [name, own] of modules(files)) {
        const line = report.modules.find(({ module }) => module === name);
        expect(line && figures(line)).toEqual([own.before, own.after, own.change]);
      }
      expect(report.changes).toMatchObject(counts(files));
    }),
    RUNS,
  );
});

test("each amount of the cost table reads as the file's amount, rounded once", async () => {
  await fc.assert(
    fc.asyncProperty(changes({ usage: false }), async (change) => {
      fc.pre(change.workspaces.length > 1);
      const files = filesOf(change);
      const { results } = await typed(words(change, NO_RULES));
      const rows = results.split("\n").filter((line) => /^\| (`stage-|\*\*Total)/.test(line));
      const expected = [...workspaces(files), ["Total", totals(files)] as const];
      // An amount that would read as zero is shown with more digits, and so are those beside it.
      const half = change.currency === "JPY" ? 500_000n : 5_000n;
      fc.pre(
        expected.flatMap(([, own]) => Object.values(own)).every((n) => n === 0n || n >= half || n <= -half),
      );
      for (const [name, own] of expected) {
        const row = rows.find((line) => line.includes(name));
        if (own.before === 0n && own.after === 0n && own.change === 0n) continue; // nothing to show of it
        const cells = (row ?? "")
          .replaceAll("*", "")
          .split("|")
          .map((cell) => cell.trim());
        expect(cells.slice(2, 5)).toEqual([
          shown(own.change, change.currency, "+"),
          shown(own.before, change.currency, ""),
          shown(own.after, change.currency, ""),
        ]);
      }
    }),
    RUNS,
  );
});

const limits = fc.record({
  increase: fc.integer({ min: 0, max: 400 }),
  decrease: fc.integer({ min: 0, max: 400 }),
  total: fc.integer({ min: 0, max: 900 }),
  percent: fc.integer({ min: 0, max: 150 }),
  deletions: fc.integer({ min: 0, max: 4 }),
  replacements: fc.integer({ min: 0, max: 3 }),
});
type Limits = typeof limits extends fc.Arbitrary<infer T> ? T : never;

const policyOf = (own: Limits, currency: string): string =>
  [
    "version: 1",
    "rules:",
    ...(["increase", "decrease", "total"] as const).map(
      (kind) => `  - { id: ${kind}, limit: { ${kind}: ${own[kind]} ${currency} } }`,
    ),
    `  - { id: percent, limit: { percent: ${own.percent}% } }`,
    `  - { id: deletions, limit: { deletions: ${own.deletions} } }`,
    `  - { id: replacements, limit: { replacements: ${own.replacements} } }`,
  ].join("\n");

interface Finding {
  readonly rule: string;
  readonly outcome: string;
  readonly enforce: string;
}

/** From best to worst, as findings call it; a violation that only warns is `warned`. */
const ORDER = ["passed", "warned", "undecided", "violated"];

const outcomeOf = ({ outcome, enforce }: Finding): string =>
  outcome === "violated" && enforce === "warn" ? "warned" : outcome;

/** The worst that became of each rule. */
function outcomes(findings: readonly Finding[]): ReadonlyMap<string, string> {
  const byRule = Map.groupBy(findings, ({ rule }) => rule);
  return new Map(
    [...byRule].map(([rule, own]) => {
      const ranks = own.map((finding) => ORDER.indexOf(outcomeOf(finding)));
      return [rule, ORDER[Math.max(...ranks)] ?? ""];
    }),
  );
}

const VERDICTS = { violated: "block", unknown: "undecided", warned: "warn", passed: "pass" };

test("each rule comes out as a naive reading of the files says, and so does the verdict", async () => {
  await fc.assert(
    fc.asyncProperty(changes({ usage: true }), limits, async (change, own) => {
      const files = filesOf(change);
      const { verdict } = await json(change, policyOf(own, change.currency));
      const { deleted, replaced } = counts(files);
      const expected = {
        increase: changeOutcome(files, "increase", own.increase),
        decrease: changeOutcome(files, "decrease", own.decrease),
        total: totalOutcome(files, own.total),
        percent: percentOutcome(files, own.percent),
        deletions: deleted > own.deletions ? "violated" : "passed",
        replacements: replaced > own.replacements ? "violated" : "passed",
      };
      const found = Object.fromEntries(outcomes(verdict.findings));
      expect(found).toEqual(
        Object.fromEntries(
          Object.entries(expected).map(([rule, outcome]) => [
            rule,
            outcome === "unknown" ? "undecided" : outcome,
          ]),
        ),
      );
      const all = Object.values(expected);
      const worst = (["violated", "unknown", "warned", "passed"] as const).find((one) =>
        all.some((own) => own === one),
      );
      expect(verdict.kind).toBe(VERDICTS[worst ?? "passed"]);
    }),
    { numRuns: casesToTry({ usual: 15, deep: 600 }) },
  );
});

test("no rule passes when a fact it needs is missing", async () => {
  const COST = ["increase", "decrease", "total", "percent"];
  const PLAN = ["deletions", "replacements"];
  await fc.assert(
    fc.asyncProperty(changes({ usage: true }), limits, fc.boolean(), async (change, own, withoutPlans) => {
      const parts = withoutPlans ? { plans: false, estimate: true } : { plans: true, estimate: false };
      const { verdict, conclusion } = await json(change, policyOf(own, change.currency), parts);
      const found = outcomes(verdict.findings);
      for (const rule of withoutPlans ? PLAN : COST)
        expect([rule, found.get(rule)]).toEqual([rule, "undecided"]);
      expect(["success", "neutral"]).not.toContain(conclusion);
    }),
    RUNS,
  );
});

test("a change that raises nothing is never blocked by a limit on what is paid, unpriced or left to usage", async () => {
  await fc.assert(
    fc.asyncProperty(changes({ usage: false }).map(lowered), limits, async (change, own) => {
      const policy = [
        "version: 1",
        "rules:",
        `  - { id: increase, limit: { increase: ${own.increase} ${change.currency} } }`,
        `  - { id: percent, limit: { percent: ${own.percent}% } }`,
        `  - { id: total, limit: { total: ${own.total} ${change.currency} } }`,
        `  - { id: total-of-stages, limit: { total: ${own.total} ${change.currency} }, per: stage }`,
        `  - { id: total-of-modules, limit: { total: ${own.total} ${change.currency} }, per: module }`,
        "  - { id: unpriced, limit: { unpriced: 0 } }",
        "  - { id: usage, limit: { usage: 0 } }",
      ].join("\n");
      const { verdict } = await json(change, policy);
      expect(["pass", "warn"]).toContain(verdict.kind);
    }),
    RUNS,
  );
});
