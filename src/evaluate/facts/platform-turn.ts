import { TollgateError } from "../../kernel/errors.ts";
import type { PlatformClient } from "../../platform/client.ts";
import type { JobDeps } from "../run/deps.ts";

/** Our own limit of calls to the platform is reached. The facts are not unknown: they are read later. */
export class PlatformBusyError extends TollgateError {
  /** Wait before the next try, in ms. */
  readonly inMs: number;

  constructor(inMs: number) {
    super("platform_busy", "the limit of calls to the platform (PLATFORM_CALLS_PER_MINUTE) is reached", {
      retryable: true,
      hint: "The work waits for its turn. Raise the limit if the platform allows more.",
    });
    this.inMs = inMs;
  }
}

interface PlatformTurn {
  /** Throws `PlatformBusyError` if our own limit leaves no room for an evaluation. */
  readonly platform: PlatformClient;
  end(): void;
}

/** The turn of one evaluation to call the platform, which begins with its first call; one that calls nothing needs none. */
export function takePlatformTurn({
  platform,
  platformPace: pace,
}: Pick<JobDeps, "platform" | "platformPace">): PlatformTurn {
  let state: "new" | "begun" | PlatformBusyError = "new";
  return {
    platform: {
      call: async (endpoint, input) => {
        if (state === "new") {
          const inMs = pace?.begin() ?? null;
          state = inMs === null ? "begun" : new PlatformBusyError(inMs);
        }
        if (state !== "begun") throw state;
        return platform.call(endpoint, input);
      },
      close: () => platform.close(),
    },
    end: () => {
      if (state === "begun") pace?.end();
    },
  };
}
