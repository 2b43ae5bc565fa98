import { z } from "zod";

/**
 * An execution that a delivery named, so that its evaluation can read it early. It proves nothing, because whoever posts a status
 * chooses its URL: which executions count is read from the head and the store. `posterId`: of the account that posted the status, or
 * of the check's App.
 */
export const NamedExecution = z.discriminatedUnion("by", [
  z.object({ by: z.enum(["status", "check"]), posterId: z.int(), url: z.string() }),
  z.object({
    by: z.literal("notification"),
    org: z.string(),
    project: z.string(),
    executionId: z.string(),
  }),
]);
export type NamedExecution = Readonly<z.infer<typeof NamedExecution>>;
