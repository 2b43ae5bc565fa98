import type { PlatformClient } from "../../../platform/client.ts";
import { getChangeRow } from "../../../platform/contract/resource-changes.ts";
import type { ChangeKind, ChangeRow, StageFacts } from "../../../report/facts.ts";
import { unknownReason } from "../platform-facts.ts";
import type { StageRef } from "../read-rows.ts";

/** So many rows of one pull request are asked for their attributes, one call each. */
const MAX_ASKED = 20;
/** Rows whose attributes tell something; of a created or a deleted resource all of them change. */
const WORTH: readonly ChangeKind[] = ["replaced", "drifted", "changed"];

/** What the platform says about the attributes of one row. */
type Told = Pick<ChangeRow, "changedAttributes" | "attributesBecause">;

/** Stages whose weightiest rows name the attributes that change: names only, values stay where they are. */
export async function withAttributes(
  platform: PlatformClient,
  stages: readonly StageFacts[],
): Promise<readonly StageFacts[]> {
  const asked = new Set(worthAsking(stages));
  return Promise.all(
    stages.map(async (stage): Promise<StageFacts> => {
      if (stage.rows.state !== "known") return stage;
      const { value } = stage.rows;
      const rows = await Promise.all(
        value.rows.map(async (row) =>
          asked.has(row) ? { ...row, ...(await readAttributes(platform, stage, row)) } : row,
        ),
      );
      return { ...stage, rows: { state: "known", value: { ...value, rows } } };
    }),
  );
}

/** Replaced and drifted ones first, then changed ones that cost something, then the others. */
function worthAsking(stages: readonly StageFacts[]): readonly ChangeRow[] {
  const rows = stages.flatMap((stage) => {
    if (stage.rows.state !== "known" || !stage.proven) return [];
    const priced = new Set(
      stage.cost.state === "known"
        ? stage.cost.value.groups.flatMap(({ resources }) => resources.map(({ address }) => address))
        : [],
    );
    return stage.rows.value.rows
      .filter(({ change, ordinal, changedAttributes: names }) => {
        return WORTH.includes(change) && ordinal !== undefined && names === undefined;
      })
      .map((row) => ({ row, weight: weightOf(row, priced) }));
  });
  return rows
    .sort((a, b) => a.weight - b.weight)
    .slice(0, MAX_ASKED)
    .map(({ row }) => row);
}

const weightOf = ({ change, address }: ChangeRow, priced: ReadonlySet<string>): number =>
  WORTH.indexOf(change) * 2 + (priced.has(address) ? 0 : 1);

async function readAttributes(
  platform: PlatformClient,
  stage: StageFacts,
  { change, ordinal = 0 }: ChangeRow,
): Promise<Told> {
  const category = change === "drifted" ? "drift_changes" : "planned_changes";
  const answer = await platform.call(getChangeRow, { params: { ...refOf(stage), category, ordinal } });
  if (answer.ok) return { changedAttributes: Object.keys(answer.value.changes) };
  // The row was listed, so it is its attribute data that is gone, for good.
  const gone = answer.failure.kind === "not_found";
  return { attributesBecause: gone ? "past_retention" : unknownReason(answer.failure) };
}

const refOf = (stage: StageFacts): StageRef => ({
  org: stage.org,
  project: stage.project,
  pipeline_execution_id: stage.executionId,
  pipeline_stage_id: stage.stageExecutionId,
});
