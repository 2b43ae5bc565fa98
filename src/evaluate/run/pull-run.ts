import { setTimeout as sleep } from "node:timers/promises";
import type { InstallationClient } from "../../github/client/installation-client.ts";
import type { PullKey } from "../../kernel/ids.ts";
import type { Attempt } from "../../queue/workers.ts";
import type { Fence } from "../../store/database/lanes.ts";
import type { JobDeps } from "./deps.ts";

/** One run of a pull request's lane: read its head, judge it, show the result. */
export interface PullRun {
  readonly deps: JobDeps;
  readonly key: PullKey;
  readonly fence: Fence;
  readonly attempt: Attempt;
  readonly client: InstallationClient;
  /** By the clock that never jumps. */
  readonly startedMs: number;
  readonly stillCurrent: () => Promise<boolean>;
}

/** Resolves after `ms`, or at once when the run ends. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => {});
