import { TollgateError } from "../../src/kernel/errors.ts";

/** One entry of GitHub's list of problems of a request. */
export interface ValidationError {
  readonly resource: string;
  readonly field?: string;
  readonly code: string;
  readonly message?: string;
}

/** A refusal by GitHub: an HTTP answer to an API call, an error with code "usage" from a verb. */
export class ApiRefusal extends TollgateError {
  readonly status: number;
  readonly complaints: readonly ValidationError[];
  /** Permissions of which one would have sufficed, as in `X-Accepted-GitHub-Permissions`; empty: not stated. */
  readonly accepted: string;

  constructor(status: number, message: string, complaints: readonly ValidationError[] = [], accepted = "") {
    const because = complaints.map(
      (complaint) => complaint.message ?? `${complaint.field} ${complaint.code}`,
    );
    super("usage", message, because.length === 0 ? {} : { hint: because.join("; ") });
    this.status = status;
    this.complaints = complaints;
    this.accepted = accepted;
  }
}

export const notFound = (): ApiRefusal => new ApiRefusal(404, "Not Found");

/** Returns a refusal with status 422 in the API's form. */
export const invalid = (...complaints: readonly ValidationError[]): ApiRefusal =>
  new ApiRefusal(422, "Validation Failed", complaints);
