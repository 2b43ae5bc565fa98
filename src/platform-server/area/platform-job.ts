import { z } from "zod";

/**
 * Work that an operation started and that continues after its answer, on the same queue as the bot's jobs.
 */
export const PlatformJob = z.discriminatedUnion("kind", [
  /** A bulk change of settings over every workspace of a project (provisioning 4.1). */
  z.object({ kind: z.literal("settings"), account: z.string(), jobId: z.int() }),
  /** One delivery of a webhook (document 1, section 6). */
  z.object({ kind: z.literal("webhook-delivery"), account: z.string(), deliveryId: z.int() }),
]);
export type PlatformJob = z.output<typeof PlatformJob>;
