import { expect, test } from "vitest";
import { buildPlanNotesView } from "../../src/render/sections/plan-notes.ts";
import { evaluation, report, stage } from "./evaluation-builder.ts";
import { comment } from "./renderer.ts";

test("failed checks that a plan does not list are counted with those that the comment has no space for", () => {
  const listed = Array.from({ length: 12 }, (_, at) => ({ address: `check.c${at}`, problems: [] }));
  const planNotes = {
    ...{ incomplete: null, invocations: { listed: [], more: 0 } },
    failedChecks: { listed, more: 3 },
  };
  const stages = [{ ...stage("production", ["1", "2"]), planNotes }];
  const { failedChecks, moreChecks } = buildPlanNotesView(report(stages), true);
  expect([failedChecks.length, moreChecks]).toEqual([10, 5]);
});

test("a comment says that a plan is of a part, and names failed checks, their messages only where figures are shown", () => {
  const planNotes = {
    incomplete: { deferred: [], more: 0 },
    invocations: { listed: [], more: 0 },
    failedChecks: { listed: [{ address: "check.health", problems: ["it costs 537.31"] }], more: 0 },
  };
  const stages = [{ ...stage("production", ["1", "2"]), planNotes }];
  const said = (figures: boolean) => comment(evaluation({ pull: { figures }, report: report(stages) }));
  expect(said(true)).toContain("The plan is of a part of the code only");
  expect(said(true)).toContain("- `check.health`: it costs 537.31");
  expect(said(false)).toContain("- `check.health`\n");
  expect(said(false)).not.toContain("537.31");
});

test("outputs show no value where figures are hidden, and at least how many more there are", () => {
  const listed = Array.from({ length: 12 }, (_, at) => ({
    ...{ name: `o${at}`, change: "changed" as const, value: { kind: "text" as const, text: "537.31" } },
  }));
  const stages = [{ ...stage("production", ["1", "2"]), outputs: { listed, isWhole: false } }];
  const said = (figures: boolean) => comment(evaluation({ pull: { figures }, report: report(stages) }));
  expect(said(true)).toContain("- changed `o0`: `537.31`");
  expect(said(true)).toContain("- at least 2 more outputs");
  expect(said(false)).toContain("- changed `o0`\n");
  expect(said(false)).not.toContain("537.31");
});
