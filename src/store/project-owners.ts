import type { Kysely } from "kysely";
import type { ProjectKey } from "./tables/project-key.ts";
import { toProjectKey } from "./tables/project-key.ts";
import type { Tables } from "./tables/tables.ts";

/** Assigns a project to a repository unless it has an owner. Returns GitHub's id of the owning repository. */
export async function claimProject(
  db: Kysely<Tables>,
  project: ProjectKey,
  { repositoryId, nowMs }: { readonly repositoryId: number; readonly nowMs: number },
): Promise<number> {
  const owner = await findProjectOwner(db, project);
  if (owner !== null) return owner;
  await db
    .insertInto("platform_project_owners")
    .values({ ...toProjectKey(project), repository_id: repositoryId, created_ms: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findProjectOwner(db, project)) ?? repositoryId;
}

/** Returns GitHub's id of the repository that owns a project; null: it has no owner. */
export async function findProjectOwner(db: Kysely<Tables>, project: ProjectKey): Promise<number | null> {
  const row = await db
    .selectFrom("platform_project_owners")
    .select("repository_id")
    .where((eb) => eb.and(toProjectKey(project)))
    .executeTakeFirst();
  return row?.repository_id ?? null;
}
