import type { PlatformClient } from "../../../platform/client.ts";
import { getChangeRow } from "../../../platform/contract/resource-changes.ts";
import type { ResourceChange, RowAttributes, StageFacts } from "../../../report/model/facts.ts";
import { toUnknownReason } from "../platform/platform-facts.ts";
import type { StageRef } from "../platform/read-rows.ts";
import { ATTRIBUTE_CHANGE_KINDS, buildAttributeChanges } from "./attribute-values.ts";

/** Most rows of one pull request whose attributes are read, one call each. */
const MAX_ASKED = 20;

/** Adds attribute changes to the most important rows of the stages. */
export async function withAttributes(
  platform: PlatformClient,
  stages: readonly StageFacts[],
): Promise<readonly StageFacts[]> {
  const attributesByRow = new Map<ResourceChange, RowAttributes>();
  await Promise.all(
    selectRowsToRead(stages).map(async ({ stage, row }) => {
      attributesByRow.set(row, await readAttributes(platform, stage, row));
    }),
  );
  return stages.map((stage) => withRowAttributes(stage, (row) => attributesByRow.get(row) ?? null));
}

/** Adds attribute changes to the rows of a stage; null: a row has none. */
export function withRowAttributes(
  stage: StageFacts,
  tell: (row: ResourceChange) => RowAttributes | null,
): StageFacts {
  if (stage.rows.state !== "known") return stage;
  const { value } = stage.rows;
  const rows = value.rows.map((row) => ({ ...row, ...tell(row) }));
  return { ...stage, rows: { state: "known", value: { ...value, rows } } };
}

const getCategory = ({ change }: ResourceChange) =>
  change === "drifted" ? "drift_changes" : "planned_changes";

/** Returns the key of a row in the platform's listing. */
export const buildRowKey = (row: ResourceChange): string => `${getCategory(row)}/${row.ordinal ?? ""}`;

interface StageRow {
  readonly stage: StageFacts;
  readonly row: ResourceChange;
}

/**
 * Returns the rows to read: replaced and drifted ones first, then changed ones with a cost, then the others.
 * Rows with known attributes are left out.
 */
function selectRowsToRead(stages: readonly StageFacts[]): readonly StageRow[] {
  return stages
    .flatMap(weighRows)
    .sort((a, b) => a.weight - b.weight)
    .slice(0, MAX_ASKED)
    .filter(({ row }) => row.changedAttributes === undefined && row.attributesBecause === undefined);
}

function weighRows(stage: StageFacts): readonly (StageRow & { readonly weight: number })[] {
  const { rows, cost, proven } = stage;
  if (rows.state !== "known" || !proven) return [];
  const groups = cost.state === "known" ? cost.value.groups : [];
  const priced = new Set(groups.flatMap(({ resources }) => resources.map(({ address }) => address)));
  return rows.value.rows
    .filter(({ change, ordinal }) => ATTRIBUTE_CHANGE_KINDS.includes(change) && ordinal !== undefined)
    .map((row) => ({
      stage,
      row,
      weight: ATTRIBUTE_CHANGE_KINDS.indexOf(row.change) * 2 + (priced.has(row.address) ? 0 : 1),
    }));
}

async function readAttributes(
  platform: PlatformClient,
  stage: StageFacts,
  row: ResourceChange,
): Promise<RowAttributes> {
  const params = { ...toStageRef(stage), category: getCategory(row), ordinal: row.ordinal ?? 0 } as const;
  const answer = await platform.call(getChangeRow, { params });
  if (answer.ok) {
    const { changes, sensitive_attributes: sensitive } = answer.value;
    return {
      changedAttributes: Object.keys(changes),
      attributeChanges: buildAttributeChanges(changes, new Set(sensitive)),
    };
  }
  // The row was listed, so only its attribute data is missing, permanently.
  const gone = answer.failure.kind === "not_found";
  return { attributesBecause: gone ? "past_retention" : toUnknownReason(answer.failure) };
}

const toStageRef = (stage: StageFacts): StageRef => ({
  org: stage.org,
  project: stage.project,
  pipeline_execution_id: stage.executionId,
  pipeline_stage_id: stage.stageExecutionId,
});
