import { type Kysely, sql } from "kysely";
import type { ExecutionKey } from "./final-facts.ts";
import type { Tables } from "./tables.ts";

export interface ReadAttempts {
  readonly attempts: number;
  /** When the first of them was made, ms since 1970. */
  readonly firstMs: number;
}

/** Counts one more failed read of an ended execution's cost. */
export async function countAttempt(db: Kysely<Tables>, key: ExecutionKey, now: Date): Promise<ReadAttempts> {
  const { account, org, project, pipeline_execution_id } = key;
  const row = await db
    .insertInto("read_attempts")
    .values({ account, org, project, pipeline_execution_id, attempts: 1, first_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(["account", "org", "project", "pipeline_execution_id"])
        .doUpdateSet({ attempts: sql`read_attempts.attempts + 1` }),
    )
    .returning(["attempts", "first_at"])
    .executeTakeFirstOrThrow();
  return { attempts: row.attempts, firstMs: row.first_at.getTime() };
}

/** A re-check starts to count anew. */
export async function forgetAttempts(db: Kysely<Tables>, key: ExecutionKey): Promise<void> {
  await db
    .deleteFrom("read_attempts")
    .where("account", "=", key.account)
    .where("org", "=", key.org)
    .where("project", "=", key.project)
    .where("pipeline_execution_id", "=", key.pipeline_execution_id)
    .execute();
}
