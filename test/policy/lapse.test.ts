import { expect, test } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import { giveApproval } from "../../src/policy/approvals/give-approval.ts";
import { findLapse, selectApprovableContent } from "../../src/policy/approvals/lapse.ts";
import { finding, HEAD } from "../render/evaluation-builder.ts";
import { policy } from "./policies.ts";

test("an approved rise from zero lapses with other figures: no percentage says how large it is", () => {
  const { rules } = policy("rules: [{ id: p, limit: { percent: 10 }, approve: { teams: [finops] } }]");
  const fromZero = finding("p", {
    approve: rules[0]?.approve ?? null,
    measured: { kind: "increase_from_zero" },
  });
  const at = (figures: string) => ({
    rules,
    findings: [fromZero],
    ground: { baseRef: "main", ground: [], figures, contributors: new Set<number>(), nowMs: 0 },
  });
  const given = giveApproval(
    {
      id: "comment:1",
      source: "comment",
      approver: { id: 3, login: "grace" },
      sha: HEAD,
      rules: [],
      upTo: null,
      untilMs: null,
      reason: "",
      createdMs: 0,
      approvedMs: 0,
    },
    { ...at("0 > 5"), headSha: HEAD, evaluatedMs: 0, getGroups: () => [0] },
  );
  if (given.state !== "approved") throw new Error(`refused: ${given.why.kind}`);
  expect(findLapse(given.approval, at("0 > 5"))).toBeNull();
  expect(findLapse(given.approval, at("0 > 90000"))).toEqual({ kind: "grown", rule: "p" });
});

test("what a CI job publishes of findings with hidden figures is the same for every amount, percentage and figure", () => {
  const { rules } = policy("rules: [{ id: p, limit: { percent: 10 }, approve: { teams: [finops] } }]");
  const select = (measured: ReturnType<typeof finding>["measured"], figures: string, isRedacted: boolean) =>
    JSON.stringify(
      selectApprovableContent(
        {
          rules,
          findings: [finding("p", { measured })],
          ground: { baseRef: "main", ground: [], figures, contributors: new Set<number>(), nowMs: 0 },
        },
        isRedacted,
      ),
    );
  const percent = (value: string) => ({ kind: "percent", percent: decimal(value) }) as const;
  const condition = { kind: "condition", count: null } as const;
  for (const isRedacted of [false, true]) {
    expect(select(percent("20"), "a", isRedacted) === select(percent("21"), "a", isRedacted)).toBe(
      isRedacted,
    );
    expect(select(condition, "a", isRedacted) === select(condition, "b", isRedacted)).toBe(isRedacted);
  }
});
