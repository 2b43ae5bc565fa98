import { deleteRows, findRow, upsert } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import { type ProjectKey, toProjectKey } from "../../store/tables/project-key.ts";
import type { Db } from "../tables/tables.ts";

/** Whether pushing plan and state data of a project is disabled; false by default. */
export async function isPushDisabled(db: Db, project: ProjectKey): Promise<boolean> {
  return (await findRow(db, "platform_settings", toProjectKey(project)))?.disabled ?? false;
}

/** Sets the projects of the account for which pushing is disabled (`settings/disabled`); all other projects may push. */
export async function setPushDisabled(
  db: Db,
  account: string,
  projects: readonly Omit<ProjectKey, "account">[],
): Promise<void> {
  await transact(db, async (trx) => {
    await deleteRows(trx, "platform_settings", { account });
    // Several processes may start with the same file at once.
    for (const { org, project } of projects)
      await upsert(trx, "platform_settings", { account, org, project, disabled: true });
  });
}
