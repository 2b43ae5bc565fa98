import { decimal } from "../../src/kernel/money.ts";
import { evaluatePolicy } from "../../src/policy/evaluate-policy.ts";
import type { BudgetUse, EvaluationContext, WorkspaceCost } from "../../src/policy/model/context.ts";
import type { Finding } from "../../src/policy/model/finding.ts";
import { chooseReportOptions, type Policy } from "../../src/policy/model/policy.ts";
import { buildReport } from "../../src/report/build.ts";
import type { ContextFacts } from "../../src/report/model/context.ts";
import { NO_CONTEXT } from "../../src/report/model/context.ts";
import type { Fact, RefusedExecution, StageFacts } from "../../src/report/model/facts.ts";
import { type AttributesByRow, UNREAD_ATTRIBUTES } from "../../src/report/model/resource-attributes.ts";
import { CONTEXT } from "./policies.ts";

export interface GivenFacts {
  readonly stages?: readonly StageFacts[];
  readonly refused?: readonly RefusedExecution[];
  readonly context?: Partial<ContextFacts>;
  readonly pull?: Partial<EvaluationContext>;
  readonly attributes?: Fact<AttributesByRow>;
}

/** An execution that may not be shown here. */
export const HIDDEN: RefusedExecution = { org: "o", project: "p", executionId: "e", reason: "not_granted" };

/** `900 USD`. */
export function money(text: string) {
  const [amount = "", currency = ""] = text.split(" ");
  return { amount: decimal(amount), currency };
}

/** What a workspace costs, or changes by. */
export const at = (workspace: string, amount: string): WorkspaceCost => {
  return { org: "default", project: "payments", workspace, ...money(amount) };
};

/** A budget of which the rest of the organisation uses nothing but what is named. */
export const use = (but: Partial<BudgetUse> = {}): BudgetUse => {
  return { workspaces: [], pulls: [], unknown: [], ...but };
};

export function verdict(
  policy: Policy,
  { stages = [], refused = [], context = {}, pull = {}, attributes = UNREAD_ATTRIBUTES }: GivenFacts,
) {
  const report = buildReport(
    { stages, refused, context: { ...NO_CONTEXT, ...context } },
    chooseReportOptions(policy),
  );
  return evaluatePolicy(report, policy, { context: { ...CONTEXT, ...pull }, attributes });
}

/** `outcome subject: measured`, or why it is undecided; `(warn)` and `(waived)` where it counts for less; `+n` for further subjects. */
export function tell({ outcome, subject, others, measured, because, enforce, waiver }: Finding): string {
  const reasons = because.map((each) => {
    if (each.kind === "unknown") return each.reason;
    if (each.kind === "condition_failed") return each.problem;
    if (each.kind === "resources") return `${each.unknown} of ${each.names.join(", ")}`;
    if (each.kind === "workspace_tags") return `${each.key} in ${each.names.join(", ")}`;
    return each.kind === "other_currency" ? `${each.found} for ${each.expected}` : each.kind;
  });
  const values =
    measured === null ? [] : Object.values(measured).slice(measured.kind === "increase_from_zero" ? 0 : 1);
  const marks = [
    ...(enforce === "warn" && outcome !== "passed" ? ["(warn)"] : []),
    ...(waiver === null ? [] : ["(waived)"]),
    ...(others === 0 ? [] : [`+${others}`]),
  ];
  const about = subject === null ? [] : [`${subject}:`];
  return [
    outcome,
    ...about,
    ...values.filter((value) => value !== null).map(String),
    ...reasons,
    ...marks,
  ].join(" ");
}

/** Every finding in one text each. */
export const describeFindings = (policy: Policy, given: GivenFacts): readonly string[] =>
  verdict(policy, given).findings.map(tell);
