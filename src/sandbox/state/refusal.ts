import { TollgateError } from "../../kernel/errors.ts";

/** One entry of GitHub's list of what is wrong with a request. */
export interface Complaint {
  readonly resource: string;
  readonly field?: string;
  readonly code: string;
  readonly message?: string;
}

/** What GitHub refuses to do: an HTTP answer for a call to the API, an error with code "usage" for a verb. */
export class Refusal extends TollgateError {
  readonly status: number;
  readonly complaints: readonly Complaint[];

  constructor(status: number, message: string, complaints: readonly Complaint[] = []) {
    const because = complaints.map(
      (complaint) => complaint.message ?? `${complaint.field} ${complaint.code}`,
    );
    super("usage", message, because.length === 0 ? {} : { hint: because.join("; ") });
    this.status = status;
    this.complaints = complaints;
  }
}

export const notFound = (): Refusal => new Refusal(404, "Not Found");

/** 422 in the words of the API. */
export const invalid = (...complaints: readonly Complaint[]): Refusal =>
  new Refusal(422, "Validation Failed", complaints);
