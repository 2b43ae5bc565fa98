import type { PullKey } from "../../kernel/ids.ts";
import type { Override, OverrideEnd } from "../../policy/model/approval.ts";
import { insertNew, isOf, updateRows } from "../database/statements.ts";
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
    .select(["override_id as id", "person_id", "login", "head_sha as headSha", "base_ref as baseRef"])
    .select(["policy_blobs as policyBlobs", "given_at", "reason", "node_id as nodeId"])
    .select("body_digest as bodyDigest")
    .where(isOf(pull))
    .where("ended_at", "is", null)
    .orderBy("given_at")
    .orderBy("override_id")
    .execute();
  return rows.map(({ nodeId, bodyDigest, person_id: id, login, given_at, ...override }) => ({
    override: { ...override, person: { id, login }, givenMs: given_at.getTime() },
    nodeId,
    bodyDigest,
  }));
}

export interface EndedOverride {
  readonly id: string;
  readonly why: OverrideEnd;
}

export interface OverrideChanges {
  readonly overrides: readonly StoredOverride[];
  readonly overrideEndings: readonly EndedOverride[];
}

export async function saveOverrideChanges(
  trx: Trx,
  { pull, overrides, overrideEndings }: OverrideChanges & { readonly pull: PullKey },
  now: Date,
): Promise<void> {
  for (const { id: override_id } of overrideEndings) {
    const open = { repository_id: pull.repositoryId, override_id, ended_at: null };
    await updateRows(trx, "overrides", open, { ended_at: now });
  }
  for (const stored of overrides) await insertOverride(trx, pull, stored);
}

/** A comment that gave an override never gives another. */
async function insertOverride(
  trx: Trx,
  pull: PullKey,
  { override, nodeId, bodyDigest }: StoredOverride,
): Promise<void> {
  const { id, person, headSha, baseRef, policyBlobs, givenMs, reason } = override;
  await insertNew(trx, "overrides", {
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
  });
}
