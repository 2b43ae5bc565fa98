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

export interface RequestLog {
  /** In the order of their answers; without pages and assets. */
  list(match?: RequestMatch): readonly LoggedRequest[];
  count(match?: RequestMatch): number;
  clear(): void;
}

/** The log with the server's write method. */
export interface RequestBook extends RequestLog {
  write(request: LoggedRequest): void;
}

export function createRequestLog(): RequestBook {
  const book: LoggedRequest[] = [];
  const list = (match: RequestMatch = {}) => book.filter((request) => isRequestMatch(request, match));
  return {
    write: (request) => void book.push(request),
    list,
    count: (match) => list(match).length,
    clear: () => {
      book.length = 0;
    },
  };
}

const isRequestMatch = (request: LoggedRequest, match: RequestMatch): boolean =>
  (match.method === undefined || match.method === request.method) &&
  (match.path === undefined || match.path.test(request.path)) &&
  (match.installationId === undefined || match.installationId === request.installationId);
