import { type Kysely, sql } from "kysely";
import type { ReadAttempts } from "../policy/model/read-attempts.ts";
import type { Tables } from "./tables/tables.ts";

/** The reads of an execution for one head. */
export interface ReadKey {
  readonly repositoryId: number;
  readonly headSha: string;
  readonly org: string;
  readonly project: string;
  readonly executionId: string;
}

/** Counts one more incomplete read and returns the count. */
export async function countAttempt(db: Kysely<Tables>, key: ReadKey, now: Date): Promise<ReadAttempts> {
  const row = await db
    .insertInto("read_attempts")
    .values({
      repository_id: key.repositoryId,
      head_sha: key.headSha,
      org: key.org,
      project: key.project,
      pipeline_execution_id: key.executionId,
      attempts: 1,
      first_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["repository_id", "head_sha", "org", "project", "pipeline_execution_id"])
        .doUpdateSet({ attempts: sql`read_attempts.attempts + 1` }),
    )
    .returning(["attempts", "first_at"])
    .executeTakeFirstOrThrow();
  return { attempts: row.attempts, firstMs: row.first_at.getTime() };
}

/** Resets the count after a complete read. */
export async function forgetAttempt(db: Kysely<Tables>, key: ReadKey): Promise<void> {
  await db
    .deleteFrom("read_attempts")
    .where("repository_id", "=", key.repositoryId)
    .where("head_sha", "=", key.headSha)
    .where("org", "=", key.org)
    .where("project", "=", key.project)
    .where("pipeline_execution_id", "=", key.executionId)
    .execute();
}

/** Resets all counts for a head; a re-check starts them again. */
export async function forgetAttempts(
  db: Kysely<Tables>,
  repositoryId: number,
  headSha: string,
): Promise<void> {
  await db
    .deleteFrom("read_attempts")
    .where("repository_id", "=", repositoryId)
    .where("head_sha", "=", headSha)
    .execute();
}
