import { z } from "zod";
import type { ServiceEnvelope } from "../contract/apis.ts";
import type { ErrorStatus } from "../contract/endpoint.ts";

const GoaError = z
  .object({
    name: z.string().describe("The kind of error, e.g. `not_found`."),
    id: z.string().describe("Names this one answer."),
    message: z.string().describe("What is wrong, for people."),
    temporary: z.boolean().describe("The same call may succeed later."),
    timeout: z.boolean(),
    fault: z.boolean().describe("The service's own fault, not the caller's."),
  })
  .meta({ id: "GoaError" });

const ErrorMetadata = z.looseObject({ type: z.string() }).nullable();

const CostError = z
  .looseObject({
    status: z
      .enum(["FAILURE", "ERROR"])
      .describe("`FAILURE`: the request is wrong; `ERROR`: the service failed."),
    code: z.string().describe("One of the service's codes, e.g. `INVALID_REQUEST`."),
    message: z.string().describe("What is wrong, for people."),
    correlationId: z.string().nullable().describe("Names this call; quote it when asking about it."),
    errors: z
      .array(z.looseObject({ fieldId: z.string(), error: z.string() }))
      .optional()
      .describe("What is wrong with single members of the request."),
    errorMetadata: ErrorMetadata.optional(),
    metadata: ErrorMetadata.optional(),
  })
  .meta({ id: "CostError" });

const FlagsError = z
  .looseObject({
    code: z.string().describe("The status as text."),
    message: z.string().describe("What is wrong, for people."),
    details: z.looseObject({}).optional(),
  })
  .meta({ id: "FlagsError" });

const RegistryError = z
  .looseObject({
    code: z.string().describe("The status as text."),
    message: z.string().describe("What is wrong, for people."),
    details: z.looseObject({}).optional(),
  })
  .meta({ id: "RegistryError" });

const CodeError = z
  .looseObject({
    message: z.string().describe("What is wrong, for people."),
    values: z.looseObject({}).optional(),
  })
  .meta({ id: "CodeError" });

/** The shape of an error answer of each envelope. */
export const ERROR_SHAPES: Readonly<Record<ServiceEnvelope, z.ZodType>> = {
  goa: GoaError,
  cost: CostError,
  flags: FlagsError,
  registry: RegistryError,
  code: CodeError,
};

/** The meaning of each status, for every operation. */
export const ERROR_WORDS: Readonly<Record<ErrorStatus, string>> = {
  400: "The request breaks the contract; the message names every problem.",
  401: "`x-api-key` holds no valid token.",
  403: "The token does not open this account, organisation or project.",
  404: "There is no such thing, or this token may not know of it.",
  408: "The service gave up waiting.",
  409: "It contradicts what is already there.",
  412: "What the request builds on is not there, or not in the state it needs.",
  413: "The body is larger than this operation takes.",
  415: "The body's media type is none that this operation takes.",
  423: "It is locked: somebody forbade it, or is changing it.",
  429: "Too many calls; wait and try again.",
  499: "The connection ended before the request was complete.",
  500: "The service failed; its operator's log says why.",
  502: "A service behind this one failed.",
};
