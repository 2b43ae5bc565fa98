import type { Db } from "./tables/tables.ts";

export interface KnownPolicyFile {
  readonly repositoryId: number;
  readonly baseRef: string;
  readonly which: "repository" | "organisation";
}

/** Returns the stored base branch of a policy file. The organisation has one file for all base branches. */
const getPolicyRef = ({ which, baseRef }: Pick<KnownPolicyFile, "which" | "baseRef">): string =>
  which === "organisation" ? "" : baseRef;

/** Saves that a policy file exists: when it is missing later, it counts as unreadable and not as absent. */
export async function rememberPolicy(
  db: Db,
  file: KnownPolicyFile & { readonly blob: string },
  now: Date,
): Promise<void> {
  const row = {
    repository_id: file.repositoryId,
    base_ref: getPolicyRef(file),
    which: file.which,
    blob: file.blob,
    updated_at: now,
  };
  await db
    .insertInto("policy_seen")
    .values(row)
    .onConflict((conflict) => conflict.columns(["repository_id", "base_ref", "which"]).doUpdateSet(row))
    .execute();
}

export async function hasSeenPolicy(db: Db, file: KnownPolicyFile): Promise<boolean> {
  const row = await db
    .selectFrom("policy_seen")
    .select("blob")
    .where("repository_id", "=", file.repositoryId)
    .where("base_ref", "=", getPolicyRef(file))
    .where("which", "=", file.which)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Removes the stored policy files (of all base branches when `baseRef` is null), so that a team can remove
 * its policy with a push.
 */
export async function forgetPolicies(
  db: Db,
  file: Omit<KnownPolicyFile, "baseRef"> & { readonly baseRef: string | null },
): Promise<void> {
  await db
    .deleteFrom("policy_seen")
    .where("repository_id", "=", file.repositoryId)
    .where("which", "=", file.which)
    .$if(file.baseRef !== null, (query) => query.where("base_ref", "=", file.baseRef))
    .execute();
}
