import type { ApiAnswer } from "../api/call.ts";

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
  /** Redirects to another address with this status. */
  | { readonly kind: "redirect"; readonly status: 301 | 302 | 307 | 308; readonly location: string };

/** `times` is how many calls are hit before the fault is spent (default 1; Infinity until cleared). */
export type Fault = FaultKind & { readonly match?: FaultMatch; readonly times?: number };

/** The properties of a call that faults match. */
export interface FaultyCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly installationId: number | null;
}

/** An answer and how much of it reaches the caller. */
export interface CallOutcome<Answer> {
  readonly answer: Answer;
  readonly sent: "whole" | "half" | "nothing";
}

/** The faults of calls to the API, which a test adds. */
export class Faults {
  readonly #faults: { readonly fault: Fault; left: number }[] = [];
  #hits = 0;

  /** Returns a function that removes the fault. A call uses the oldest fault that matches. */
  add(fault: Fault): () => void {
    const entry = { fault, left: fault.times ?? 1 };
    this.#faults.push(entry);
    return () => {
      entry.left = 0;
    };
  }

  clear(): void {
    this.#faults.length = 0;
    this.#hits = 0;
  }

  /** Number of calls hit since the last clear, unanswered ones included. */
  hits(): number {
    return this.#hits;
  }

  /** Answers a call, with one use of the oldest fault that matches it. `finish` encodes an answer that replaces the real one. */
  async answer<Answer>(
    call: FaultyCall,
    handle: () => Promise<Answer>,
    finish: (answer: ApiAnswer) => Answer,
  ): Promise<CallOutcome<Answer>> {
    const fault = this.#take(call);
    if (fault === null) return { answer: await handle(), sent: "whole" };
    switch (fault.kind) {
      case "delay":
        await new Promise((resolve) => setTimeout(resolve, fault.ms));
        return { answer: await handle(), sent: "whole" };
      case "truncate":
        return { answer: await handle(), sent: "half" };
      case "lost-response-after-write":
        return { answer: await handle(), sent: "nothing" };
      case "reset":
        return { answer: finish(NO_ANSWER), sent: "nothing" };
      case "late":
        setTimeout(() => void handle(), fault.ms).unref();
        return { answer: finish(NO_ANSWER), sent: "nothing" };
      default:
        return { answer: finish(buildAnswer(fault)), sent: "whole" };
    }
  }

  #take(call: FaultyCall): Fault | null {
    const due = this.#faults.find(({ left, fault }) => left > 0 && isFaultMatch(fault.match ?? {}, call));
    if (due === undefined) return null;
    due.left -= 1;
    this.#hits += 1;
    return due.fault;
  }
}

const isFaultMatch = (match: FaultMatch, call: FaultyCall): boolean =>
  (match.method === undefined || match.method === call.method) &&
  (match.path === undefined || match.path.test(call.path)) &&
  (match.body === undefined || match.body.test(call.body)) &&
  (match.installationId === undefined || match.installationId === call.installationId);

const NO_ANSWER: ApiAnswer = { status: 0, body: null };

const SECONDARY_LIMIT_MESSAGE =
  "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. " +
  "If you reach out to GitHub Support for help, please include the request ID.";

const UNICORN_PAGE = Buffer.from(
  "<!DOCTYPE html><html><head><title>Unicorn! &middot; GitHub</title></head>" +
    "<body><p><strong>We had issues producing the response to your request.</strong></p></body></html>",
);

/** Returns the answer of a fault that replaces the real one. */
function buildAnswer(
  fault: Extract<FaultKind, { kind: "status" | "html" | "redirect" | "secondary-limit" }>,
): ApiAnswer {
  switch (fault.kind) {
    case "status":
      return buildMessage(fault.status, fault.message ?? "Server Error", fault.headers);
    case "html":
      return { status: fault.status ?? 200, headers: { "content-type": "text/html" }, body: UNICORN_PAGE };
    case "redirect":
      return buildMessage(fault.status, "Moved", { location: fault.location });
    case "secondary-limit":
      return buildMessage(
        403,
        SECONDARY_LIMIT_MESSAGE,
        fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) },
      );
  }
}

/** Returns the API's answer with a message in place of a result. */
export const buildMessage = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  complaints: readonly unknown[] = [],
): ApiAnswer => ({
  status,
  headers,
  body: {
    message,
    ...(complaints.length === 0 ? {} : { errors: complaints }),
    documentation_url: "https://docs.github.com/rest",
    status: String(status),
  },
});
