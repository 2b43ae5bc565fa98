import { TollgateError } from "../../kernel/errors.ts";
import type { PlatformClient } from "../../platform/client.ts";
import type { ClientInput, Endpoint, EndpointOutput } from "../../platform/contract/endpoint.ts";
import type { Failure } from "../../platform/errors.ts";

export interface RetryOptions {
  /** Most attempts of a call. */
  readonly tries: number;
  /** Pause before the second attempt, in ms; doubles with each attempt. */
  readonly pauseMs: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Hints that differ from those of the import of one execution. */
  readonly hints?: Hints;
}

type EndpointCall = <E extends Endpoint>(endpoint: E, input: ClientInput<E>) => Promise<EndpointOutput<E>>;

/** Failures that may be temporary. */
const TRANSIENT_FAILURES: ReadonlySet<Failure["kind"]> = new Set([
  "unavailable",
  "timed_out",
  "rate_limited",
]);

type Hints = { readonly [K in Failure["kind"]]?: string };

const HINTS: Hints = {
  unauthorised:
    "Check the token (TOLLGATE_TOKEN, --token): it may be mistyped, revoked, expired or for another account.",
  forbidden:
    "The token may not write to this org and project: make one with `tollgate token create --for import`.",
  not_found: "Check --url, --org and --project. Costs can be imported into the embedded platform only.",
  unavailable:
    "Check that the platform runs and --url is its address, then repeat with --execution and the id above.",
  timed_out: "The platform is slow or stuck. Repeat with --execution and the id above.",
  too_large: "The files are larger than this platform takes.",
};

/**
 * Returns a function that repeats idempotent calls when the failure may be temporary. Throws
 * `platform_failed` when a call finally fails.
 */
export function createRetryingCall(
  platform: PlatformClient,
  { tries, pauseMs, sleep, hints }: RetryOptions,
): EndpointCall {
  return async (endpoint, input) => {
    for (let next = 1; ; next += 1) {
      const outcome = await platform.call(endpoint, input);
      if (outcome.ok) return outcome.value;
      const { failure } = outcome;
      if (next >= tries || !TRANSIENT_FAILURES.has(failure.kind))
        throw createFinalError(failure, { ...HINTS, ...hints });
      await sleep(Math.max(failure.retryAfterMs ?? 0, pauseMs * 2 ** (next - 1)));
    }
  };
}

function createFinalError({ kind, message }: Failure, hints: Hints): TollgateError {
  const hint = hints[kind];
  const retryable = TRANSIENT_FAILURES.has(kind);
  return new TollgateError(
    "platform_failed",
    message,
    hint === undefined ? { retryable } : { retryable, hint },
  );
}
