import type { AlarmKind } from "../../queue/queue.ts";
import { LATE_MS } from "../../store/check-runs.ts";
import type { JobDeps } from "../run/deps.ts";

/** Added to the time within which a request may take effect, in ms, so that it has certainly passed. */
const AFTER_MS = 1_000;

/** Enqueues the lane's check or comments for when requests that have no answer until now cannot take effect any more. */
export const enqueueAfterLateRequests = (
  { queue, clock }: Pick<JobDeps, "clock"> & { readonly queue: Pick<JobDeps["queue"], "setAlarm"> },
  lane: string,
  kind: Exclude<AlarmKind, "decision">,
): Promise<void> => queue.setAlarm(lane, clock.now() + LATE_MS + AFTER_MS, kind);
