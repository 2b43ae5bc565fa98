import type { Deps, PlatformJob } from "./area/area.ts";
import { listQueuedSettingsJobs, runSettingsJob } from "./settings/run-settings-job.ts";
import type { Db } from "./tables/tables.ts";
import { listUntriedDeliveries } from "./webhooks/deliver.ts";

export interface PlatformJobDeps extends Pick<Deps, "db" | "clock"> {
  /** Sends one delivery of a webhook, unless it was sent already. */
  deliverWebhook(delivery: { readonly account: string; readonly deliveryId: number }): Promise<void>;
}

/** Performs one job of the embedded platform. Each kind is idempotent, because a job may be performed twice. */
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
export async function listUnfinishedJobs(db: Db): Promise<PlatformJob[]> {
  const jobs = await listQueuedSettingsJobs(db);
  const deliveries = await listUntriedDeliveries(db);
  return [
    ...jobs.map(({ account, job_id: jobId }) => ({ kind: "settings" as const, account, jobId })),
    ...deliveries.map(({ account, delivery_id: deliveryId }) => {
      return { kind: "webhook-delivery" as const, account, deliveryId };
    }),
  ];
}
