import type { z } from "zod";
import type { GitHubResult } from "./answer.ts";

/** Our identity on GitHub. Our own objects are recognised by these ids, never by a name or a text. */
export interface AppIdentity {
  readonly appId: number;
  readonly slug: string;
}

/** One REST call: `route` is "METHOD /path/{name}", `parameters` fill the path first and become query or body. */
export interface RestCall<T> {
  readonly route: `${"GET" | "POST" | "PATCH" | "PUT" | "DELETE"} /${string}`;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly answer: z.ZodType<T>;
}

export interface GraphqlCall<T> {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Schema of `data`. */
  readonly answer: z.ZodType<T>;
}

/** One entry of GraphQL's `errors`. */
export interface GraphqlError {
  readonly type: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export interface GraphqlAnswer<T> {
  readonly data: T;
  /** Empty unless GitHub answered in part; the caller decides which parts it can do without. */
  readonly errors: readonly GraphqlError[];
}

/** Checks go before comments in the write lane of an installation. */
export type WritePriority = "gate" | "comment";

export interface WriteOptions {
  readonly priority: WritePriority;
  /** Called right before the request is sent; false drops the write (`superseded`). */
  readonly stillCurrent: () => Promise<boolean>;
}

export type WriteAnswer<T> = GitHubResult<T> | { readonly ok: "superseded" };

export type RepositorySelection = "all" | "selected";

/**
 * GitHub's API for one installation. Reads are retried twice after a temporary failure. Writes start at least one second apart,
 * checks first; a write is never repeated here, because only its caller can find out whether it happened.
 * After a rate limit every call answers `rate_limited` at once, without a request, until the time that GitHub named is over.
 */
export interface InstallationClient {
  readonly installationId: number;
  readonly appId: number;
  read<T>(call: RestCall<T>): Promise<GitHubResult<T>>;
  query<T>(call: GraphqlCall<T>): Promise<GitHubResult<GraphqlAnswer<T>>>;
  write<T>(call: RestCall<T>, options: WriteOptions): Promise<WriteAnswer<T>>;
  /** Whether the installation covers all repositories of its account; at most ten minutes old. */
  repositorySelection(): Promise<GitHubResult<RepositorySelection>>;
  /** Numeric user id under which this App writes comments; asked once per process. */
  botUserId(): Promise<GitHubResult<number>>;
}
