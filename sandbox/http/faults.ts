/** Selects the calls that a fault hits; an absent member matches everything. */
export interface FaultMatch {
  readonly method?: string;
  /** Matches path and query without "/api/v3". */
  readonly path?: RegExp;
  /** Matches the request body; distinguishes GraphQL calls. */
  readonly body?: RegExp;
  readonly installationId?: number;
}

/** The kind of a fault. Unless noted, the call has no effect. */
export type FaultKind =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Answers correctly after `ms`. */
  | { readonly kind: "delay"; readonly ms: number }
  /** Closes the connection without an answer. */
  | { readonly kind: "reset" }
  /** Announces the whole correct body and closes the connection after half of it. */
  | { readonly kind: "truncate" }
  /** 200 (or `status`) with GitHub's unicorn page. */
  | { readonly kind: "html"; readonly status?: number }
  /** The call takes effect and the connection is closed without an answer. */
  | { readonly kind: "lost-response-after-write" }
  /** The connection is closed without an answer, and the call takes effect after `ms`. */
  | { readonly kind: "late"; readonly ms: number }
  /** 403 "You have exceeded a secondary rate limit"; with `retry-after` when given, in seconds. */
  | { readonly kind: "secondary-limit"; readonly retryAfter?: number }
  /** 403 with `x-ratelimit-remaining: 0`, over in `resetIn` seconds (default 60); GraphQL answers 200 with RATE_LIMITED. */
  | { readonly kind: "primary-limit"; readonly resetIn?: number }
  /** Redirects to another address with this status. */
  | { readonly kind: "redirect"; readonly status: 301 | 302 | 307 | 308; readonly location: string };

/** `times` is how many calls are hit before the fault is spent (default 1; Infinity until cleared). */
export type Fault = FaultKind & { readonly match?: FaultMatch; readonly times?: number };

export interface Faults {
  /** Returns a function that removes the fault. A call uses the oldest fault that matches. */
  add(fault: Fault): () => void;
  clear(): void;
  /** Number of calls hit since the last clear, unanswered ones included. */
  hits(): number;
}

/** The properties of a call that faults match. */
export interface FaultyCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly installationId: number | null;
}

/** The server's side of the faults. */
export interface FaultBook extends Faults {
  /** Consumes one use of the oldest fault that matches the call. */
  take(call: FaultyCall): Fault | null;
}

export function createFaults(): FaultBook {
  const book: { readonly fault: Fault; left: number }[] = [];
  let taken = 0;
  return {
    add: (fault) => {
      const entry = { fault, left: fault.times ?? 1 };
      book.push(entry);
      return () => {
        entry.left = 0;
      };
    },
    clear: () => {
      book.length = 0;
      taken = 0;
    },
    take: (call) => {
      const due = book.find((entry) => entry.left > 0 && isFaultMatch(entry.fault.match ?? {}, call));
      if (due === undefined) return null;
      due.left -= 1;
      taken += 1;
      return due.fault;
    },
    hits: () => taken,
  };
}

const isFaultMatch = (match: FaultMatch, call: FaultyCall): boolean =>
  (match.method === undefined || match.method === call.method) &&
  (match.path === undefined || match.path.test(call.path)) &&
  (match.body === undefined || match.body.test(call.body)) &&
  (match.installationId === undefined || match.installationId === call.installationId);
