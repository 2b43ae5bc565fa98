import { decimal } from "../../../src/kernel/money.ts";
import type { Evaluation } from "../../../src/policy/model/evaluation.ts";
import type { Finding } from "../../../src/policy/model/finding.ts";
import type { ComponentCost } from "../../../src/report/model/facts.ts";
import type { ReportedRow, ResourceReport, StageReport } from "../../../src/report/model/report.ts";
import {
  approval,
  resource as builtResource,
  changes,
  evaluatedSituation,
  evaluation,
  HEAD,
  module,
  money,
  report as reportOf,
  stage,
  finding as violation,
} from "../../render/evaluation-builder.ts";

const STAGE = stage("production", ["100", "700"], { superseded: ["older"] });

const FINDING = violation("monthly-increase", {
  per: "stage",
  subject: "production",
  measured: { kind: "money", ...money("600") },
  message: "Ask the owners of the budget.",
  items: ["production"],
});

const FINDINGS: readonly Finding[] = [
  FINDING,
  { ...FINDING, rule: "warning", enforce: "warn" },
  {
    ...FINDING,
    ...{ rule: "undecided", outcome: "undecided", measured: null },
    because: [
      { kind: "unknown", reason: "not_estimated" },
      { kind: "other_currency", found: "EUR", expected: "USD" },
    ],
  },
];

const APPROVAL = approval();

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
  ...builtResource(address, "600"),
  ...costs(100, 700),
  type: address.split(".").at(-2) ?? "",
  module: address.startsWith("module.") ? (address.split(".")[1] ?? "") : "root",
  action: "changed",
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

/** A blocked pull request #12 of acme/payments with something in every view, and with these parts in place of its own. */
export function blockedEvaluation({ pull, report, findings = FINDINGS, rest }: Parts = {}): Evaluation {
  const stages = [STAGE, stageNamed("staging", { state: "partial", because: ["not_stated"] })];
  return evaluation({
    pull: { repositoryId: 1, number: 12, ...pull },
    report: reportOf(stages, {
      totals: [{ ...costs(100, 700), percent: decimal("600"), currency: "USD", state: "known", because: [] }],
      modules: [module("database", "600", costs(100, 700))],
      modulesBecause: ["not_indexed"],
      resources: [
        resource("module.database.aws_db_instance.main", { changedAttributes: ["instance_class"] }),
      ],
      changes: changes({
        added: 1,
        changed: 2,
        deleted: 2,
        replaced: 1,
        imported: 1,
        removed: 1,
        drifted: 1,
      }),
      rows: [row("module.database.aws_db_instance.main", { module: "database", change: "deleted" })],
      omittedRows: 3,
      unpriced: { count: 2, types: { aws_iot_thing: 2 } },
      refused: [{ org: "x", project: "y", executionId: "z", reason: "not_granted" }],
      ...report,
    }),
    situation: evaluatedSituation("block", findings),
    approvals: {
      live: [APPROVAL],
      lapsed: [{ approval: APPROVAL, why: { kind: "ground_changed" } }],
      missing: [{ rule: "monthly-increase", groups: [] }],
    },
    policyEdit: {
      outcome: { kind: "evaluated", verdict: "pass" },
      addedRules: ["added"],
      changedRules: ["changed"],
      removedRules: [],
      addedWaivers: ["waived"],
      removedWaivers: [],
      otherParts: ["expect"],
      past: { compared: 2, changed: [{ from: "pass", to: "block", pulls: [5] }] },
    },
    foreignChecks: ["mallory"],
    previous: {
      headSha: HEAD,
      totals: [{ ...costs(100, 101), currency: "USD", state: "known", because: [] }],
    },
    ...rest,
  });
}
