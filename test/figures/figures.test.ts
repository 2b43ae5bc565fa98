import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { typed } from "../cli/run-command.ts";
import { casesToTry } from "../world/depth.ts";
import { type Change, changes, estimateFile, millionthsOf, planFile } from "./files.ts";
import {
  changeOutcome,
  counts,
  type Files,
  modules,
  percentOutcome,
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

/** What is typed to preview a change under a policy. */
const words = (change: Change, policy: string): readonly string[] => [
  "preview",
  ...["--infracost", file("costs.json", estimateFile(change))],
  ...change.workspaces.flatMap((one) => ["--plan", file(`${one.name}.json`, planFile(one))]),
  ...["--policy", file("tollgate.yml", policy)],
];

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

async function json(change: Change, policy: string) {
  const { results, messages } = await typed([...words(change, policy), "--json"]);
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
  }; // the fixed fields of the preview
}

test("each total, stage, module and count is the file's, to the last digit", async () => {
  await fc.assert(
    fc.asyncProperty(changes({ usage: false }), async (change) => {
      const files = filesOf(change);
      const { report } = await json(change, "version: 1\n");
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
    { numRuns: casesToTry({ usual: 8, deep: 300 }) },
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
