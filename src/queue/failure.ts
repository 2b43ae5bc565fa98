import { redactCredentials } from "../kernel/redact-credentials.ts";
import { toStorableText } from "../kernel/storable.ts";

/**
 * The part of an error that is stored with a failed job: message and code. pg-boss would store every member of the error, and
 * libraries attach requests with their credentials. A text that no database stores would leave the job unfinished.
 */
export class JobFailure extends Error {
  override readonly name = "JobFailure";
  readonly code: string | undefined;

  constructor(error: unknown) {
    super(toStorableText(redactCredentials(error instanceof Error ? error.message : String(error))));
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    this.code = typeof code === "string" ? toStorableText(code) : undefined;
    this.stack = `${this.name}: ${this.message}`;
  }
}
