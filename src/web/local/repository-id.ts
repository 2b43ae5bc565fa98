import type { Kysely } from "kysely";
import { findRepositoryByName } from "../../store/repositories.ts";
import type { Tables } from "../../store/tables/tables.ts";

/** GitHub's id of `owner/name`. What is kept outlives its repository, so a number is taken as it is. */
export async function resolveRepositoryId(
  db: Kysely<Tables>,
  repository: string,
): Promise<number | undefined> {
  if (/^[1-9]\d{0,15}$/.test(repository)) return Number(repository);
  return (await findRepositoryByName(db, repository))?.repository_id;
}
