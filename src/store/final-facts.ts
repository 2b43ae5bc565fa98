import type { Selectable } from "kysely";
import type { StageParts } from "../report/model/facts.ts";
import type { RowDetail } from "../report/model/resource-attributes.ts";
import { findRow, upsert } from "./database/statements.ts";
import {
  type StageDetails,
  storedDetails,
  storedRowDetails,
  storedStageParts,
} from "./json/stored-values.ts";
import type { ProjectKey } from "./tables/project-key.ts";
import type { Db, Tables } from "./tables/tables.ts";

/** One execution of one platform account. */
export type ExecutionKey = ProjectKey & Pick<Selectable<Tables["facts"]>, "pipeline_execution_id">;

/** An execution with the stages that it had: one that a stage was added to is read again. */
interface StagesKey {
  readonly execution: ExecutionKey;
  /** Digest. */
  readonly stages: string;
}

interface StageKey {
  readonly execution: ExecutionKey;
  readonly stageExecutionId: string;
}

/** Saves what was read of the stages of an ended execution, once and for good. */
export const saveFinalFacts = (
  db: Db,
  { execution, stages, facts }: StagesKey & { readonly facts: readonly StageParts[] },
  now: Date,
): Promise<void> => insert(db, { ...execution, stages, facts: storedStageParts.write(facts) }, now);

/** Null: nothing was saved, or it cannot be read, so it is read from the platform again. */
export async function findFinalFacts(
  db: Db,
  { execution, stages }: StagesKey,
): Promise<readonly StageParts[] | null> {
  const stored = storedStageParts.read(await find(db, execution, stages));
  return stored.state === "read" ? stored.value : null;
}

export const saveStageDetails = (
  db: Db,
  { execution, stageExecutionId, details }: StageKey & { readonly details: StageDetails },
  now: Date,
): Promise<void> => {
  const stages = detailsSlot(stageExecutionId);
  return insert(db, { ...execution, stages, facts: storedDetails.write(details) }, now);
};

/** Empty: nothing was saved, or it cannot be read. */
export async function findStageDetails(
  db: Db,
  { execution, stageExecutionId }: StageKey,
): Promise<StageDetails> {
  const stored = storedDetails.read(await find(db, execution, detailsSlot(stageExecutionId)));
  return stored.state === "read" ? stored.value : { attributes: {} };
}

type RowDetailsByPlace = Readonly<Record<string, RowDetail>>;

/** Saves what rules see of rows of a stage, in place of what was saved before. */
export const saveRowDetails = (
  db: Db,
  { execution, stageExecutionId, details }: StageKey & { readonly details: RowDetailsByPlace },
  now: Date,
): Promise<void> => {
  const stages = rowsSlot(stageExecutionId);
  return insert(db, { ...execution, stages, facts: storedRowDetails.write(details) }, now);
};

/** Empty: nothing was saved, or it cannot be read. */
export async function findRowDetails(
  db: Db,
  { execution, stageExecutionId }: StageKey,
): Promise<RowDetailsByPlace> {
  const stored = storedRowDetails.read(await find(db, execution, rowsSlot(stageExecutionId)));
  return stored.state === "read" ? stored.value : {};
}

const rowsSlot = (stageExecutionId: string): string => `rows of ${stageExecutionId}`;

/** Details are rows of the same table, beside the digests of stages. */
const detailsSlot = (stageExecutionId: string): string => `details of ${stageExecutionId}`;

/** What cannot be read is written again. */
const insert = (
  db: Db,
  row: ExecutionKey & { readonly stages: string; readonly facts: string },
  now: Date,
): Promise<void> => upsert(db, "facts", { ...row, created_at: now });

const find = async (db: Db, execution: ExecutionKey, stages: string): Promise<unknown> =>
  (await findRow(db, "facts", { ...execution, stages }))?.facts;
