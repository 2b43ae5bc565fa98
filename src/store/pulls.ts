import type { Kysely, Selectable } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import type { pullLabels, Tables } from "./tables/tables.ts";

export type PullRow = Selectable<Tables["pulls"]>;

export interface PullUpdate {
  readonly repositoryId: number;
  readonly number: number;
  readonly headSha: string;
  readonly mergeSha: string | null;
  readonly baseRef: string;
  readonly state: "open" | "closed";
  /** True: restart the deadlines of the head, because the pull request was closed or a draft before. */
  readonly isReset?: boolean;
  /** Absent: they were not read, and stay. */
  readonly labels?: Selectable<typeof pullLabels>;
  /** The pull request as it is stored, undefined: not yet. Absent: it has to be read. */
  readonly known?: PullRow | undefined;
}

/**
 * Saves a pull request as read from GitHub and clears the announced head. Returns when the deadlines of its
 * head started, in ms since 1970.
 */
export async function savePull(db: Kysely<Tables>, update: PullUpdate, now: Date): Promise<number> {
  const known = "known" in update ? update.known : await findPull(db, update);
  const isReset = known?.head_sha !== update.headSha || update.isReset === true;
  const headSeenAt = isReset ? now : known.head_seen_at;
  const row = {
    repository_id: update.repositoryId,
    number: update.number,
    head_sha: update.headSha,
    merge_sha: update.mergeSha ?? (known?.head_sha === update.headSha ? known.merge_sha : null),
    base_ref: update.baseRef,
    announced_sha: null,
    state: update.state,
    head_seen_at: headSeenAt,
    updated_at: now,
    ...update.labels,
  };
  await db
    .insertInto("pulls")
    .values(row)
    .onConflict((conflict) => conflict.columns(["repository_id", "number"]).doUpdateSet(row))
    .execute();
  return headSeenAt.getTime();
}

/** Saves the head that a delivery named, so that a read that returns an older head is repeated. */
export async function announceHead(db: Kysely<Tables>, key: PullKey, headSha: string): Promise<void> {
  await db
    .updateTable("pulls")
    .set({ announced_sha: headSha })
    .where("repository_id", "=", key.repositoryId)
    .where("number", "=", key.number)
    .execute();
}

export async function findPull(db: Kysely<Tables>, key: PullKey): Promise<PullRow | undefined> {
  return db
    .selectFrom("pulls")
    .selectAll()
    .where("repository_id", "=", key.repositoryId)
    .where("number", "=", key.number)
    .executeTakeFirst();
}

/** Returns open pull requests whose head or test merge is this commit. */
export async function listOpenCommitPulls(
  db: Kysely<Tables>,
  repositoryId: number,
  sha: string,
): Promise<readonly PullRow[]> {
  return selectOpenPulls(db, repositoryId)
    .where((where) => where.or([where("head_sha", "=", sha), where("merge_sha", "=", sha)]))
    .execute();
}

export async function listOpenBasePulls(
  db: Kysely<Tables>,
  repositoryId: number,
  baseRef: string,
): Promise<readonly PullRow[]> {
  return selectOpenPulls(db, repositoryId).where("base_ref", "=", baseRef).execute();
}

export async function listOpenRepositoryPulls(
  db: Kysely<Tables>,
  repositoryId: number,
): Promise<readonly PullRow[]> {
  return selectOpenPulls(db, repositoryId).execute();
}

const selectOpenPulls = (db: Kysely<Tables>, repositoryId: number) =>
  db.selectFrom("pulls").selectAll().where("repository_id", "=", repositoryId).where("state", "=", "open");
