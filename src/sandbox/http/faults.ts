/** Which calls a fault hits; what is left out matches everything. */
export interface FaultMatch {
  readonly method?: string;
  /** Of path and query without "/api/v3". */
  readonly path?: RegExp;
  /** Of the text that is sent: tells one GraphQL call from another. */
  readonly body?: RegExp;
  readonly installationId?: number;
}

/** What goes wrong. Unless said otherwise the call has no effect. */
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
  /** Promises the whole correct body and closes the connection after half of it. */
  | { readonly kind: "truncate" }
  /** 200 (or `status`) with GitHub's unicorn page. */
  | { readonly kind: "html"; readonly status?: number }
  /** The call takes effect and the connection is closed without an answer. */
  | { readonly kind: "lost-response-after-write" }
  /** 403 "You have exceeded a secondary rate limit"; with `retry-after` when given, in seconds. */
  | { readonly kind: "secondary-limit"; readonly retryAfter?: number }
  /** 403 with `x-ratelimit-remaining: 0`, over in `resetIn` seconds (default 60); GraphQL answers 200 with RATE_LIMITED. */
  | { readonly kind: "primary-limit"; readonly resetIn?: number }
  /** Redirects to another address with this status. */
  | { readonly kind: "redirect"; readonly status: 301 | 302 | 307 | 308; readonly location: string };

/** `times` is how many calls are hit before the fault is spent (default 1; Infinity until cleared). */
export type Fault = FaultKind & { readonly match?: FaultMatch; readonly times?: number };

export interface Faults {
  /** Returns a function that takes it back. The oldest fault that matches a call is used. */
  add(fault: Fault): () => void;
  clear(): void;
  /** How many calls were hit since the last clear, answered by now or not. */
  hits(): number;
}

/** A call, as far as faults tell one from another. */
export interface FaultyCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly installationId: number | null;
}

/** The faults that are due, for the server. */
export interface FaultBook extends Faults {
  /** Uses up one time of the oldest fault that matches the call. */
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
      const due = book.find((entry) => entry.left > 0 && hits(entry.fault.match ?? {}, call));
      if (due === undefined) return null;
      due.left -= 1;
      taken += 1;
      return due.fault;
    },
    hits: () => taken,
  };
}

const hits = (match: FaultMatch, call: FaultyCall): boolean =>
  (match.method === undefined || match.method === call.method) &&
  (match.path === undefined || match.path.test(call.path)) &&
  (match.body === undefined || match.body.test(call.body)) &&
  (match.installationId === undefined || match.installationId === call.installationId);
