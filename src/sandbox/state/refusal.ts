import { TollgateError } from "../../kernel/errors.ts";

/** One entry of GitHub's list of what is wrong with a request. */
export interface ValidationError {
  readonly resource: string;
  readonly field?: string;
  readonly code: string;
  readonly message?: string;
}

/** What GitHub refuses to do: an HTTP answer for a call to the API, an error with code "usage" for a verb. */
export class ApiRefusal extends TollgateError {
  readonly status: number;
  readonly complaints: readonly ValidationError[];

  constructor(status: number, message: string, complaints: readonly ValidationError[] = []) {
    const because = complaints.map(
      (complaint) => complaint.message ?? `${complaint.field} ${complaint.code}`,
    );
    super("usage", message, because.length === 0 ? {} : { hint: because.join("; ") });
    this.status = status;
    this.complaints = complaints;
  }
}

export const notFound = (): ApiRefusal => new ApiRefusal(404, "Not Found");

/** 422 in the words of the API. */
export const invalid = (...complaints: readonly ValidationError[]): ApiRefusal =>
  new ApiRefusal(422, "Validation Failed", complaints);
