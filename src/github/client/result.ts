import { redactCredentials } from "../../kernel/redact-credentials.ts";
import { shorten } from "../../kernel/shorten.ts";

/**
 * Why GitHub gave no usable answer. `gone`: removed for good (410, 451). `moved`: a redirect that may not be followed.
 * `suspended`: the installation is suspended or was removed. `rejected`: GitHub understood and refuses the content (422 and other 4xx).
 */
export type FailureKind =
  | "not_found"
  | "gone"
  | "moved"
  | "unauthorised"
  | "forbidden"
  | "suspended"
  | "rate_limited"
  | "rejected"
  | "unavailable"
  | "timed_out"
  | "malformed"
  | "too_large";

export interface GitHubFailure {
  readonly kind: FailureKind;
  /** HTTP status, null when no answer arrived. */
  readonly status: number | null;
  /** GitHub's message, at most 300 characters: for the log and for classifying refusals, never for a reader. */
  readonly message: string;
  /** Milliseconds to pause this installation; null unless `rate_limited`. */
  readonly retryAfterMs: number | null;
}

/** The result of a call to GitHub. Nothing in this folder throws because of GitHub or the network. */
export type GitHubResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: GitHubFailure };

/** Failures after which a write may or may not have happened: look before writing again. */
export const isOutcomeUnknown = (failure: GitHubFailure): boolean =>
  failure.kind === "timed_out" ||
  failure.kind === "unavailable" ||
  failure.kind === "malformed" ||
  failure.kind === "too_large";

const REFUSALS: ReadonlySet<FailureKind> = new Set([
  "rejected",
  "forbidden",
  "not_found",
  "gone",
  "moved",
  "suspended",
]);

/** Whether GitHub refused the call: the same call fails again until somebody changes something. */
export const isRefusal = ({ kind }: GitHubFailure): boolean => REFUSALS.has(kind);

export const succeeded = <T>(value: T): GitHubResult<T> => ({ ok: true, value });

export const createGitHubFailure = (
  kind: FailureKind,
  message: string,
  status: number | null = null,
): GitHubFailure => ({
  kind,
  status,
  message: redactMessage(message),
  retryAfterMs: null,
});

export const failed = (...failure: Parameters<typeof createGitHubFailure>): GitHubResult<never> => ({
  ok: false,
  failure: createGitHubFailure(...failure),
});

/** GitHub's message without credentials: a proxy between us and GitHub may quote those that we sent. */
export const redactMessage = (message: string): string => shorten(redactCredentials(message), 300);
