import type { Kysely } from "kysely";
import { findRepositoryByName } from "../../store/repositories.ts";
import type { Tables } from "../../store/tables/tables.ts";

/** Returns GitHub's id of `owner/name`. Stored data outlives its repository, so a number is returned unchecked. */
export async function resolveRepositoryId(
  db: Kysely<Tables>,
  repository: string,
): Promise<number | undefined> {
  if (/^[1-9]\d{0,15}$/.test(repository)) return Number(repository);
  return (await findRepositoryByName(db, repository))?.repository_id;
}
