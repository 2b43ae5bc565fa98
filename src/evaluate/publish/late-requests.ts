import { LATE_MS } from "../../store/check-runs.ts";
import type { JobDeps } from "../run/deps.ts";

/** Added to the time within which a request may take effect, in ms, so that it has certainly passed. */
const AFTER_MS = 1_000;

/** Enqueues the lane for when no request can take effect any more whose answer was given up now. */
export const enqueueAfterLateRequests = (
  { queue, clock }: Pick<JobDeps, "clock"> & { readonly queue: Pick<JobDeps["queue"], "setAlarm"> },
  lane: string,
): Promise<void> => queue.setAlarm(lane, clock.now() + LATE_MS + AFTER_MS, "late");
