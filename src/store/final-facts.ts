import type { Selectable } from "kysely";
import type { StageParts } from "../report/model/facts.ts";
import { findRow, upsert } from "./database/statements.ts";
import type { JsonColumn } from "./json/stored-json.ts";
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

/** What each stage keeps in a row of its own, beside the digests of stages. `none`: nothing was saved, or it cannot be read. */
const createSlot = <T>(name: string, format: JsonColumn<T>, none: T) => ({
  save: (
    db: Db,
    { execution, stageExecutionId, details }: StageKey & { readonly details: T },
    now: Date,
  ): Promise<void> => {
    const stages = `${name} of ${stageExecutionId}`;
    return insert(db, { ...execution, stages, facts: format.write(details) }, now);
  },
  find: async (db: Db, { execution, stageExecutionId }: StageKey): Promise<T> => {
    const stored = format.read(await find(db, execution, `${name} of ${stageExecutionId}`));
    return stored.state === "read" ? stored.value : none;
  },
});

export const { save: saveStageDetails, find: findStageDetails } = createSlot<StageDetails>(
  "details",
  storedDetails,
  { attributes: {} },
);
/** What rules see of rows of a stage, by their places. */
export const { save: saveRowDetails, find: findRowDetails } = createSlot("rows", storedRowDetails, {});

/** What cannot be read is written again. */
const insert = (
  db: Db,
  row: ExecutionKey & { readonly stages: string; readonly facts: string },
  now: Date,
): Promise<void> => upsert(db, "facts", { ...row, created_at: now });

const find = async (db: Db, execution: ExecutionKey, stages: string): Promise<unknown> =>
  (await findRow(db, "facts", { ...execution, stages }))?.facts;
