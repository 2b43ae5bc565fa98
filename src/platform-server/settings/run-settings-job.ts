import type { Kysely } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import { DriftConfigToWrite } from "../../platform/contract/drift-config.ts";
import { EphemeralConfigToWrite } from "../../platform/contract/ephemeral-config.ts";
import { transact } from "../../store/database/transaction.ts";
import { createDriftTrigger, createEphemeralSchedule } from "./schedule.ts";
import { endJob, lockQueuedJob, type QueuedJob } from "./store/automations.ts";
import type { SettingsTables } from "./store/tables.ts";
import { clearSchedules, writeDriftTriggers, writeEphemeralSchedules } from "./store/workspace-schedules.ts";

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

/** How many workspaces were written or cleared. */
function performSettingsJob(trx: Kysely<SettingsTables>, { job, automation }: QueuedJob): Promise<number> {
  if (automation.config === null) return clearSchedules(trx, job);
  const config: unknown = JSON.parse(automation.config);
  if (job.kind === "drift")
    return writeDriftTriggers(trx, job, createDriftTrigger(DriftConfigToWrite.parse(config)));
  const ephemeralConfig = EphemeralConfigToWrite.parse(config);
  return writeEphemeralSchedules(trx, job, createEphemeralSchedule(ephemeralConfig, job.requested_ms));
}
