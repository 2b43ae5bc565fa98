import type { ErrorStatus } from "../../platform/contract/endpoint.ts";

/** The named errors of the three documents and of HTTP (413, 415), with their statuses. */
export const STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  timeout: 408,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  locked: 423,
  context_cancelled: 499,
  internal_server_error: 500,
} as const satisfies Readonly<Record<string, ErrorStatus>>;
export type ProblemName = keyof typeof STATUS;

export interface FieldProblem {
  readonly field: string;
  readonly error: string;
}

/** An error answer. The caller reads `message`: it must not contain causes, secrets or data of another tenant. */
export interface Problem {
  readonly problem: ProblemName;
  readonly message: string;
  /** The service's own error code (cost management, section 7); absent: the usual code of the status. */
  readonly code?: string;
  readonly fields?: readonly FieldProblem[];
}

/** Ends a request with an error answer; inside a transaction, nothing of it is stored. */
export class Refusal extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** @throws Refusal */
export function refuse(
  problem: ProblemName,
  message: string,
  more: Pick<Problem, "code" | "fields"> = {},
): never {
  throw new Refusal({ problem, message, ...more });
}

/** Refuses a request of cost management about something that there is not: it has no status for it, only a code. */
export const refuseUnknown = (message: string, fields: readonly FieldProblem[] = []): never =>
  refuse("bad_request", message, { code: "RESOURCE_NOT_FOUND", fields });

const MAX_FIELDS = 10;

/** Refuses members with unusable values, in the form of cost management's section 7; it lists at most ten. */
export function refuseFields(all: readonly FieldProblem[]): never {
  const fields = all.slice(0, MAX_FIELDS);
  const listed = fields.map(({ field, error }) => `${field}: ${error}`);
  const rest = all.length > MAX_FIELDS ? [`and ${all.length - MAX_FIELDS} more`] : [];
  refuse("bad_request", [...listed, ...rest].join("; "), { code: "INVALID_ARGUMENT", fields });
}
