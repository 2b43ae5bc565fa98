import { expect, test } from "vitest";
import { hasPassed } from "../../src/evaluate/stored-verdict.ts";
import { type Approval, NO_APPROVALS } from "../../src/policy/model/approval.ts";
import type { Finding } from "../../src/policy/model/finding.ts";
import { evaluatedSituation, evaluation, finding } from "../render/evaluation-builder.ts";

const END = Date.UTC(2026, 2, 1);
const WARNS: Partial<Finding> = { enforce: "warn", enforceFromMs: END };

test.each<[string, Partial<Finding>, boolean]>([
  ["a violation of a rule that only warned so far", WARNS, false],
  ["an undecided rule that only warned so far", { ...WARNS, outcome: "undecided" }, false],
  ["a rule that passed before its first day", { ...WARNS, outcome: "passed" }, true],
  ["a rule that warns for ever", { enforce: "warn" }, true],
  ["a waived violation", { waiver: { owner: "o", reason: "r", untilMs: END } }, false],
])(
  "a stored verdict with %s counts before the moment at which that changes, and from then on: $later",
  (_, parts, later) => {
    const situation = evaluatedSituation("warn", [finding("r", parts)]);
    const stored = { evaluation: evaluation({ situation }), digest: "", policyBlobs: "" };
    expect([END - 1, END].map((nowMs) => hasPassed(stored, nowMs))).toEqual([true, later]);
  },
);

test("a stored verdict that a temporary approval lets pass counts until the approval ends", () => {
  const approval = { untilMs: END } as Approval; // its other members are of no matter here
  const own = evaluation({
    situation: evaluatedSituation("pass", []),
    approvals: { ...NO_APPROVALS, live: [approval] },
  });
  const stored = { evaluation: own, digest: "", policyBlobs: "" };
  expect([END - 1, END].map((nowMs) => hasPassed(stored, nowMs))).toEqual([true, false]);
});

test("a stored verdict under a budget for a period counts until the period ends", () => {
  const own = evaluation({ situation: evaluatedSituation("pass", []) });
  const period = { unit: "month", from: "2026-02-01", to: "2026-02-28", merged: [], unknown: [] } as const;
  const budgetUse = { workspaces: [], pulls: [], unknown: [], periods: [period] };
  const kept = { ...own, context: { ...own.context, budgetUse } };
  const stored = { evaluation: kept, digest: "", policyBlobs: "" };
  expect([END - 1, END].map((nowMs) => hasPassed(stored, nowMs))).toEqual([true, false]);
});
