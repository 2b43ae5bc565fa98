import { parseStorable } from "../kernel/storable.ts";
/**
 * Why a call brought no answer.
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
  /** HTTP status of the last try; null when there was no answer. */
  readonly status: number | null;
  /** The service's own code for it, or that of the broken connection. */
  readonly code: string | null;
  /** One line for the log and for `doctor`. Holds no credential; may hold text of the service, so it is not for pull requests. */
  readonly message: string;
  /** How long the service asks to wait, in ms; null when it does not say. */
  readonly retryAfterMs: number | null;
  /** What is wrong with single members of the request, by their path. */
  readonly fields: readonly { readonly field: string; readonly error: string }[];
  /** What the service calls this one call; null when it does not say. */
  readonly correlationId: string | null;
}

/** What came of a call. `headers` have lower-case names. */
export type PlatformResult<T> =
  | { readonly ok: true; readonly value: T; readonly headers: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly failure: Failure };

/** A failure of which only the kind, the words and perhaps a status or code are known. */
export const failure = (
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

/** The kind of an answer that is no 2xx. A redirect is never followed: it could lead to another host. */
export function kindOfStatus(status: number): Failure["kind"] {
  if (status < 400) return "malformed";
  return KINDS[status] ?? (status >= 500 ? "unavailable" : "rejected");
}

/** The value, or undefined for a text that is not JSON. What no database keeps is replaced in its texts. */
export function parseJson(body: string): unknown {
  try {
    return parseStorable(body);
  } catch {
    return undefined;
  }
}

const MAX_MESSAGE = 500;
/** Parts of a token that are shorter than this are names, not secrets, in characters. */
const MIN_SECRET = 8;

/**
 * Takes every form of a token out of text that a service sent: whole, its secret parts ("pat.<account>.<id>.<secret>"), and
 * percent-encoded. Line breaks and control characters become blanks, and the text is cut at 500 characters.
 */
export function createRedactor(token: string): (message: string) => string {
  const parts = token
    .split(".")
    .slice(2)
    .filter((part) => part.length >= MIN_SECRET);
  const secrets = [token, ...parts].flatMap((secret) => [secret, encodeURIComponent(secret)]);
  return (message) =>
    secrets
      .reduce((left, secret) => left.replaceAll(secret, "***"), message)
      .replace(/\p{C}+/gu, " ")
      .slice(0, MAX_MESSAGE);
}
