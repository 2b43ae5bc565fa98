import type { Endpoint } from "../../platform/contract/endpoint.ts";
import type { ApiFailure } from "../../wiring/platform/api.ts";
import type { ExitCode, Output } from "../command.ts";

/** Tells why a call brought no answer, and the way out. */
export function tellFailure(endpoint: Endpoint, failure: ApiFailure, output: Output): ExitCode {
  const { message, code, correlationId } = failure;
  const names = [code === null ? "" : `code ${code}`, correlationId === null ? "" : `call ${correlationId}`];
  const known = names.filter((name) => name !== "").join(", ");
  output.message(known === "" ? message : `${message} (${known})`);
  output.message(wayOut(endpoint, failure));
  return exitCodeOf(failure);
}

/** 1: the platform refused; 2: the call was not made, because it breaks the contract; 3: whether it would was not to be learnt. */
export function exitCodeOf({ kind, status }: ApiFailure): ExitCode {
  if (kind === "rejected") return status === null ? 2 : 1;
  return kind === "unauthorised" || kind === "forbidden" || kind === "not_found" ? 1 : 3;
}

function wayOut({ area, operation }: Endpoint, { kind, retryAfterMs }: ApiFailure): string {
  if (kind === "rate_limited" && retryAfterMs !== null)
    return `Wait ${Math.ceil(retryAfterMs / 1000)} s and run it again.`;
  return WAYS_OUT[kind](`tollgate api ${area} ${operation}`);
}

const WAYS_OUT: Readonly<Record<ApiFailure["kind"], (command: string) => string>> = {
  not_found: () => "Check the ids; what belongs to another account is not found either.",
  unauthorised: () =>
    "Give a token that is valid there: `tollgate token create --for api` makes one for the embedded platform.",
  forbidden: () => "Check --account, org and project; a token for one project opens no other.",
  rate_limited: () => "Wait a minute and run it again.",
  unavailable: () => "Run it again later; if it stays so, check that the platform runs at this address.",
  timed_out: () =>
    "Run it again later; a write may have been done all the same, so look before you repeat it.",
  malformed: () => "Check the address, the prefix (PLATFORM_PREFIX) and the dialect (--dialect).",
  too_large: () => "Ask for fewer items at once.",
  rejected: (command) => `Run \`${command} --help\` for what it takes.`,
};
