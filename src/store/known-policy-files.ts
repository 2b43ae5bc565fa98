import { deleteRows, findRow, insertNew } from "./database/statements.ts";
import type { Db } from "./tables/tables.ts";

export interface KnownPolicyFile {
  readonly repositoryId: number;
  /** Null: the file of the organisation, which is one for all base branches. */
  readonly baseRef: string | null;
}

/** Saves that a policy file exists: when it is missing later, it counts as unreadable and not as absent. */
export async function rememberPolicy(db: Db, file: KnownPolicyFile): Promise<void> {
  await insertNew(db, "policy_seen", toColumns(file));
}

export const hasSeenPolicy = async (db: Db, file: KnownPolicyFile): Promise<boolean> =>
  (await findRow(db, "policy_seen", toColumns(file))) !== undefined;

/** Removes a stored policy file, so that a team can remove its policy with a push. */
export async function forgetPolicy(db: Db, file: KnownPolicyFile): Promise<void> {
  await deleteRows(db, "policy_seen", toColumns(file));
}

const toColumns = ({ repositoryId, baseRef }: KnownPolicyFile) => ({
  repository_id: repositoryId,
  base_ref: baseRef,
});
