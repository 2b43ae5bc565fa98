import type { Clock } from "../../src/kernel/clock.ts";
import type { FaultKind } from "./faults.ts";
import { JSON_TYPE, type WireAnswer } from "./finish-answer.ts";

/** The kinds of faults that replace the real answer. */
type AnsweringFault = Extract<
  FaultKind,
  { kind: "status" | "html" | "redirect" | "secondary-limit" | "primary-limit" }
>;

/** Returns the answer of a fault that replaces the real one. */
export function buildFaultAnswer(fault: AnsweringFault, at: { clock: Clock; graphql: boolean }): WireAnswer {
  switch (fault.kind) {
    case "status":
      return buildJsonAnswer(fault.status, fault.message ?? "Server Error", fault.headers);
    case "html":
      return { status: fault.status ?? 200, headers: { "content-type": "text/html" }, body: UNICORN_PAGE };
    case "redirect":
      return buildJsonAnswer(fault.status, "Moved", { location: fault.location });
    case "secondary-limit": {
      const wait: Record<string, string> =
        fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
      return buildJsonAnswer(403, SECONDARY_LIMIT_MESSAGE, wait);
    }
    case "primary-limit":
      return buildPrimaryLimitAnswer(at.clock.now() + (fault.resetIn ?? 60) * 1000, at.graphql);
  }
}

const SECONDARY_LIMIT_MESSAGE =
  "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. " +
  "If you reach out to GitHub Support for help, please include the request ID.";

const UNICORN_PAGE = Buffer.from(
  "<!DOCTYPE html><html><head><title>Unicorn! &middot; GitHub</title></head>" +
    "<body><p><strong>We had issues producing the response to your request.</strong></p></body></html>",
);

/** Returns the answer of an exhausted primary limit; GraphQL sends it with status 200. */
function buildPrimaryLimitAnswer(reset: number, graphql: boolean): WireAnswer {
  const headers = {
    "x-ratelimit-limit": "5000",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-used": "5000",
    "x-ratelimit-reset": String(Math.ceil(reset / 1000)),
    "x-ratelimit-resource": graphql ? "graphql" : "core",
  };
  const message = "API rate limit exceeded for installation.";
  if (!graphql) return buildJsonAnswer(403, message, headers);
  const body = Buffer.from(JSON.stringify({ errors: [{ type: "RATE_LIMITED", message }] }));
  return { status: 200, headers: { "content-type": JSON_TYPE, ...headers }, body };
}

function buildJsonAnswer(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): WireAnswer {
  const text = JSON.stringify({
    message,
    documentation_url: "https://docs.github.com/rest",
    status: String(status),
  });
  return { status, headers: { "content-type": JSON_TYPE, ...headers }, body: Buffer.from(text) };
}
