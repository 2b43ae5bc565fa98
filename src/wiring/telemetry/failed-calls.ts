import type { Clock } from "../../kernel/clock.ts";
import type { FinishedCall } from "../../telemetry/telemetry.ts";
import type { FailedCall } from "../../web/page/page.ts";

/** Failed calls in memory. */
const MAX_CALLS = 50;

/** Remembers the newest calls of GitHub and of the platform that failed. */
export interface FailedCalls {
  record(call: FinishedCall): void;
  /** Newest first. */
  list(): readonly FailedCall[];
}

export function createFailedCalls(clock: Clock): FailedCalls {
  let calls: readonly FailedCall[] = [];
  return {
    record: ({ name, outcome }) => {
      if (outcome !== "ok") calls = [{ name, outcome, atMs: clock.now() }, ...calls].slice(0, MAX_CALLS);
    },
    list: () => calls,
  };
}
