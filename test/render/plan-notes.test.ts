import { expect, test } from "vitest";
import { buildPlanNotesView } from "../../src/render/sections/plan-notes.ts";
import { report, stage } from "./evaluation-builder.ts";

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
