/** One call to the API with its answer's status. */
export interface LoggedRequest {
  readonly method: string;
  /** Path without "/api/v3" or "/api", with the query. */
  readonly path: string;
  /** HTTP status; 0 when the connection was closed without an answer. */
  readonly status: number;
  readonly appId: number | null;
  readonly installationId: number | null;
  /** Arrival time by the sandbox's clock. */
  readonly at: number;
  /** Duration until the answer, in milliseconds of real time. */
  readonly ms: number;
  /** The name of the first operation, for GraphQL calls. */
  readonly operation: string | null;
}

/** Selects calls; an absent member matches everything. */
export interface RequestMatch {
  readonly method?: string;
  readonly path?: RegExp;
  readonly installationId?: number;
}

/** Calls in the order of their answers; without pages and assets. */
export class RequestLog {
  readonly #requests: LoggedRequest[] = [];

  write(request: LoggedRequest): void {
    this.#requests.push(request);
  }

  list(match: RequestMatch = {}): readonly LoggedRequest[] {
    return this.#requests.filter(
      (request) =>
        (match.method === undefined || match.method === request.method) &&
        (match.path === undefined || match.path.test(request.path)) &&
        (match.installationId === undefined || match.installationId === request.installationId),
    );
  }

  count(match: RequestMatch = {}): number {
    return this.list(match).length;
  }

  clear(): void {
    this.#requests.length = 0;
  }
}
