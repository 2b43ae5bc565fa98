import type { Kysely } from "kysely";
import { storableJson } from "../kernel/storable.ts";
import type { Tables } from "./tables/tables.ts";

/** One execution of one platform account. */
export interface ExecutionKey {
  readonly account: string;
  readonly org: string;
  readonly project: string;
  readonly pipeline_execution_id: string;
}

/** What was read of an execution that ended, once and for good; `stages` names the stages it had, so that an added stage is read anew. */
export async function saveFinalFacts(
  db: Kysely<Tables>,
  kept: ExecutionKey & { readonly stages: string; readonly facts: unknown },
  now: Date,
): Promise<void> {
  await db
    .insertInto("facts")
    .values({ ...kept, facts: storableJson(kept.facts), created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findFinalFacts(
  db: Kysely<Tables>,
  key: ExecutionKey,
  stages: string,
): Promise<unknown> {
  const row = await db
    .selectFrom("facts")
    .select("facts")
    .where("account", "=", key.account)
    .where("org", "=", key.org)
    .where("project", "=", key.project)
    .where("pipeline_execution_id", "=", key.pipeline_execution_id)
    .where("stages", "=", stages)
    .executeTakeFirst();
  return row?.facts;
}
