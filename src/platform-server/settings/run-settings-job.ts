import type { Kysely } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import { DriftConfigToWrite } from "../../platform/contract/drift-config.ts";
import { EphemeralConfigToWrite } from "../../platform/contract/ephemeral-config.ts";
import { transact } from "../../store/database/transaction.ts";
import type { ProjectKey } from "../../store/tables/project-key.ts";
import { createDriftTrigger, createEphemeralSchedule } from "./automations.ts";
import { endJob, lockAutomations, lockQueuedJob, type QueuedJob } from "./store/automations.ts";
import type { SettingsTables } from "./store/tables.ts";
import {
  clearSchedules,
  type ScheduledWorkspaces,
  writeDriftTriggers,
  writeEphemeralSchedules,
} from "./store/workspace-schedules.ts";

/**
 * Applies a configuration to every workspace of its project, to all or none. It is idempotent; a
 * configuration that was superseded by a newer one writes nothing.
 */
export function runSettingsJob(
  { db, clock }: { readonly db: Kysely<SettingsTables>; readonly clock: Clock },
  id: { readonly account: string; readonly jobId: number },
): Promise<void> {
  return transact(db, async (trx) => {
    const queued = await lockQueuedJob(trx, id);
    if (queued === null) return;
    const newest = queued.automation.job_id === queued.job.job_id;
    await endJob(trx, queued.job, {
      state: newest ? "done" : "superseded",
      workspaces: newest ? await performSettingsJob(trx, queued) : null,
      finished_ms: clock.now(),
    });
  });
}

/** Gives a workspace whose first execution was recorded what its project is configured to do; delays count from `nowMs`. */
export async function coverWorkspace(
  trx: Kysely<SettingsTables>,
  { workspace, ...project }: ProjectKey & { readonly workspace: string },
  nowMs: number,
): Promise<void> {
  for (const automation of await lockAutomations(trx, project))
    if (automation.config !== null)
      await writeConfigured(trx, { ...automation, workspace }, { config: automation.config, fromMs: nowMs });
}

/** How many workspaces were written or cleared. */
const performSettingsJob = (
  trx: Kysely<SettingsTables>,
  { job, automation: { config } }: QueuedJob,
): Promise<number> =>
  config === null
    ? clearSchedules(trx, job)
    : writeConfigured(trx, job, { config, fromMs: job.requested_ms });

function writeConfigured(
  trx: Kysely<SettingsTables>,
  place: ScheduledWorkspaces,
  { config, fromMs }: { readonly config: string; readonly fromMs: number },
): Promise<number> {
  const parsed: unknown = JSON.parse(config);
  return place.kind === "drift"
    ? writeDriftTriggers(trx, place, createDriftTrigger(DriftConfigToWrite.parse(parsed)))
    : writeEphemeralSchedules(
        trx,
        place,
        createEphemeralSchedule(EphemeralConfigToWrite.parse(parsed), fromMs),
      );
}
