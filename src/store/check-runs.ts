import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables/tables.ts";

export interface CheckSlot {
  readonly repositoryId: number;
  readonly headSha: string;
  readonly checkName: string;
}

export interface StoredCheckRun {
  /** Null: not created yet. */
  readonly checkRunId: number | null;
  readonly digest: string;
  readonly completed: boolean;
}

/**
 * Increments and returns the slot's version before the check is written. The writer compares the version
 * again afterwards: a higher version means that another pull request with this head has changed the slot.
 */
export async function touchSlot(db: Kysely<Tables>, slot: CheckSlot, now: Date): Promise<number> {
  const { version } = await db
    .insertInto("check_runs")
    .values({
      repository_id: slot.repositoryId,
      head_sha: slot.headSha,
      name: slot.checkName,
      check_run_id: null,
      digest: "",
      completed: false,
      version: 1,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["repository_id", "head_sha", "name"])
        .doUpdateSet({ version: sql`check_runs.version + 1` }),
    )
    .returning("version")
    .executeTakeFirstOrThrow();
  return version;
}

export async function findCheckRun(
  db: Kysely<Tables>,
  slot: CheckSlot,
): Promise<(StoredCheckRun & { version: number }) | null> {
  const row = await db
    .selectFrom("check_runs")
    .select(["check_run_id", "digest", "completed", "version"])
    .where("repository_id", "=", slot.repositoryId)
    .where("head_sha", "=", slot.headSha)
    .where("name", "=", slot.checkName)
    .executeTakeFirst();
  if (!row) return null;
  return { checkRunId: row.check_run_id, digest: row.digest, completed: row.completed, version: row.version };
}

/**
 * Saves the check run that GitHub shows. GitHub shows the newer of two check runs with one name, so an older
 * one never replaces a newer one.
 */
export async function saveCheckRun(
  db: Kysely<Tables>,
  slot: CheckSlot & StoredCheckRun,
  now: Date,
): Promise<void> {
  await db
    .updateTable("check_runs")
    .set({ check_run_id: slot.checkRunId, digest: slot.digest, completed: slot.completed, updated_at: now })
    .where("repository_id", "=", slot.repositoryId)
    .where("head_sha", "=", slot.headSha)
    .where("name", "=", slot.checkName)
    .where((where) =>
      where.or([where("check_run_id", "is", null), where("check_run_id", "<=", slot.checkRunId)]),
    )
    .execute();
}

/** Makes the next evaluation write the check again even without a change: somebody requested a re-check. */
export async function forgetCheckDigests(
  db: Kysely<Tables>,
  repositoryId: number,
  headSha: string,
): Promise<void> {
  await db
    .updateTable("check_runs")
    .set({ digest: "" })
    .where("repository_id", "=", repositoryId)
    .where("head_sha", "=", headSha)
    .execute();
}
