import { buildOutputs, type OutputRow } from "../../evaluate/facts/attribute-values.ts";
import { buildChangesFromRows, type ChangeFacts, type SourceRow } from "../../evaluate/facts/change-facts.ts";
import { toCostFact, toModulesFact, unknown } from "../../evaluate/facts/platform-facts.ts";
import { listSeenRows, MAX_DETAILED_ROWS, type RowDetails } from "../../evaluate/facts/row-details.ts";
import type { EstimateStage } from "../../plan-files/estimate/estimate.ts";
import type { PlanRow } from "../../plan-files/plan/plan-rows.ts";
import type { PlanSnapshot } from "../../plan-files/plan/snapshot.ts";
import { CostChange } from "../../platform/contract/cost-changes.ts";
import type { StageFacts } from "../../report/model/facts.ts";
import { buildResourceAttributes, buildRowId } from "../../report/model/resource-attributes.ts";
import { type FileSelection, type ReadWorkspace, readFiles } from "../import/read-files.ts";
import type { WorkspaceInput } from "../import/workspace-files.ts";

/** The files of one workspace, and its stage. */
export interface NamedStage extends WorkspaceInput {
  /** What its stage is called; null: as the policy says. */
  readonly stage: string | null;
}

export interface PreviewFiles extends FileSelection {
  readonly named: readonly NamedStage[];
}

interface PreviewStages extends RowDetails {
  /** Notes for the reader, each with its file. */
  readonly notes: readonly string[];
}

/** Reads the files, by workspace where workspaces are named. What no file tells is unknown. */
export async function readStages(files: PreviewFiles): Promise<PreviewStages> {
  const { workspaces, notes } = await readFiles(files, (_, error) => {
    throw error;
  });
  const read = workspaces.flatMap(buildStage);
  return {
    stages: read.map(({ stage }) => stage),
    attributes: collectAttributes(read),
    notes: notes.map(({ file, note }) => `${file}: ${note}`),
  };
}

/** A stage with the plan that it was read from; null: there is none. */
interface PlannedStage {
  readonly stage: StageFacts;
  readonly plan: PlanSnapshot | null;
}

/** The attributes of all rows, as far as those of a pull request would be read. */
function collectAttributes(stages: readonly PlannedStage[]): RowDetails["attributes"] {
  const attributes = stages.flatMap(({ stage, plan }) => {
    const { drift_changes: drift = [], planned_changes: planned = [] } = plan?.rows ?? {};
    const [drifted, changed] = [drift, planned].map(
      (rows) => new Map(rows.map(({ address, element }) => [address, element])),
    );
    return listSeenRows(stage).map((row) => {
      const element = (row.change === "drifted" ? drifted : changed)?.get(row.address);
      const changes = element !== undefined && "changes" in element ? (element.changes ?? {}) : {};
      return [buildRowId(stage, row), buildResourceAttributes(changes, row)] as const;
    });
  });
  return attributes.length > MAX_DETAILED_ROWS
    ? unknown("too_large")
    : { state: "known", value: Object.fromEntries(attributes) };
}

/** Builds the facts of a stage from its files; the file's name replaces the execution id. */
function buildStage({ workspace, file, files }: ReadWorkspace): readonly PlannedStage[] {
  if (files === null) return [];
  const { plan, estimate } = files;
  const stage: StageFacts = {
    org: "local",
    project: "files",
    workspace,
    executionId: file,
    stageExecutionId: file,
    source: "file",
    proven: true,
    status: plan?.errored === true ? "failed" : "succeeded",
    createdMs: null,
    superseded: [],
    ...(estimate === null ? NOT_ESTIMATED : toCostFacts(estimate)),
    ...(plan === null ? NOT_PLANNED : collectChanges(plan)),
  };
  return [{ stage, plan }];
}

const NOT_ESTIMATED = { cost: unknown("not_estimated"), modules: unknown("not_estimated") };
const NOT_PLANNED = { counts: unknown("no_plan"), rows: unknown("no_plan") };
const FAILED = { counts: unknown("execution_failed"), rows: unknown("execution_failed") };

function toCostFacts(stage: EstimateStage): Pick<StageFacts, "cost" | "modules"> {
  const ids = { stage_execution_id: "", stage_id: "", workspace_id: "" };
  const read = (cost: EstimateStage["cost"]) => CostChange.parse({ ...cost, ...ids });
  const cost = toCostFact({ ok: true, value: read(stage.cost), headers: {} });
  if (stage.modules === null) return { cost, modules: unknown("not_stated") };
  const modules = Object.fromEntries(
    Object.entries(stage.modules).map(([module, own]) => [module, read(own)]),
  );
  return { cost, modules: toModulesFact({ ok: true, value: { ...ids, modules }, headers: {} }) };
}

function collectChanges({ errored, marker, rows, counts }: PlanSnapshot): ChangeFacts {
  const notes = marker.PlanNotes === undefined ? {} : { planNotes: marker.PlanNotes };
  if (errored) return { ...FAILED, ...notes };
  const drift = rows.drift_changes.map(toSourceRow);
  const changes = buildChangesFromRows({
    counts,
    planned: { rows: rows.planned_changes.map(toSourceRow), replacementsKnown: true },
    drift: { rows: drift, total: drift.length },
  });
  return { ...changes, ...notes, ...buildOutputs(rows.outputs.map(toOutputRow), true) };
}

const toOutputRow = ({ name, change, element }: PlanRow): OutputRow => ({
  ...{ name, change, ...("value" in element && { sensitive: element.sensitive, value: element.value }) },
});

const toSourceRow = ({
  address,
  previousAddress,
  reason,
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
  ...(reason === undefined ? {} : { action_reason: reason }),
  ...("changes" in element && { changes: element.changes }),
  ...("tags" in element && element.tags !== undefined && { tags: element.tags }),
});
