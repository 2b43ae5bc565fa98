import type { ReportedRow, StageReport } from "../report/model/report.ts";
import { buildStageKey, createStageLabels } from "../report/model/stage-label.ts";
import { MAX_PLANNED_CHANGES, type PlanCost, type PlannedChange, type WorkspacePlan } from "./model/apply.ts";
import type { Evaluation } from "./model/evaluation.ts";

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
