import { redactCredentials } from "../kernel/redact-credentials.ts";
import { storableText } from "../kernel/storable.ts";

/**
 * What is kept with a job that failed: message and code alone. The queue would keep every member of an error, and libraries hang
 * requests and their credentials on theirs; and it could not keep a text that no database takes, so that the job would hang.
 */
export class JobFailure extends Error {
  override readonly name = "JobFailure";
  readonly code: string | undefined;

  constructor(error: unknown) {
    super(storableText(redactCredentials(error instanceof Error ? error.message : String(error))));
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    this.code = typeof code === "string" ? storableText(code) : undefined;
    this.stack = `${this.name}: ${this.message}`;
  }
}
