import type { Job, JobResult } from "pg-boss";
import { TollgateError } from "../kernel/errors.ts";
import { redactCredentials } from "../kernel/redact-credentials.ts";
import { toStorableText } from "../kernel/storable.ts";
import { findDatabaseFault } from "../store/database/faults.ts";
import { isConnectionLost } from "../store/database/lost-connection.ts";
import { OWN_RETRIES } from "./names.ts";

/**
 * The result of a job that failed, as it is stored: message and code. pg-boss would store every member of the error, and libraries attach
 * requests with their credentials. A text that no database stores would leave the job unfinished.
 *
 * An outage of GitHub or the database ends by itself, so the job is retried as often as its queue allows; any other failure ends the job
 * after `OWN_RETRIES`.
 */
export function toFailedResult(
  { id, retryCount }: Pick<Job, "id" | "retryCount">,
  error: unknown,
): JobResult {
  const message = toStorableText(redactCredentials(error instanceof Error ? error.message : String(error)));
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return {
    id,
    status: retryCount >= OWN_RETRIES && !isOutage(error) ? "deadletter" : "failed",
    output: { message, ...(typeof code === "string" && { code: toStorableText(code) }) },
  };
}

const isOutage = (error: unknown): boolean =>
  (error instanceof TollgateError && error.retryable) ||
  isConnectionLost(error) ||
  findDatabaseFault(error) !== null;
