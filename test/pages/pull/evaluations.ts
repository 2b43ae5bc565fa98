import { decimal } from "../../../src/kernel/money.ts";
import type { Evaluation } from "../../../src/policy/model/evaluation.ts";
import type { Finding } from "../../../src/policy/model/finding.ts";
import { SAMPLE_EVALUATIONS } from "../../../src/render/sample-evaluations.ts";
import type { ComponentCost } from "../../../src/report/model/facts.ts";
import type { ReportedRow, ResourceReport, StageReport } from "../../../src/report/model/report.ts";

const [, , BLOCKED] = SAMPLE_EVALUATIONS;
if (BLOCKED === undefined) throw new Error("the third sample is blocked");
const [STAGE] = BLOCKED.report.stages;
const [RESOURCE] = BLOCKED.report.resources;
if (STAGE === undefined || RESOURCE === undefined) throw new Error("the sample has a stage and a resource");
if (BLOCKED.situation.kind !== "evaluated") throw new Error("the sample has a verdict");
const [FINDING] = BLOCKED.situation.verdict.findings;
if (FINDING === undefined) throw new Error("the sample has a finding");

/** Amounts per month; the change follows. */
export const costs = (before: number, after: number) => ({
  before: decimal(String(before)),
  after: decimal(String(after)),
  change: decimal((after - before).toFixed(2)),
  percent: null,
});

export const stageNamed = (workspace: string, more: Partial<StageReport> = {}): StageReport => ({
  ...STAGE,
  workspace,
  name: workspace,
  ...more,
});

const place = (workspace: string) => ({ workspace, stage: `default/payments/${workspace}` });

export const component = (name: string, more: Partial<ComponentCost> = {}): ComponentCost => ({
  name,
  ...costs(1, 2),
  ...more,
});

/** A resource in a stage, by its address. */
export const resource = (
  address: string,
  more: Partial<ResourceReport> = {},
  workspace = "production",
): ResourceReport => ({
  ...RESOURCE,
  address,
  type: address.split(".").at(-2) ?? "",
  module: address.startsWith("module.") ? (address.split(".")[1] ?? "") : "root",
  usageBased: false,
  changedAttributes: null,
  ...place(workspace),
  ...more,
});

export const row = (
  address: string,
  more: Partial<ReportedRow> = {},
  workspace = "production",
): ReportedRow => ({
  address,
  type: address.split(".").at(-2) ?? "",
  module: "root",
  change: "changed",
  ...place(workspace),
  ...more,
});

export const finding = (more: Partial<Finding>): Finding => ({
  ...FINDING,
  message: null,
  items: [],
  ...more,
});

interface Parts {
  readonly pull?: Partial<Evaluation["pull"]>;
  readonly report?: Partial<Evaluation["report"]>;
  readonly findings?: readonly Finding[];
  readonly rest?: Partial<Evaluation>;
}

/** A blocked pull request #12 of acme/payments, with these parts in place of the sample's. */
export function blockedEvaluation({ pull, report, findings, rest }: Parts = {}): Evaluation {
  if (BLOCKED?.situation.kind !== "evaluated") throw new Error("the sample has a verdict");
  const { afterMerge: _, ...open } = BLOCKED;
  const { verdict } = BLOCKED.situation;
  return {
    ...open,
    pull: { ...BLOCKED.pull, number: 12, ...pull },
    report: { ...BLOCKED.report, ...report },
    situation: { kind: "evaluated", verdict: { ...verdict, findings: findings ?? verdict.findings } },
    ...rest,
  };
}
