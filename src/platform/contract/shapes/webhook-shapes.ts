import { z } from "zod";
import { identifier } from "./fields.ts";

/** Longest target address of a webhook, in characters. */
const MAX_URL = 2048;
const MAX_HEADERS = 20;
const MAX_HEADER_VALUE = 2048;

/** The placeholder for the value of a masked header; sending it back leaves the value unchanged. */
export const MASK = "******";

/**
 * The result of a delivery: delivered, failed and retried, or failed finally. Each interface writes it in its
 * own letter case.
 */
export const RESULTS = ["SUCCESS", "RETRIABLE_ERROR", "FATAL_ERROR"] as const;
export type WebhookResult = (typeof RESULTS)[number];

/** Events of a package registry, as written in a payload. */
export const ARTIFACT_EVENTS = ["artifact_created", "artifact_deleted"] as const;

/** Events of code hosting that a webhook can subscribe to. */
export const CODE_TRIGGERS = [
  "branch_created",
  "branch_updated",
  "branch_deleted",
  "tag_created",
  "tag_updated",
  "tag_deleted",
  "pullreq_created",
  "pullreq_reopened",
  "pullreq_branch_updated",
  "pullreq_closed",
  "pullreq_comment_created",
  "pullreq_comment_updated",
  "pullreq_comment_status_updated",
  "pullreq_merged",
  "pullreq_updated",
  "pullreq_label_assigned",
  "pullreq_review_submitted",
  "pullreq_target_branch_changed",
  "merge_queue_checks_requested",
  "merge_queue_checks_canceled",
  ...ARTIFACT_EVENTS,
] as const;
export type WebhookEvent = (typeof CODE_TRIGGERS)[number];

/** Identifier of a new webhook: never only digits, so that it differs from a numeric id. */
export const newIdentifier = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_.$-]{0,127}$/, "expected 1 to 128 of A-Z a-z 0-9 _ . $ -, a letter or _ first")
  .describe("Unique within the registry, repository or space. 1 to 128 characters, a letter or `_` first.");

export const targetUrl = z
  .string()
  .min(1)
  .max(MAX_URL)
  .describe(
    "Where deliveries go: http or https, at most 2,048 characters, without user and password. Loopback, private and other special addresses are refused unless the operator allows them.",
  );

export const insecure = z
  .boolean()
  .describe("True: the target's TLS certificate is not verified. Every other check stays.");

export const description = z.string().max(4096);
export const displayName = z.string().min(1).max(256);

/** A header of every delivery, as a caller writes it. */
export const NewHeader = z.object({
  key: z
    .string()
    .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}$/, "expected the name of a header")
    .describe("Name of the header."),
  value: z
    .string()
    .max(MAX_HEADER_VALUE)
    .regex(/^[\t\x20-\x7e]*$/, "expected printable ASCII")
    .describe(
      "Printable ASCII, at most 2,048 characters. `******` with `masked` keeps the value that is stored.",
    ),
  masked: z.boolean().default(false).describe("True: the value is sent but never shown again."),
});
export type NewHeader = z.output<typeof NewHeader>;
export const newHeaders = z.array(NewHeader).max(MAX_HEADERS);

/** A header as a reader sees it: `******` in place of a masked value. */
export const ShownHeader = z.object({ key: z.string(), value: z.string(), masked: z.boolean().nullish() });

/** The sent request. All members are texts; headers are one per line. */
const SentRequest = z
  .object({ url: z.string(), headers: z.string(), body: z.string() })
  .partial()
  .meta({ id: "WebhookExecutionRequest", description: "What was sent. Masked headers are `******`." });

/** What an execution of a webhook says about its request, whoever names its other members. */
export const requestMembers = {
  duration: z.int().describe("Nanoseconds from the first byte sent to the end of the answer."),
  error: z.string().nullish().describe("Why it failed; absent or empty when it did not."),
  request: SentRequest.nullish(),
};

export const hookParam = identifier.describe("Identifier of the webhook.");
