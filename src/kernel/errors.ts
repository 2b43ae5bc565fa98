export type ErrorCode =
  | "settings_invalid"
  /** Tollgate does not start: of several problems the message lists each with its way out. */
  | "start_refused"
  /** The server cannot listen on its port. */
  | "port_unusable"
  | "data_directory_in_use"
  /** The operating system denies access to the data directory, or the directory belongs to another program. */
  | "data_directory_unusable"
  /** A stored record is missing or cannot be read. */
  | "database_damaged"
  /** The database was written by a version that this one cannot read. */
  | "database_version"
  /** A stored JSON value was written by a newer version, or damaged. */
  | "stored_value_unreadable"
  | "running_failed"
  | "database_connection_lost"
  /** The embedded database was closed before the statement was executed. */
  | "database_closed"
  /** The disk of PostgreSQL is full. */
  | "database_full"
  /** A proxy shares its connections to PostgreSQL, so that notifications cannot be received through it. */
  | "listen_impossible"
  /** PostgreSQL cannot be reached, refuses the user, or is too old. */
  | "database_unusable"
  | "migration_failed"
  | "usage"
  | "file_unreadable"
  | "file_not_recognised"
  | "github_failed"
  /** Our own limit of calls to the platform is reached. */
  | "platform_busy"
  /** GitHub refuses requests, because the token of a CI job lacks a permission. */
  | "token_permission_missing"
  | "platform_failed"
  | "queue_failed"
  | "evaluation_busy"
  /** A thread failed, or took more time or memory than it may. */
  | "thread_failed"
  | "internal";

export interface ErrorDetails {
  /**
   * What the reader can do about the error, as one sentence. Shown to people; contains no secret and no
   * cause.
   */
  readonly hint?: string;
  /** True when the same call may succeed later without any change. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/**
 * A failure that is not an expected outcome (those are unions). Callers decide by `code`, never by `message`.
 * `message` says where the failure is and what was found, `hint` says what to do, `cause` is for the log
 * only.
 */
export class TollgateError extends Error {
  override readonly name: string = "TollgateError";
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
export function assertNever(value: never): never {
  throw new TollgateError("internal", `a case is not handled: ${JSON.stringify(value)}`);
}
