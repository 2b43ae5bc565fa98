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
 * Says that the slot is about to show something new and returns the slot's version. Whoever writes the check afterwards
 * compares the version again: when it has grown, another pull request with this head spoke in the meantime.
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

/** Remembers what GitHub shows now. Of two runs of one name GitHub counts the newer, so an older one is not remembered over it. */
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

/** Makes the next evaluation write the check anew, also when nothing changed: somebody asked for a re-check. */
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
