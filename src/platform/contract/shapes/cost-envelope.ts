import { z } from "zod";
import { openEnum, orNull } from "./fields.ts";

/** The result of a call, which cost management states in every body (cost management 2.1). */
export const COST_STATUSES = ["SUCCESS", "FAILURE", "ERROR"] as const;

/**
 * The shape of every success of cost management: `data` is the operation's result, `correlationId` identifies
 * the call.
 */
export const wrapInEnvelope = <S extends z.ZodType>(data: S) =>
  z.object({
    status: openEnum(COST_STATUSES).describe("`SUCCESS` in every answer that is not an error."),
    data,
    metaData: orNull(z.record(z.string(), z.unknown()).nullable()).describe("Always null."),
    correlationId: orNull(z.string()).describe("Names this call; quote it when asking about it."),
  });

/** `data` of an operation without a result: written as null, and read as null from any value. */
export const nothing = z.preprocess(() => null, z.null()) as z.ZodType<null, null>;

/** Creates a body of shape `wrapped`. A handler's context is the `call`. */
export const createSuccess = <T>(data: T, call: { readonly requestId: string }) =>
  ({ status: "SUCCESS", data, metaData: null, correlationId: call.requestId }) as const;
