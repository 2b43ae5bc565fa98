import type { Kysely, Selectable } from "kysely";
import { transact } from "../../../store/database/transaction.ts";
import { type ProjectKey, toProjectKey } from "../../../store/tables/project-key.ts";
import type { AutomationKey, SettingsTables } from "./tables.ts";

export type SettingsJobRow = Selectable<SettingsTables["platform_settings_jobs"]>;

const pickAutomationKey = (key: AutomationKey): AutomationKey => ({
  ...toProjectKey(key),
  kind: key.kind,
  provisioner: key.provisioner,
});

/** Returns the last accepted configuration (JSON text); null: never set, or disabled. */
export async function findAutomation(db: Kysely<SettingsTables>, key: AutomationKey): Promise<string | null> {
  const row = await db
    .selectFrom("platform_automations")
    .select("config")
    .where((eb) => eb.and(pickAutomationKey(key)))
    .executeTakeFirst();
  return row?.config ?? null;
}

/**
 * Stores a configuration (null: disabled) together with the job that applies it; returns the job's number.
 */
export function acceptAutomation(
  db: Kysely<SettingsTables>,
  key: AutomationKey,
  { config, requested_ms }: { readonly config: string | null; readonly requested_ms: number },
): Promise<number> {
  return transact(db, async (trx) => {
    const { job_id } = await trx
      .insertInto("platform_settings_jobs")
      .values({
        ...pickAutomationKey(key),
        requested_ms,
        state: "queued",
        workspaces: null,
        finished_ms: null,
      })
      .returning("job_id")
      .executeTakeFirstOrThrow();
    await trx
      .insertInto("platform_automations")
      .values({ ...pickAutomationKey(key), config, job_id })
      .onConflict((conflict) =>
        conflict
          .columns(["account", "org", "project", "kind", "provisioner"])
          .doUpdateSet({ config, job_id }),
      )
      .execute();
    return job_id;
  });
}

/** Returns the configurations of a project, which do not change until the transaction ends. */
export const lockAutomations = (
  trx: Kysely<SettingsTables>,
  project: ProjectKey,
): Promise<Selectable<SettingsTables["platform_automations"]>[]> =>
  trx
    .selectFrom("platform_automations")
    .selectAll()
    .where((eb) => eb.and(toProjectKey(project)))
    .forShare()
    .execute();

/** A pending job with its current configuration, both locked until the transaction ends. */
export interface QueuedJob {
  readonly job: SettingsJobRow;
  readonly automation: Selectable<SettingsTables["platform_automations"]>;
}

/** Null: there is no such job, or it was performed. */
export async function lockQueuedJob(
  trx: Kysely<SettingsTables>,
  { account, jobId }: { readonly account: string; readonly jobId: number },
): Promise<QueuedJob | null> {
  const job = await trx
    .selectFrom("platform_settings_jobs")
    .selectAll()
    .where("account", "=", account)
    .where("job_id", "=", jobId)
    .where("state", "=", "queued")
    .forUpdate()
    .executeTakeFirst();
  if (job === undefined) return null;
  const automation = await trx
    .selectFrom("platform_automations")
    .selectAll()
    .where((eb) => eb.and(pickAutomationKey(job)))
    .forUpdate()
    .executeTakeFirstOrThrow();
  return { job, automation };
}

/** Records the result of a job. */
export async function endJob(
  trx: Kysely<SettingsTables>,
  { account, job_id }: Pick<SettingsJobRow, "account" | "job_id">,
  outcome: Pick<SettingsJobRow, "state" | "workspaces" | "finished_ms">,
): Promise<void> {
  await trx
    .updateTable("platform_settings_jobs")
    .set(outcome)
    .where("account", "=", account)
    .where("job_id", "=", job_id)
    .execute();
}

/** Returns the pending jobs of every account, oldest first. */
export function listQueuedJobs(
  db: Kysely<SettingsTables>,
): Promise<Pick<SettingsJobRow, "account" | "job_id">[]> {
  return db
    .selectFrom("platform_settings_jobs")
    .select(["account", "job_id"])
    .where("state", "=", "queued")
    .orderBy("job_id")
    .execute();
}
