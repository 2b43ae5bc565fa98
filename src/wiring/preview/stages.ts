import type { z } from "zod";
import { type ChangeFacts, changesFromRows, type SourceRow } from "../../evaluate/facts/change-facts.ts";
import { costFact, modulesFact } from "../../evaluate/facts/platform/platform-facts.ts";
import { checkAgainstPlan } from "../../plan-files/estimate/check-against-plan.ts";
import type { EstimateStage } from "../../plan-files/estimate/estimate.ts";
import { maskStage } from "../../plan-files/estimate/mask-stage.ts";
import type { PlanRow, PlanSnapshot } from "../../plan-files/plan/snapshot.ts";
import { CostChange } from "../../platform/contract/cost-changes.ts";
import { ChangedResource } from "../../platform/contract/shapes/change-snapshot.ts";
import type { StageFacts } from "../../report/model/facts.ts";
import { joinedPlans, joinInOrder, type LabelledEstimate, type LabelledPlan } from "./plans.ts";

export interface PreviewStages {
  readonly stages: readonly StageFacts[];
  /** Notes on how plans and estimates were joined. */
  readonly notes: readonly string[];
}

/**
 * Builds one stage for each estimate and each plan. A plan joins the estimate of the same code: the estimate
 * names the plan's file, or both have the same name, or there is one of each, or there are equally many in
 * the given order. Facts in no file are unknown. A plan that joins no project while estimates are given has
 * zero cost, because the totals of the estimates are complete without it.
 */
export function previewStages(
  estimates: readonly LabelledEstimate[],
  plans: readonly LabelledPlan[],
): PreviewStages {
  const joined = joinedPlans(estimates, plans);
  const inOrder = joinInOrder(joined, estimates, plans);
  const alone = plans.filter((plan) => ![...joined.values()].includes(plan));
  const mask = (text: string) => plans.reduce((masked, { snapshot }) => snapshot.mask(masked), text);
  const names = uniqueNames([
    ...estimates.map(({ stage }) => mask(stage.label)),
    ...alone.map(({ label }) => label),
  ]);
  const priced = estimates.map((estimate) => {
    const plan = joined.get(estimate);
    const changes = plan === undefined ? changesWithout(estimate, plans) : changesOf(plan.snapshot);
    const stage = plan === undefined ? estimate.stage : checkAgainstPlan(estimate.stage, plan.snapshot);
    return { ...about(estimate.file, plan?.snapshot), ...costsOf(maskStage(stage, mask)), ...changes };
  });
  const unpriced = alone.map((plan) => {
    return { ...about(plan.file, plan.snapshot), ...costsWithout(estimates), ...changesOf(plan.snapshot) };
  });
  return {
    stages: [...priced, ...unpriced].map((stage, at) => inWorkspace(stage, names[at] ?? `stage ${at + 1}`)),
    notes: [
      ...inOrder.map(
        ([estimate, plan]) => `${plan.file}: taken as the plan of ${estimate.file}, by the order given`,
      ),
      ...(estimates.length === 0 ? [] : alone.map(({ file }) => `${file}: ${NO_PROJECT}`)),
    ],
  };
}

const NO_PROJECT =
  "no project of the estimates is known to be this plan's, so it is a stage of its own, without a cost";

/** Changes the execution id when it equals the workspace: equal values mean that the workspace is unknown. */
export const inWorkspace = <Stage extends { readonly executionId: string }>(
  stage: Stage,
  workspace: string,
) =>
  stage.executionId === workspace
    ? { ...stage, executionId: `./${stage.executionId}`, workspace }
    : { ...stage, workspace };

type About = Omit<StageFacts, "workspace" | "cost" | "modules" | "counts" | "rows">;

/** Returns the facts of a stage that local files state; the file's name replaces the execution id. */
export function about(file: string, plan: PlanSnapshot | undefined): About {
  return {
    org: "local",
    project: "files",
    executionId: file,
    stageExecutionId: file,
    source: "file",
    proven: true,
    status: plan?.errored === true ? "failed" : "succeeded",
    createdMs: null,
    superseded: [],
  };
}

export function costsOf(stage: EstimateStage): Pick<StageFacts, "cost" | "modules"> {
  const ids = { stage_execution_id: "", stage_id: "", workspace_id: "" };
  const read = (cost: EstimateStage["cost"]) => CostChange.parse({ ...cost, ...ids });
  const cost = costFact({ ok: true, value: read(stage.cost), headers: {} });
  if (stage.modules === null) return { cost, modules: { state: "unknown", reason: "not_stated" } };
  const modules = Object.fromEntries(
    Object.entries(stage.modules).map(([module, own]) => [module, read(own)]),
  );
  return { cost, modules: modulesFact({ ok: true, value: { ...ids, modules }, headers: {} }) };
}

export function changesOf({ errored, rows, counts }: PlanSnapshot): ChangeFacts {
  if (errored) return { counts: failed, rows: failed };
  const drift = rows.drift_changes.map(sourceRow);
  return changesFromRows({
    counts,
    planned: { rows: rows.planned_changes.map(sourceRow), replacementsKnown: true },
    drift: { rows: drift, total: drift.length },
  });
}

const sourceRow = ({
  address,
  previousAddress,
  change,
  module,
  name,
  type,
  element,
}: PlanRow): SourceRow => ({
  change,
  module,
  name,
  type,
  resource_address: address,
  ...(previousAddress === undefined ? {} : { previous_address: previousAddress }),
  ...(element.length === 0 ? {} : { changes: changesIn(element) }),
});

// The plan reader wrote the element as a page element.
const changesIn = (element: Uint8Array): z.output<typeof ChangedResource>["changes"] =>
  ChangedResource.parse(JSON.parse(new TextDecoder().decode(element))).changes;

const failed = { state: "unknown", reason: "execution_failed" } as const;
const NO_COUNTS = { added: 0, changed: 0, deleted: 0, imported: 0, removed: 0, unchanged: 0, drifted: 0 };

/**
 * Returns the change facts of a stage without a plan: unknown for a project; none for the part of the totals
 * that no project lists, if there are plans.
 */
function changesWithout({ stage }: LabelledEstimate, plans: readonly LabelledPlan[]): ChangeFacts {
  if (stage.isProject || plans.length === 0) {
    const fact = { state: "unknown", reason: "no_plan" } as const;
    return { counts: fact, rows: fact };
  }
  const planned = { rows: [], replacementsKnown: true };
  return changesFromRows({ counts: NO_COUNTS, planned, drift: { rows: [], total: 0 } });
}

function costsWithout(estimates: readonly LabelledEstimate[]): Pick<StageFacts, "cost" | "modules"> {
  const [first] = estimates;
  const fact = { state: "unknown", reason: "not_estimated" } as const;
  return first === undefined ? { cost: fact, modules: fact } : costsOf(nothingOf(first.stage));
}

/** Returns a stage with zero cost, in the currency of another stage. */
function nothingOf(stage: EstimateStage): EstimateStage {
  const zero = "0.00";
  const totals = { past_total_monthly_cost: zero, total_monthly_cost: zero, diff_total_monthly_cost: zero };
  const { currency } = stage.cost;
  const estimate = {
    completeness: "complete" as const,
    problems: [],
    unpriced: {},
    usage: { resources: [], unnamed: 0, unnamed_unchanged: 0 },
    parts: "changed" as const,
  };
  const cost = { currency, ...totals, percentage_change_total_monthly_cost: 0, diff: {}, estimate };
  return { ...stage, cost, modules: {} };
}

function uniqueNames(names: readonly string[]): readonly string[] {
  return names.map((name, at) => {
    const before = names.slice(0, at).filter((other) => other === name).length;
    return before === 0 ? name : `${name} #${before + 1}`;
  });
}
