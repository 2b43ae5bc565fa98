import { TollgateError } from "../kernel/errors.ts";
import type { PlatformClient } from "./client.ts";
import type { ClientInput, Endpoint } from "./contract/endpoint.ts";
import { OWN_LIMIT } from "./errors.ts";

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

/** Returns a client that throws `PlatformBusyError` where `platform` answers that our own limit is reached. */
export function requireTurns(platform: PlatformClient, inMs: number): PlatformClient {
  return {
    async call<E extends Endpoint>(endpoint: E, input: ClientInput<E>) {
      const answer = await platform.call(endpoint, input);
      if (!answer.ok && answer.failure.code === OWN_LIMIT) throw new PlatformBusyError(inMs);
      return answer;
    },
    close: () => platform.close(),
  };
}
