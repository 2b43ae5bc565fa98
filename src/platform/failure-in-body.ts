import { APIS } from "./contract/apis.ts";
import type { Endpoint } from "./contract/endpoint.ts";
import { getAtPath } from "./contract/wire/paths.ts";
import { type Failure, getFailureKind } from "./errors.ts";

/** A failure stated in the body of a 2xx, and the stated word. */
interface StatedFailure {
  readonly kind: Failure["kind"];
  readonly failureWord: string;
}

/**
 * Returns the failure stated in the body of a 2xx; null without one. Cost management and the registry state it in
 * `status` (documents 1, 2.3 and 7, and 2, 2.1), feature flags in `code`, which is an HTTP status as text (1, 2.4).
 * In other services these names mean something else: a job has a `status` of its own.
 */
export function findFailureInBody({ api }: Endpoint, json: unknown): StatedFailure | null {
  switch (APIS[api].envelope) {
    case "cost":
    case "registry":
      return findStatusFailure(getAtPath(json, ["status"]));
    case "flags":
      return findCodeFailure(getAtPath(json, ["code"]));
    case "goa":
    case "code":
      return null;
  }
}

/** `FAILURE` means a refused request (4xx), `ERROR` a failed service (5xx). */
function findStatusFailure(status: unknown): StatedFailure | null {
  const failureWord = typeof status === "string" ? status.toUpperCase() : "";
  if (failureWord === "FAILURE") return { kind: "rejected", failureWord };
  return failureWord === "ERROR" ? { kind: "unavailable", failureWord } : null;
}

function findCodeFailure(code: unknown): StatedFailure | null {
  const text = typeof code === "string" || typeof code === "number" ? `${code}` : "";
  return /^[45]\d\d$/.test(text) ? { kind: getFailureKind(Number(text)), failureWord: `code ${text}` } : null;
}
