import { transact } from "../../store/database/transaction.ts";
import { type ProjectKey, toProjectKey } from "../../store/tables/project-key.ts";
import type { Db } from "../tables/tables.ts";

/** Whether pushing plan and state data of a project is disabled; false by default. */
export async function isPushDisabled(db: Db, project: ProjectKey): Promise<boolean> {
  const row = await db
    .selectFrom("platform_settings")
    .select("disabled")
    .where((eb) => eb.and(toProjectKey(project)))
    .executeTakeFirst();
  return row?.disabled ?? false;
}

/** Sets the projects of the account for which pushing is disabled (`settings/disabled`); all other projects may push. */
export async function setPushDisabled(
  db: Db,
  account: string,
  projects: readonly Omit<ProjectKey, "account">[],
): Promise<void> {
  await transact(db, async (trx) => {
    await trx.deleteFrom("platform_settings").where("account", "=", account).execute();
    for (const { org, project } of projects)
      await trx
        .insertInto("platform_settings")
        .values({ account, org, project, disabled: true })
        // Several processes may start with the same file at once.
        .onConflict((conflict) =>
          conflict.columns(["account", "org", "project"]).doUpdateSet({ disabled: true }),
        )
        .execute();
  });
}
