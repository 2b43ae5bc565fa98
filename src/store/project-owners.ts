import type { Kysely } from "kysely";
import type { ProjectKey } from "./tables/project-key.ts";
import { toProjectKey } from "./tables/project-key.ts";
import type { Tables } from "./tables/tables.ts";

/** Makes a project this repository's unless it is somebody's; GitHub's id of the repository that it belongs to afterwards. */
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

/** GitHub's id of the repository that a project belongs to; null: nobody's yet. */
export async function findProjectOwner(db: Kysely<Tables>, project: ProjectKey): Promise<number | null> {
  const row = await db
    .selectFrom("platform_project_owners")
    .select("repository_id")
    .where((eb) => eb.and(toProjectKey(project)))
    .executeTakeFirst();
  return row?.repository_id ?? null;
}
