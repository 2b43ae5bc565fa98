import type { Kysely, Selectable } from "kysely";
import { transact } from "../../../store/database/one-connection.ts";
import { toProjectKey } from "../../../store/tables/project-key.ts";
import type { AutomationKey, AutomationsTable, SettingsJobsTable, SettingsTables } from "./tables.ts";

export type SettingsJobRow = Selectable<SettingsJobsTable>;

const pickAutomationKey = (key: AutomationKey): AutomationKey => ({
  ...toProjectKey(key),
  kind: key.kind,
  provisioner: key.provisioner,
});

/** The configuration as last accepted (JSON text); null: never set, or disabled. */
export async function findAutomation(db: Kysely<SettingsTables>, key: AutomationKey): Promise<string | null> {
  const row = await db
    .selectFrom("platform_automations")
    .select("config")
    .where((eb) => eb.and(pickAutomationKey(key)))
    .executeTakeFirst();
  return row?.config ?? null;
}

/** Keeps a configuration (null: disabled) together with the job that is to carry it out; the job's number. */
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

/** A job that has not run yet with the configuration that counts now, both locked until the transaction ends. */
export interface QueuedJob {
  readonly job: SettingsJobRow;
  readonly automation: Selectable<AutomationsTable>;
}

/** Null: there is no such job, or it has run. */
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

/** Records what came of a job. */
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

/** Jobs that were accepted and have not run, oldest first: of every account. */
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
