import { TollgateError } from "../../kernel/errors.ts";
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

/** The result of a call whose failure is a value. Other calls throw `GitHubError`. */
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

/** Why a call failed, thrown through Octokit. The work that needs the call may succeed later. */
export class GitHubError extends TollgateError {
  override readonly name = "GitHubError";
  readonly failure: GitHubFailure;
  readonly #original: unknown;

  constructor(failure: GitHubFailure, original: unknown = null) {
    super("github_failed", `${failure.kind}: ${failure.message}`, { retryable: true });
    this.failure = failure;
    this.#original = original;
  }

  /** The error of Octokit or of the network. Not the cause, which is logged: GitHub's answer may quote credentials. */
  getOriginal(): unknown {
    return this.#original;
  }
}

/** The same call for a job, which is not retried as in an outage when GitHub refuses it. Throws `TollgateError`. */
export const failAtRefusal = <T>(read: Promise<T>): Promise<T> =>
  read.catch((error: unknown) => {
    if (!(error instanceof GitHubError) || !isRefusal(error.failure)) throw error;
    throw new TollgateError("github_failed", `GitHub refuses it: ${error.failure.kind}`);
  });

/** Thrown through Octokit for a write that was dropped because it is no longer current. */
export class SupersededError extends Error {
  override readonly name = "SupersededError";
}

interface RateLimit {
  /** GitHub's name of it: `core`, `graphql`, … */
  readonly resource: string;
  readonly remaining: number;
}

export interface GitHubCall {
  /** Method and path as GitHub documents them, or the name of the GraphQL query: without anything of this call. */
  readonly route: string;
  readonly outcome: "ok" | FailureKind;
  readonly seconds: number;
  /** Null: the call was made as the App. */
  readonly installationId: number | null;
  /** Null: the answer names none. */
  readonly rateLimit: RateLimit | null;
  /** For how long the installation pauses after this call, in ms; null: it does not. */
  readonly pauseMs: number | null;
}

export type OnGitHubCall = (call: Omit<GitHubCall, "installationId">) => void;

const OPERATION = /^\s*(query|mutation)\s+(\w+)/;
/** A segment of a path that is no word of the documentation. */
const FILLED_IN = /\/[^/{}]*\d[^/{}]*/g;

interface RoutedRequest {
  readonly method: string;
  readonly url?: string;
  readonly query?: unknown;
}

/** The route of a request before its parameters are filled in. */
export function describeRoute({ method, url = "", query }: RoutedRequest): string {
  const operation = url.endsWith("/graphql") ? OPERATION.exec(String(query)) : null;
  if (operation !== null) return `${operation[1]} ${operation[2]}`;
  return `${method} ${url.replace(FILLED_IN, "/{}").replace(/\?.*$/, "")}`;
}

export function readRateLimit(headers: Readonly<Record<string, unknown>>): RateLimit | null {
  const remaining = Number(headers["x-ratelimit-remaining"] ?? Number.NaN);
  if (!Number.isInteger(remaining)) return null;
  return { resource: String(headers["x-ratelimit-resource"] ?? "core"), remaining };
}
