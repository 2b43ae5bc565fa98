import { PlatformJob } from "../../platform-server/area/platform-job.ts";
import {
  listUnfinishedJobs,
  type PlatformJobDeps,
  runPlatformJob,
} from "../../platform-server/run-platform-job.ts";
import type { StoreSession } from "../process/store-session.ts";

/**
 * Processes the jobs that operations of the embedded platform enqueued, first those that an earlier process
 * left.
 */
export async function workPlatformJobs(
  { store, clock, queue }: StoreSession,
  { deliverWebhook }: Pick<PlatformJobDeps, "deliverWebhook">,
): Promise<void> {
  const deps = { db: store.db, clock, deliverWebhook };
  for (const job of await listUnfinishedJobs(store.db)) await queue.enqueuePlatformJob(job);
  await queue.workPlatform(PlatformJob, (job) => runPlatformJob(deps, job));
}
