import type { PgBoss } from "pg-boss";
import { retryLost } from "../store/database/lost-connection.ts";
import { type JobOrigin, mergeOrigins } from "../telemetry/job-origin.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { LaneJob } from "./workers.ts";

interface LaneOrigin {
  readonly lane: string;
  readonly telemetry: Pick<Telemetry, "origin">;
}

/**
 * Finds the origin of a lane's job that is enqueued now, merged with that of the waiting job, which the new one replaces. Empty
 * without telemetry; only with it the waiting job is read. Two processes that enqueue at the same moment may lose a link.
 */
export async function findOrigin(
  boss: PgBoss,
  queue: "lane" | "comment",
  { lane, telemetry }: LaneOrigin,
): Promise<{ readonly origin?: JobOrigin }> {
  const own = telemetry.origin();
  if (own === null) return {};
  const [waiting] = await retryLost(() => boss.findJobs(queue, { key: lane, queued: true }));
  const replaced = LaneJob.safeParse(waiting?.data).data?.origin;
  return { origin: replaced === undefined ? own : mergeOrigins(own, replaced) };
}
