import type { Selectable } from "kysely";
import { bigint, text } from "../../store/tables/define-table.ts";
import { projectColumns, toProjectKey } from "../../store/tables/project-key.ts";

const executionColumns = { ...projectColumns, pipeline_execution_id: text() };
export const stageColumns = { ...executionColumns, pipeline_stage_id: text() };
export const snapshotColumns = { account: text(), snapshot_id: bigint() };

export type ExecutionKey = Readonly<Selectable<typeof executionColumns>>;

export type StageKey = Readonly<Selectable<typeof stageColumns>>;

export const STAGE_KEY = ["account", "org", "project", "pipeline_execution_id", "pipeline_stage_id"] as const;

export type SnapshotKey = Readonly<Selectable<typeof snapshotColumns>>;

/** As `toProjectKey`. */
export const pickExecutionKey = (key: ExecutionKey): ExecutionKey => ({
  ...toProjectKey(key),
  pipeline_execution_id: key.pipeline_execution_id,
});

/** As `toProjectKey`. */
export const pickStageKey = (key: StageKey): StageKey => ({
  ...pickExecutionKey(key),
  pipeline_stage_id: key.pipeline_stage_id,
});

/** As `toProjectKey`. */
export const pickSnapshotKey = ({ account, snapshot_id }: SnapshotKey): SnapshotKey => ({
  account,
  snapshot_id,
});
