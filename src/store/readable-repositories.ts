import type { Kysely } from "kysely";
import type { Tables } from "./tables/tables.ts";

/** Returns the ids of known repositories: one, those of an owner, or all. Ids are GitHub's; null: not restricted by it. */
export async function listReadableBy(
  db: Kysely<Tables>,
  { repositoryId, ownerId }: { readonly repositoryId: number | null; readonly ownerId: number | null },
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom("repositories")
    .select("repository_id")
    .$if(repositoryId !== null, (query) => query.where("repository_id", "=", repositoryId))
    .$if(ownerId !== null, (query) => query.where("owner_id", "=", ownerId))
    .execute();
  return new Set(rows.map(({ repository_id }) => repository_id));
}
