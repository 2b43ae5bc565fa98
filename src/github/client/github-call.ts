import type { FailureKind } from "./result.ts";

/** What GitHub's headers say of a rate limit. */
export interface RateLimit {
  /** GitHub's name of it: `core`, `graphql`, … */
  readonly resource: string;
  readonly remaining: number;
}

/** A call of GitHub's API that has ended; for statistics. */
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
