import type { Selectable } from "kysely";
import { deleteRows, findRow, has, insertNew } from "./database/statements.ts";
import type { ProjectKey } from "./tables/project-key.ts";
import { toProjectKey } from "./tables/project-key.ts";
import type { Db, Tables } from "./tables/tables.ts";

/** Assigns a project to a repository unless it has an owner. Returns GitHub's id of the owning repository. */
export async function claimProject(db: Db, project: ProjectKey, repositoryId: number): Promise<number> {
  const owner = await findProjectOwner(db, project);
  if (owner !== null) return owner;
  await insertNew(db, "platform_project_owners", { ...toProjectKey(project), repository_id: repositoryId });
  return (await findProjectOwner(db, project)) ?? repositoryId;
}

/** Returns GitHub's id of the repository that owns a project; null: it has no owner. */
export async function findProjectOwner(db: Db, project: ProjectKey): Promise<number | null> {
  const row = await findRow(db, "platform_project_owners", toProjectKey(project));
  return row?.repository_id ?? null;
}

/** Takes a project from the repository that owns it. False: none does. */
export const releaseProject = async (db: Db, project: ProjectKey): Promise<boolean> =>
  (await deleteRows(db, "platform_project_owners", toProjectKey(project))) > 0;

export type Binding = Selectable<Tables["bindings"]>;
type BoundExecution = Omit<Binding, "source" | "poster_id" | "created_at">;

/**
 * Saves that an execution belongs to a head. Only the operator removes a binding; one by a notification or by the platform's own record takes the
 * place of one by a status or check, and a later status or check that of another poster's.
 */
export async function addBinding(
  db: Db,
  binding: Omit<Binding, "created_at" | "poster_id"> & Partial<Pick<Binding, "poster_id">>,
  now: Date,
): Promise<void> {
  await db
    .insertInto("bindings")
    .values({ poster_id: null, ...binding, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(["repository_id", "head_sha", "org", "project", "pipeline_execution_id"])
        .doUpdateSet({ source: binding.source, poster_id: binding.poster_id ?? null })
        .where("bindings.source", "in", ["status", "check"])
        .where("bindings.poster_id", "is distinct from", ({ ref }) => ref("excluded.poster_id")),
    )
    .execute();
}

/** Removes the bindings of an execution to these heads, or to all of the repository. Returns the heads that had one. */
export async function removeBindings(
  db: Db,
  { repository_id, org, project, pipeline_execution_id }: Omit<BoundExecution, "head_sha">,
  heads: readonly string[] | "all",
): Promise<readonly string[]> {
  const removed = await db
    .deleteFrom("bindings")
    .where(has({ repository_id, org, project, pipeline_execution_id }))
    .$if(heads !== "all", (query) => query.where("head_sha", "in", heads as readonly string[]))
    .returning("head_sha")
    .execute();
  return removed.map(({ head_sha }) => head_sha);
}

export async function listHeadBindings(
  db: Db,
  repositoryId: number,
  headSha: string,
): Promise<readonly Binding[]> {
  return db
    .selectFrom("bindings")
    .selectAll()
    .where(has({ repository_id: repositoryId, head_sha: headSha }))
    .orderBy("created_at")
    .execute();
}

/** Returns the heads that an execution is bound to, the first one first, each with its repository. */
export const listBoundCommits = (
  db: Db,
  { org, project, pipeline_execution_id }: Omit<BoundExecution, "repository_id" | "head_sha">,
) =>
  db
    .selectFrom("bindings as own")
    .innerJoin("repositories", "repositories.repository_id", "own.repository_id")
    .selectAll("repositories")
    .select("own.head_sha as sha")
    .where("own.pipeline_execution_id", "=", pipeline_execution_id)
    .where("own.org", "=", org)
    .where("own.project", "=", project)
    .orderBy("own.created_at")
    .execute();
