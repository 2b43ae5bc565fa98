import { compare, type Decimal, type Money } from "../kernel/money.ts";
import type { ReportedRow, StageReport } from "../report/model/report.ts";
import { buildStageKey, createStageLabels } from "../report/model/stage-label.ts";
import { MAX_PLANNED_CHANGES, type PlanCost, type PlannedChange, type WorkspacePlan } from "./apply-gate.ts";
import type { Evaluation } from "./model/evaluation.ts";
import type { Finding } from "./model/finding.ts";
import type { FactName } from "./model/policy.ts";
import { getVerdict } from "./model/situation.ts";

/** A plan that an evaluation rests on. */
export interface EvaluatedPlan {
  /** See `buildStageKey`. */
  readonly stage: string;
  readonly plan: WorkspacePlan;
}

/** Whether an apply may call the workspace of a stage so: by its name, also with its project, or with its org and project. */
export function isStageNamed(stage: string, name: string): boolean {
  const [, project, ...workspace] = stage.split("/"); // the name of a workspace may contain slashes
  return [workspace.join("/"), [project, ...workspace].join("/"), stage].includes(name);
}

/** Returns the plans of an evaluation, one per stage. Without figures where readers may not see them. */
export function listEvaluatedPlans({
  pull,
  report,
}: Pick<Evaluation, "pull" | "report">): readonly EvaluatedPlan[] {
  const stages = report.stages.filter(({ isUnread }) => isUnread !== true);
  const label = createStageLabels(stages.map((stage) => ({ ...stage, name: stage.workspace })));
  const rows = Map.groupBy(report.rows, ({ stage }) => stage);
  const resources = Map.groupBy(report.resources, ({ stage }) => stage);
  return stages.map((stage) => {
    const key = buildStageKey(stage);
    const priced = new Map((resources.get(key) ?? []).map((one) => [one.address, one]));
    const invocations = (stage.planNotes?.invocations.listed ?? []).map(({ address }) => address);
    const changes = [
      ...(rows.get(key) ?? []).flatMap((row) =>
        toPlannedChange(row, pull.figures ? (priced.get(row.address) ?? toUnchanged(row)) : HIDDEN),
      ),
      ...[...new Set(invocations)].map((address) => ({ address, action: "invoked", ...HIDDEN }) as const),
    ];
    return {
      stage: key,
      plan: {
        workspace: label({ ...stage, name: stage.workspace }),
        cost: pull.figures ? describeCost(stage) : { state: "hidden" },
        changes: changes.slice(0, MAX_PLANNED_CHANGES),
        isComplete: isComplete(stage) && changes.length <= MAX_PLANNED_CHANGES,
      },
    };
  });
}

const HIDDEN = { before: null, after: null };

const toUnchanged = ({ cost = null }: ReportedRow) => ({ before: cost, after: cost });

const toPlannedChange = (
  { address, change }: ReportedRow,
  { before, after }: Pick<PlannedChange, "before" | "after">,
): readonly PlannedChange[] =>
  change === "drifted" || change === "moved" ? [] : [{ address, action: change, before, after }];

function isComplete({ rowsBecause, omittedRows, unreadRows, narrowed, planNotes }: StageReport): boolean {
  if (rowsBecause !== null || narrowed !== null || (planNotes?.incomplete ?? null) !== null) return false;
  return omittedRows + unreadRows + (planNotes?.invocations.more ?? 0) === 0;
}

function describeCost({ state, because, currency, before, after, change }: StageReport): PlanCost {
  if (because.includes("not_estimated")) return { state: "not_estimated" };
  if (state !== "known" || currency === null || before === null || after === null || change === null)
    return { state: "unknown" };
  return { state, currency, before, after, change };
}

/**
 * Returns the change of cost up to which approvals let a workspace pass: the least amount of the approvals in force that cover a limit of
 * the increase which measured this whole workspace and nothing else, and at most what every other rule allows that may block. Null: there
 * is none, so what was evaluated counts.
 */
export function findApprovedChange(
  { report, approvals, situation }: Evaluation,
  { cost }: WorkspacePlan,
): Money | null {
  if (cost.state !== "known" || report.stages.length !== 1) return null;
  const { currency, change } = cost;
  const findings = getVerdict(situation)?.findings ?? [];
  const approved = findings.filter(
    ({ limit, measured, outcome, approved: isApproved }) =>
      limit.kind === "increase" &&
      outcome === "violated" &&
      isApproved &&
      measured?.kind === "money" &&
      measured.currency === currency &&
      compare(measured.amount, change) === 0,
  );
  const rules = new Set(approved.map(({ rule }) => rule));
  const amounts = approvals.live
    .filter(({ covered }) => covered.some(({ rule }) => rules.has(rule)))
    .flatMap(({ upTo }) => (upTo?.currency === currency ? [upTo.amount] : []));
  if (amounts.length === 0) return null;
  const bounds = findings.flatMap((one) => (approved.includes(one) ? [] : (findBound(one, change) ?? [])));
  const [least] = [...amounts, ...bounds].sort(compare);
  return least === undefined ? null : { amount: least, currency };
}

/** The change of cost up to which a rule is certain not to block; null: it does not depend on the cost, or only warns. */
function findBound({ enforce, outcome, limit }: Finding, evaluated: Decimal): Decimal | null {
  if (enforce === "warn" || outcome === "not_applicable" || "count" in limit) return null;
  if (limit.kind === "when") return limit.needs.some((fact) => COST_FACTS.has(fact)) ? evaluated : null;
  return limit.kind === "increase" ? limit.amount.amount : evaluated;
}

const COST_FACTS: ReadonlySet<FactName> = new Set(["cost", "totals", "modules", "resources", "unit_costs"]);
