import { VERSION } from "../../package/version.ts";
import { countSuspended } from "../../store/installations.ts";
import type { Health } from "../../web/health.ts";
import type { StoreSession } from "../process/store-session.ts";
import { buildSample, type GaugeSample } from "./gauge-sample.ts";

/** Reads what the process and its database are in now. A database that does not answer has no queue, and a failed part. */
export async function readStateGauges(
  session: StoreSession,
  health: Health,
): Promise<readonly GaugeSample[]> {
  const { store, queue } = session;
  const parts = await health.examineAll();
  const isReachable = parts.length > 1;
  const [counts, suspended] = isReachable
    ? await Promise.all([queue.countJobs(), countSuspended(store.db)])
    : [[], null];
  return [
    buildSample(
      "tollgate_build_info",
      { version: VERSION, node: process.version, database: store.engine.kind },
      1,
    ),
    ...parts.map(({ name: part, health: { state } }) =>
      buildSample("tollgate_part_ok", { part }, state === "ok" ? 1 : 0),
    ),
    ...counts.flatMap(({ name: queueName, due, scheduled, active, oldestDueSeconds }) => [
      buildSample("tollgate_queue_jobs", { queue: queueName, state: "due" }, due),
      buildSample("tollgate_queue_jobs", { queue: queueName, state: "scheduled" }, scheduled),
      buildSample("tollgate_queue_jobs", { queue: queueName, state: "active" }, active),
      buildSample("tollgate_queue_oldest_due_seconds", { queue: queueName }, oldestDueSeconds),
    ]),
    ...(suspended === null
      ? []
      : [buildSample("tollgate_parked_installations", { reason: "suspended" }, suspended)]),
  ];
}
