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
 * Returns a client whose calls throw `PlatformBusyError` when our own limit leaves no room for an evaluation at the first one, or no turn
 * for one of them: it could make only some of its calls, and would spend them for nothing. Calls that are made at the same time are as
 * many as a minute allows: all calls of a large evaluation would wait longer for their turns than a call may, at each attempt.
 */
export function beginCalls({
  platform,
  platformPace: pace,
}: Pick<JobDeps, "platform" | "platformPace">): EvaluationCalls {
  if (pace === null) return { platform, end: () => {} };
  let hasBegun = false;
  let busy: PlatformBusyError | null = null;
  const begin = (): void => {
    if (hasBegun || busy !== null) return;
    const inMs = pace.begin();
    if (inMs === null) hasBegun = true;
    else busy = new PlatformBusyError(inMs);
  };
  const inPlace = createPlaces(() => pace.perMinute);
  return {
    platform: {
      call: (endpoint, input) =>
        inPlace(async () => {
          begin();
          if (busy !== null) throw busy;
          try {
            return await platform.call(endpoint, input);
          } catch (error) {
            if (error instanceof PlatformBusyError) busy = error;
            throw error;
          }
        }),
      close: () => platform.close(),
    },
    end: () => {
      if (hasBegun) pace.end();
    },
  };
}

/** Returns a function that does work in one of so many places, in the order of its calls. */
function createPlaces(count: () => number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return async (work) => {
    if (taken < count()) taken += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) taken -= 1;
      else next();
    }
  };
}
