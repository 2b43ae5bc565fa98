import type { Kysely, Selectable } from "kysely";
import type { Tables } from "./tables/tables.ts";

export type Binding = Selectable<Tables["bindings"]>;

/**
 * Saves that an execution belongs to a head. A binding is never removed; one by a notification or by the platform's own record takes the
 * place of one by a status or check, and a later status or check that of another poster's.
 */
export async function addBinding(
  db: Kysely<Tables>,
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

export async function listHeadBindings(
  db: Kysely<Tables>,
  repositoryId: number,
  headSha: string,
): Promise<readonly Binding[]> {
  return db
    .selectFrom("bindings")
    .selectAll()
    .where("repository_id", "=", repositoryId)
    .where("head_sha", "=", headSha)
    .orderBy("created_at")
    .execute();
}
