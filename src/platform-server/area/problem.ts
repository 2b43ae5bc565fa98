import type { COMMON_ERRORS, Endpoint, ErrorStatus } from "../../platform/contract/endpoint.ts";

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

/**
 * An error answer. The caller reads `message`: it must not contain causes, secrets or data of another tenant.
 */
export interface Problem<Name extends ProblemName = ProblemName> {
  readonly problem: Name;
  readonly message: string;
  /**
   * The service's own error code where its envelope has one (cost management, section 7); absent: the usual
   * code of the status.
   */
  readonly code?: string;
  /** Problems of single members of the request, by path. */
  readonly fields?: readonly { readonly field: string; readonly error: string }[];
}

export const createProblem = <const Name extends ProblemName>(
  name: Name,
  message: string,
  more: Pick<Problem, "code" | "fields"> = {},
): Problem<Name> => ({ problem: name, message, ...more });

/** Creates the problem of members with unusable values, in the form of cost management's section 7; it lists at most ten. */
export function invalidFields(all: NonNullable<Problem["fields"]>): Problem<"bad_request"> {
  const fields = all.slice(0, MAX_FIELDS);
  const listed = fields.map(({ field, error }) => `${field}: ${error}`);
  const rest = all.length > MAX_FIELDS ? [`and ${all.length - MAX_FIELDS} more`] : [];
  return createProblem("bad_request", [...listed, ...rest].join("; "), { code: "INVALID_ARGUMENT", fields });
}

const MAX_FIELDS = 10;

export const isProblem = <T extends object>(value: T): value is Extract<T, Problem> => "problem" in value;

type NamesOf<Status extends ErrorStatus> = {
  [Name in ProblemName]: (typeof STATUS)[Name] extends Status ? Name : never;
}[ProblemName];

/** The problems that an endpoint's declaration allows; the compiler rejects any other status. */
export type ProblemFor<E extends Endpoint> = Problem<
  NamesOf<E["errors"][number] | (typeof COMMON_ERRORS)[number]>
>;
