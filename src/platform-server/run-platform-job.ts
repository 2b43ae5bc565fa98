import type { Kysely } from "kysely";
import type { Clock } from "../kernel/clock.ts";
import type { PlatformJob } from "./area/platform-job.ts";
import { runSettingsJob } from "./settings/run-settings-job.ts";
import { listQueuedJobs } from "./settings/store/automations.ts";
import type { PlatformTables } from "./tables.ts";
import { listUntriedDeliveries } from "./webhooks/store/deliveries.ts";

export interface PlatformJobDeps {
  readonly db: Kysely<PlatformTables>;
  readonly clock: Clock;
  /** Sends one delivery of a webhook, unless it was sent already. */
  deliverWebhook(delivery: { readonly account: string; readonly deliveryId: number }): Promise<void>;
}

/**
 * Performs one job of the embedded platform. Each kind is idempotent, because a job may be performed twice.
 */
export function runPlatformJob(deps: PlatformJobDeps, job: PlatformJob): Promise<void> {
  switch (job.kind) {
    case "settings":
      return runSettingsJob(deps, job);
    case "webhook-delivery":
      return deps.deliverWebhook(job);
  }
}

/**
 * Returns the jobs that were accepted but not performed, oldest first. A process can end between storing a
 * job and enqueuing it, so a start enqueues them again; repeating a known job has no effect.
 */
export async function listUnfinishedJobs(db: Kysely<PlatformTables>): Promise<PlatformJob[]> {
  const jobs = await listQueuedJobs(db);
  const deliveries = await listUntriedDeliveries(db);
  return [
    ...jobs.map(({ account, job_id }) => ({ kind: "settings" as const, account, jobId: job_id })),
    ...deliveries.map(({ account, delivery_id }) => ({
      kind: "webhook-delivery" as const,
      account,
      deliveryId: delivery_id,
    })),
  ];
}
