import { type Kysely, type Selectable, sql } from "kysely";
import type { ProjectKey } from "../../../store/tables/project-key.ts";
import { toProjectKey } from "../../../store/tables/project-key.ts";
import type { SettingsTables } from "./tables.ts";

export type DefaultPipelineRow = Selectable<SettingsTables["platform_default_pipelines"]>;

/**
 * Returns a project's associations by provisioner, operation and workspace; of one workspace only when one is
 * named.
 */
export function listDefaultPipelines(
  db: Kysely<SettingsTables>,
  project: ProjectKey,
  workspace: string,
): Promise<DefaultPipelineRow[]> {
  return db
    .selectFrom("platform_default_pipelines")
    .selectAll()
    .where((eb) => eb.and(toProjectKey(project)))
    .$if(workspace !== "", (query) => query.where("workspace", "=", workspace))
    .orderBy("provisioner")
    .orderBy("operation")
    .orderBy(sql`workspace collate "C"`)
    .execute();
}

/** Stores an association; replaces the one with the same operation, provisioner and workspace. */
export async function putDefaultPipeline(db: Kysely<SettingsTables>, row: DefaultPipelineRow): Promise<void> {
  const { pipeline, updated_ms } = row;
  await db
    .insertInto("platform_default_pipelines")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["account", "org", "project", "provisioner", "operation", "workspace"])
        .doUpdateSet({ pipeline, updated_ms }),
    )
    .execute();
}

export async function deleteDefaultPipeline(
  db: Kysely<SettingsTables>,
  row: Omit<DefaultPipelineRow, "pipeline" | "updated_ms">,
): Promise<void> {
  const { provisioner, operation, workspace } = row;
  await db
    .deleteFrom("platform_default_pipelines")
    .where((eb) => eb.and({ ...toProjectKey(row), provisioner, operation, workspace }))
    .execute();
}
