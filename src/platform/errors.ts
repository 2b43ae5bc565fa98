/**
 * Why a call brought no answer.
 * `not_found` 404 · `unauthorised` 401 · `forbidden` 403 · `rate_limited` 429 · `unavailable` 408, 423, 499, 5xx, no connection ·
 * `malformed` an answer that is not what the contract says, redirects included · `too_large` an answer above the size limit ·
 * `timed_out` no answer in time · `rejected` any other 4xx, or a request that was not sent because it breaks the contract.
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
}

/** What came of a call. `headers` have lower-case names. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly headers: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly failure: Failure };
