import { type RawBuilder, sql } from "kysely";
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from "../../kernel/clock.ts";
import { DriftConfigToWrite, EphemeralConfigToWrite, type Unit } from "../../platform/contract/settings.ts";
import { deleteRows, findRow, has, updateRows } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import { type ProjectKey, toProjectKey } from "../../store/tables/project-key.ts";
import { type AutomationKey, pickAutomationKey } from "../tables/settings.ts";
import type { Db } from "../tables/tables.ts";

/**
 * Applies a configuration to every workspace of its project, to all or none. It is idempotent; a
 * configuration that was superseded by a newer one writes nothing.
 */
export function runSettingsJob(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { account, jobId: job_id }: { readonly account: string; readonly jobId: number },
): Promise<void> {
  return transact(db, async (trx) => {
    const job = await findRow(trx, "platform_settings_jobs", { account, job_id, state: "queued" }, "lock");
    if (job === undefined) return;
    const newest = await findRow(trx, "platform_automations", pickAutomationKey(job), "lock");
    const isNewest = newest?.job_id === job_id;
    const cleared = isNewest ? await clearSchedules(trx, job) : 0;
    const written =
      isNewest && newest.config !== null
        ? await writeSchedules(trx, job, newest.config, job.requested_ms)
        : null;
    await updateRows(
      trx,
      "platform_settings_jobs",
      { account, job_id },
      {
        state: isNewest ? "done" : "superseded",
        workspaces: isNewest ? (written ?? cleared) : null,
        finished_ms: clock.now(),
      },
    );
  });
}

/** Gives a workspace whose first execution was recorded what its project is configured to do; delays count from `nowMs`. */
export async function coverWorkspace(
  trx: Db,
  { workspace, ...project }: ProjectKey & { readonly workspace: string },
  nowMs: number,
): Promise<void> {
  const automations = await trx
    .selectFrom("platform_automations")
    .selectAll()
    .where(has(toProjectKey(project)))
    .forShare()
    .execute();
  for (const { config, ...automation } of automations)
    if (config !== null) await writeSchedules(trx, { ...automation, workspace }, config, nowMs);
}

/** Returns the accepted jobs of every account that were not performed, oldest first. */
export const listQueuedSettingsJobs = (db: Db) =>
  db
    .selectFrom("platform_settings_jobs")
    .select(["account", "job_id"])
    .where("state", "=", "queued")
    .orderBy("job_id")
    .execute();

/**
 * Sets the triggers or schedules of a configuration for workspaces with recorded executions that have none, or for one of them. Delays count
 * from `fromMs`. Returns the number of workspaces.
 */
async function writeSchedules(
  trx: Db,
  { account, org, project, kind, provisioner, workspace }: AutomationKey & { readonly workspace?: string },
  config: string,
  fromMs: number,
): Promise<number> {
  const values = SCHEDULES[kind](JSON.parse(config), fromMs);
  const { numAffectedRows = 0n } = await sql`
    insert into ${sql.table(TABLES[kind])}
      (account, org, project, provisioner, workspace, ${sql.join(Object.keys(values).map((name) => sql.ref(name)))})
    select distinct account, org, project, ${provisioner}::text, workspace, ${sql.join(Object.values(values))}
    from platform_executions where account = ${account} and org = ${org} and project = ${project}
      and (${workspace ?? null}::text is null or workspace = ${workspace ?? null})
    on conflict do nothing`.execute(trx);
  return Number(numAffectedRows);
}

const TABLES = { drift: "platform_drift_triggers", ephemeral: "platform_ephemeral_schedules" } as const;

/** Takes the triggers or schedules of a provisioner away; how many there were. */
const clearSchedules = (trx: Db, key: AutomationKey): Promise<number> =>
  deleteRows(trx, TABLES[key.kind], { ...toProjectKey(key), provisioner: key.provisioner });

const UNIT_MS: Readonly<Record<Unit, number>> = {
  seconds: 1_000,
  minutes: MINUTE_MS,
  hours: HOUR_MS,
  days: DAY_MS,
};

/** The columns of a workspace's trigger or schedule, of a configuration as it was sent. */
const SCHEDULES: Readonly<
  Record<
    AutomationKey["kind"],
    (config: unknown, fromMs: number) => Readonly<Record<string, RawBuilder<unknown>>>
  >
> = {
  drift: (config) => {
    const { pipeline_id, run_every, run_every_unit } = DriftConfigToWrite.parse(config);
    const every_ms = sql`${run_every * UNIT_MS[run_every_unit]}::bigint`;
    return { pipeline: sql`${pipeline_id}::text`, every_ms };
  },
  ephemeral: (config, fromMs) => {
    const parsed = EphemeralConfigToWrite.parse(config);
    const { destroyAtMs, deleteAtMs } = computeEphemeralTimes(parsed, fromMs);
    return {
      pipeline: sql`${parsed.pipeline_id}::text`,
      destroy_at_ms: sql`${destroyAtMs}::bigint`,
      delete_at_ms: sql`${deleteAtMs}::bigint`,
    };
  },
};

/**
 * Returns the times of a workspace's destruction, ms since 1970; null: never. Delays count from `fromMs`, so that a late or repeated job
 * writes the same; of a delay and a day the earlier one counts. A workspace's records are deleted only after its infrastructure.
 */
function computeEphemeralTimes(config: EphemeralConfigToWrite, fromMs: number) {
  const destroyAtMs = getEarlier(
    addTime(
      fromMs,
      config.destroy_delay_value ?? config.ttl_value,
      config.destroy_delay_unit ?? config.ttl_unit,
    ),
    parseMidnight(config.destroy_on_date),
  );
  const deletes = config.delete_workspace === true && destroyAtMs !== null;
  const configuredDeleteAtMs = getEarlier(
    addTime(destroyAtMs, config.delete_delay_value, config.delete_delay_unit),
    parseMidnight(config.delete_on_date),
  );
  return {
    destroyAtMs,
    deleteAtMs: deletes ? Math.max(configuredDeleteAtMs ?? destroyAtMs, destroyAtMs) : null,
  };
}

function addTime(fromMs: number | null, value: number | undefined, unit: Unit | undefined): number | null {
  if (fromMs === null || value === undefined || unit === undefined) return null;
  return fromMs + value * UNIT_MS[unit];
}

const parseMidnight = (day: string | undefined): number | null =>
  day === undefined ? null : Date.parse(day);

const getEarlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);
