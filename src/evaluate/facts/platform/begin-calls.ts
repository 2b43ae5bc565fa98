import { PlatformBusyError } from "../../../platform/busy.ts";
import type { PlatformClient } from "../../../platform/client.ts";
import type { JobDeps } from "../../run/deps.ts";

/** The platform as one evaluation calls it. */
export interface EvaluationCalls {
  readonly platform: PlatformClient;
  /** The evaluation makes no further call. */
  end(): void;
}

/**
 * Returns a client whose calls throw `PlatformBusyError` when our own limit leaves no room for an evaluation at the first one: it could
 * make only some of its calls, and would spend them for nothing.
 */
export function beginCalls({
  platform,
  platformPace: pace,
}: Pick<JobDeps, "platform" | "platformPace">): EvaluationCalls {
  if (pace === null) return { platform, end: () => {} };
  let inMs: number | null | undefined;
  return {
    platform: {
      call: async (endpoint, input) => {
        if (inMs === undefined) inMs = pace.begin();
        if (inMs !== null) throw new PlatformBusyError(inMs);
        return platform.call(endpoint, input);
      },
      close: () => platform.close(),
    },
    end: () => {
      if (inMs === null) pace.end();
    },
  };
}
