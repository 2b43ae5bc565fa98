import type { PullKey } from "../../kernel/ids.ts";
import type { Override, OverrideEnd } from "../../policy/model/approval.ts";
import { toPullColumns } from "../tables/pull-key.ts";
import type { Db, Trx } from "../tables/tables.ts";

/** An override in force, with what it was written in. */
export interface StoredOverride {
  readonly override: Override;
  readonly nodeId: string;
  /** Digest of the comment's text when the override was given. */
  readonly bodyDigest: string;
}

/** The overrides of a pull request that nothing has ended, oldest first. */
export async function listOverridesInForce(db: Db, pull: PullKey): Promise<readonly StoredOverride[]> {
  const rows = await db
    .selectFrom("overrides")
    .selectAll()
    .where((eb) => eb.and(toPullColumns(pull)))
    .where("ended_at", "is", null)
    .orderBy("given_at")
    .orderBy("override_id")
    .execute();
  return rows.map((row) => ({
    override: {
      id: row.override_id,
      person: { id: row.person_id, login: row.login },
      headSha: row.head_sha,
      baseRef: row.base_ref,
      policyBlobs: row.policy_blobs,
      givenMs: row.given_at.getTime(),
      reason: row.reason,
    },
    nodeId: row.node_id,
    bodyDigest: row.body_digest,
  }));
}

/** Whether a comment is an override in force, so that its edit or deletion matters. */
export async function isOverride(
  db: Db,
  { repositoryId, commentId }: { readonly repositoryId: number; readonly commentId: number },
): Promise<boolean> {
  const row = await db
    .selectFrom("overrides")
    .select("override_id")
    .where("repository_id", "=", repositoryId)
    .where("override_id", "=", `comment:${commentId}`)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

export interface EndedOverride {
  readonly id: string;
  readonly why: OverrideEnd;
}

/** What one evaluation decided about overrides. */
export interface OverrideChanges {
  readonly overrides: readonly StoredOverride[];
  readonly overrideEndings: readonly EndedOverride[];
}

/** Saves new and ended overrides. */
export async function saveOverrideChanges(
  trx: Trx,
  { pull, overrides, overrideEndings }: OverrideChanges & { readonly pull: PullKey },
  now: Date,
): Promise<void> {
  for (const { id } of overrideEndings) await endOverride(trx, pull, { id, now });
  for (const stored of overrides) await insertOverride(trx, pull, stored);
}

/** A comment that gave an override never gives another. */
async function insertOverride(
  trx: Trx,
  pull: PullKey,
  { override, nodeId, bodyDigest }: StoredOverride,
): Promise<void> {
  const { id, person, headSha, baseRef, policyBlobs, givenMs, reason } = override;
  await trx
    .insertInto("overrides")
    .values({
      ...toPullColumns(pull),
      override_id: id,
      node_id: nodeId,
      body_digest: bodyDigest,
      person_id: person.id,
      login: person.login,
      head_sha: headSha,
      base_ref: baseRef,
      policy_blobs: policyBlobs,
      reason,
      given_at: new Date(givenMs),
      ended_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function endOverride(
  trx: Trx,
  { repositoryId }: PullKey,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> {
  await trx
    .updateTable("overrides")
    .set({ ended_at: now })
    .where("repository_id", "=", repositoryId)
    .where("override_id", "=", id)
    .where("ended_at", "is", null)
    .execute();
}
