import { createCredentialRedactor } from "../kernel/redact-credentials.ts";
import { shorten } from "../kernel/shorten.ts";
import { parseStorable } from "../kernel/storable.ts";

/**
 * The reason why a call failed.
 * `not_found` 404 · `unauthorised` 401 · `forbidden` 403 · `rate_limited` 429 · `timed_out` 408, or no answer in time ·
 * `unavailable` 423, 499, 5xx, or no connection · `malformed` an answer that is not what the contract says, redirects included ·
 * `too_large` an answer above the size limit · `rejected` any other 4xx, or a request that was not sent because it breaks the contract.
 */
export interface Failure {
  readonly kind:
    | "not_found"
    | "unauthorised"
    | "forbidden"
    | "rate_limited"
    | "unavailable"
    | "malformed"
    | "too_large"
    | "timed_out"
    | "rejected";
  /** HTTP status of the last attempt; null when there was no answer. */
  readonly status: number | null;
  /** The error code of the service or of the broken connection. */
  readonly code: string | null;
  /** One line for the log and for `doctor`. Contains no credential, but may contain the service's text: never show it on a pull request. */
  readonly message: string;
  /** The service's `Retry-After`, in ms; null: not stated. */
  readonly retryAfterMs: number | null;
  /** Problems of single members of the request, by path. */
  readonly fields: readonly { readonly field: string; readonly error: string }[];
  /** The service's id of this call; null: not stated. */
  readonly correlationId: string | null;
}

/** Code of the failure of a call that our own limit would have kept waiting too long. */
export const OWN_LIMIT = "own_limit";

/** The result of a call. `headers` have lower-case names. */
export type PlatformResult<T> =
  | { readonly ok: true; readonly value: T; readonly headers: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly failure: Failure };

/** Creates a failure from its kind and message, with an optional status or code. */
export const createFailure = (
  kind: Failure["kind"],
  message: string,
  known: { readonly status?: number; readonly code?: string } = {},
): Failure => ({
  kind,
  message,
  status: known.status ?? null,
  code: known.code ?? null,
  retryAfterMs: null,
  fields: [],
  correlationId: null,
});

const KINDS: Readonly<Record<number, Failure["kind"]>> = {
  401: "unauthorised",
  403: "forbidden",
  404: "not_found",
  408: "timed_out",
  423: "unavailable",
  429: "rate_limited",
  499: "unavailable",
};

/** Returns the failure kind of a status outside 2xx. Redirects are never followed: they could lead to another host. */
export function getFailureKind(status: number): Failure["kind"] {
  if (status < 400) return "malformed";
  return KINDS[status] ?? (status >= 500 ? "unavailable" : "rejected");
}

/** Parses JSON; returns undefined for other text. Replaces characters that databases cannot store. */
export function parseStorableJson(body: string): unknown {
  try {
    return parseStorable(body);
  } catch {
    return undefined;
  }
}

const MAX_MESSAGE = 500;

/**
 * Returns a function that removes every form of a token from a service's text: whole, and its secret parts ("pat.<account>.<id>.<secret>").
 * Line breaks and control characters become blanks, and the text is cut at 500 characters.
 */
export function createRedactor(token: string): (message: string) => string {
  const redact = createCredentialRedactor([token, ...token.split(".").slice(2)]);
  return (message) => shorten(redact(message).replace(/\p{C}+/gu, " "), MAX_MESSAGE);
}
