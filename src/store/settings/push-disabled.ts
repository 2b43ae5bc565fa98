import type { Kysely } from "kysely";
import { type ProjectKey, projectKey } from "../platform-keys.ts";
import type { Tables } from "../tables.ts";

/** Whether plan and state data of a project may not be pushed; false until somebody says so. */
export async function isPushDisabled(db: Kysely<Tables>, project: ProjectKey): Promise<boolean> {
  const row = await db
    .selectFrom("platform_settings")
    .select("disabled")
    .where((eb) => eb.and(projectKey(project)))
    .executeTakeFirst();
  return row?.disabled ?? false;
}

/** The operator's side of `settings/disabled`. */
export async function setPushDisabled(
  db: Kysely<Tables>,
  project: ProjectKey,
  disabled: boolean,
): Promise<void> {
  await db
    .insertInto("platform_settings")
    .values({ ...projectKey(project), disabled })
    .onConflict((conflict) => conflict.columns(["account", "org", "project"]).doUpdateSet({ disabled }))
    .execute();
}
