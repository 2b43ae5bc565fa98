/** Everything that can go wrong in a way a person must hear about has one of these codes. */
export type ErrorCode =
  | "settings_invalid"
  | "data_directory_in_use"
  /** The operating system keeps the data directory from us, or it is none of ours. */
  | "data_directory_unusable"
  /** Something that was recorded is missing or cannot be read. */
  | "database_damaged"
  /** The database was written by another version, which this one cannot read. */
  | "database_version"
  | "running_failed"
  | "database_connection_lost"
  | "migration_failed"
  | "usage"
  | "file_unreadable"
  | "file_not_recognised"
  | "github_failed"
  | "platform_failed"
  | "queue_failed"
  | "evaluation_busy"
  | "internal";

export interface ErrorDetails {
  /** What the reader can do about it, as one plain sentence. Shown to people; holds no secret and no cause. */
  readonly hint?: string;
  /** True when the same call may succeed later without anybody changing anything. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/**
 * A failure that is not an expected outcome (those are unions). Callers decide by `code`, never by `message`;
 * `message` says where and what was found, `hint` says the way out, `cause` is for the log only.
 */
export class TollgateError extends Error {
  override readonly name = "TollgateError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.retryable = details.retryable ?? false;
  }
}

/** For the default branch of a switch over a closed union: a new member does not compile until it is handled. */
export function unreachable(value: never): never {
  throw new TollgateError("internal", `a case is not handled: ${JSON.stringify(value)}`);
}
