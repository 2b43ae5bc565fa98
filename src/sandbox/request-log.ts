/** One call to the API, as it was answered. */
export interface LoggedRequest {
  readonly method: string;
  /** Without "/api/v3" or "/api", with the query. */
  readonly path: string;
  /** HTTP status; 0 when the connection was closed without an answer. */
  readonly status: number;
  readonly appId: number | null;
  readonly installationId: number | null;
  /** When it arrived, by the sandbox's clock. */
  readonly at: number;
  /** How long the answer took, in milliseconds of real time. */
  readonly ms: number;
  /** The name of the first operation, for GraphQL calls. */
  readonly operation: string | null;
}

export interface RequestLog {
  /** In the order they arrived; pages and assets are not listed. */
  list(match?: { method?: string; path?: RegExp; installationId?: number }): readonly LoggedRequest[];
  count(match?: { method?: string; path?: RegExp; installationId?: number }): number;
  clear(): void;
}
