import type { ProjectKey } from "../../store/tables/project-key.ts";
import { toProjectKey } from "../../store/tables/project-key.ts";
import type { Token } from "../../store/tokens.ts";

/** Names something in the caller's account. */
export const addAccount = <const Key extends object>(
  { token }: { readonly token: Token },
  key: Key,
): Key & { readonly account: string } => ({ ...key, account: token.account });

/** The key of one execution with all its stages. */
export interface ExecutionKey extends ProjectKey {
  readonly pipeline_execution_id: string;
}

/** The key of one stage of one execution. */
export interface StageKey extends ExecutionKey {
  readonly pipeline_stage_id: string;
}

/** The key of the uploaded resource changes of one stage. */
export interface SnapshotKey {
  readonly account: string;
  readonly snapshot_id: number;
}

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
