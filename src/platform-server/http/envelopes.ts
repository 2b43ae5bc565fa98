import type { ServiceEnvelope } from "../../platform/contract/apis.ts";
import { type Problem, type ProblemName, STATUS } from "../area/problem.ts";

/** The body of an error answer, and its media type where it is not plain JSON. */
export interface ErrorBody {
  readonly body: Readonly<Record<string, unknown>>;
  readonly mediaType?: string;
}

/** How each family of services encodes a problem. `requestId` identifies the call. */
export const ENVELOPES: Readonly<
  Record<ServiceEnvelope, (problem: Problem, requestId: string) => ErrorBody>
> = {
  goa: ({ problem, message }, id) => ({
    body: {
      name: problem,
      id,
      message,
      temporary: problem === "context_cancelled",
      timeout: problem === "timeout",
      fault: STATUS[problem] >= 500,
    },
    mediaType: "application/vnd.goa.error",
  }),
  cost: (problem, id) => ({
    body:
      STATUS[problem.problem] >= 500 ? createCostErrorBody(problem, id) : createCostFailureBody(problem, id),
  }),
  flags: (problem) => ({
    body: {
      code: `${STATUS[problem.problem]}`,
      message: problem.message,
      details: groupErrorsByField(problem),
    },
  }),
  registry: (problem) => ({
    body: {
      code: `${STATUS[problem.problem]}`,
      message: problem.message,
      status: STATUS[problem.problem] >= 500 ? "ERROR" : "FAILURE",
      ...(problem.fields === undefined ? {} : { details: groupErrorsByField(problem) }),
    },
  }),
  code: (problem) => ({ body: { message: problem.message, values: groupErrorsByField(problem) } }),
};

const groupErrorsByField = ({ fields = [] }: Problem): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map(({ field, error }) => [field, error]));

/** Cost management's word for each condition (its section 7 lists the words, not when they are said). */
const COST_CODES: Readonly<Record<ProblemName, string>> = {
  bad_request: "INVALID_REQUEST",
  unauthorized: "INVALID_TOKEN",
  forbidden: "NG_ACCESS_DENIED",
  not_found: "RESOURCE_NOT_FOUND",
  timeout: "REQUEST_TIMEOUT",
  conflict: "RESOURCE_ALREADY_EXISTS",
  precondition_failed: "ILLEGAL_STATE",
  payload_too_large: "INVALID_ARGUMENT",
  unsupported_media_type: "INVALID_FORMAT",
  locked: "ILLEGAL_STATE",
  context_cancelled: "REQUEST_TIMEOUT",
  internal_server_error: "UNKNOWN_ERROR",
};

const chooseCostCode = ({ code, problem, fields = [] }: Problem): string =>
  code ?? (problem === "bad_request" && fields.length > 0 ? "SCHEMA_VALIDATION_FAILED" : COST_CODES[problem]);

/** Cost management 2.1. */
const createCostFailureBody = (problem: Problem, correlationId: string) => ({
  status: "FAILURE",
  code: chooseCostCode(problem),
  message: problem.message,
  correlationId,
  errors: (problem.fields ?? []).map(({ field, error }) => ({ fieldId: field, error })),
});

/** Cost management 2.2. */
const createCostErrorBody = (problem: Problem, correlationId: string) => ({
  status: "ERROR",
  code: chooseCostCode(problem),
  message: problem.message,
  correlationId,
  detailedMessage: problem.message,
  responseMessages: [
    {
      code: chooseCostCode(problem),
      level: "ERROR",
      message: problem.message,
      exception: null,
      failureTypes: [],
      failureSubTypes: [],
      additionalInfo: {},
    },
  ],
  metadata: null,
});
