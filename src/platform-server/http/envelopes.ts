import type { ServiceEnvelope } from "../../platform/contract/apis.ts";
import { type Problem, type ProblemName, STATUS } from "../area/problem.ts";

type ErrorBody = Readonly<Record<string, unknown>>;

/** How each family of services encodes a problem. `requestId` identifies the call. */
export const ENVELOPES: Readonly<
  Record<ServiceEnvelope, (problem: Problem, requestId: string) => ErrorBody>
> = {
  goa: ({ problem, message }, id) => ({
    name: problem,
    id,
    message,
    temporary: problem === "context_cancelled",
    timeout: problem === "timeout",
    fault: isFault(problem),
  }),
  cost: (problem, id) =>
    isFault(problem.problem) ? createCostErrorBody(problem, id) : createCostFailureBody(problem, id),
  flags: (problem) => ({
    code: `${STATUS[problem.problem]}`,
    message: problem.message,
    details: groupErrorsByField(problem),
  }),
  registry: (problem) => ({
    code: `${STATUS[problem.problem]}`,
    message: problem.message,
    status: isFault(problem.problem) ? "ERROR" : "FAILURE",
    ...(problem.fields === undefined ? {} : { details: groupErrorsByField(problem) }),
  }),
  code: (problem) => ({ message: problem.message, values: groupErrorsByField(problem) }),
};

const isFault = (problem: ProblemName): boolean => STATUS[problem] >= 500;

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
