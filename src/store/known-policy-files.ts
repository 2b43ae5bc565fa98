import { sql } from "kysely";
import type { Db } from "./tables/tables.ts";

/** A policy file of a repository. */
export interface KnownPolicyFile {
  readonly repositoryId: number;
  /** Null: the file of the organisation, which is one for all base branches. */
  readonly baseRef: string | null;
}

/** Saves that a policy file exists: when it is missing later, it counts as unreadable and not as absent. */
export async function rememberPolicy(db: Db, { repositoryId, baseRef }: KnownPolicyFile): Promise<void> {
  await db
    .insertInto("policy_seen")
    .values({ repository_id: repositoryId, base_ref: baseRef })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function hasSeenPolicy(db: Db, file: KnownPolicyFile): Promise<boolean> {
  const row = await db
    .selectFrom("policy_seen")
    .select(sql`1`.as("one"))
    .where(isFile(file))
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes a stored policy file, so that a team can remove its policy with a push. */
export async function forgetPolicy(db: Db, file: KnownPolicyFile): Promise<void> {
  await db.deleteFrom("policy_seen").where(isFile(file)).execute();
}

const isFile = ({ repositoryId, baseRef }: KnownPolicyFile) =>
  sql<boolean>`repository_id = ${repositoryId} and ${baseRef === null ? sql`base_ref is null` : sql`base_ref = ${baseRef}`}`;
