import { z } from "zod";
import type { Delivery } from "../github/webhooks/payload/lane-event.ts";
import { jsonColumn } from "../store/json/stored-json.ts";
import { JobOrigin } from "../telemetry/job-origin.ts";

const source = {
  installationId: z.int(),
  repository: z.object({ id: z.int(), owner: z.string(), name: z.string() }),
};
const commit = { sha: z.string(), pulls: z.array(z.int()) };
const written = { nodeId: z.string(), authorId: z.int().nullable() };

const event = z.discriminatedUnion("kind", [
  z.object({
    ...source,
    kind: z.literal("pull"),
    action: z.enum([
      "opened",
      "reopened",
      "synchronize",
      "retargeted",
      "ready_for_review",
      "converted_to_draft",
      "labeled",
      "unlabeled",
      "unlocked",
      "closed",
    ]),
    number: z.int(),
    headSha: z.string(),
    baseRef: z.string(),
    senderId: z.int().nullable(),
  }),
  z.object({
    ...source,
    kind: z.literal("policy_push"),
    ref: z.string(),
    organisation: z.boolean(),
    ownerId: z.int(),
  }),
  z.object({
    ...source,
    ...commit,
    kind: z.literal("commit"),
    cause: z.enum(["status", "check_run", "check_suite"]),
    isRunning: z.boolean().optional(),
    named: z
      .object({ by: z.enum(["status", "check"]), posterId: z.int(), url: z.string() })
      .optional()
      .catch(undefined),
  }),
  z.object({ ...source, ...commit, kind: z.literal("recheck"), checkRunId: z.int().nullable() }),
  z.object({
    ...source,
    ...written,
    kind: z.literal("comment"),
    action: z.enum(["created", "edited", "deleted"]),
    number: z.int(),
    commentId: z.int(),
    senderId: z.int().nullable(),
  }),
  z.object({
    ...source,
    ...written,
    kind: z.literal("review"),
    action: z.enum(["submitted", "edited", "dismissed"]),
    number: z.int(),
    reviewId: z.int(),
    commitSha: z.string().nullable(),
    objects: z.boolean(),
  }),
  z.object({
    ...source,
    kind: z.literal("merge_group"),
    action: z.enum(["checks_requested", "destroyed"]),
    headSha: z.string(),
    headRef: z.string(),
    baseRef: z.string(),
    baseSha: z.string(),
  }),
  z.object({
    ...source,
    kind: z.literal("repository"),
    action: z.enum(["renamed", "transferred", "publicized", "privatized"]),
    ownerId: z.int(),
  }),
  z.object({ kind: z.literal("authorization_revoked"), userId: z.int() }),
  z.object({
    kind: z.literal("installation"),
    action: z.enum([
      "created",
      "deleted",
      "suspend",
      "unsuspend",
      "new_permissions_accepted",
      "repositories_added",
      "repositories_removed",
      "renamed",
    ]),
    installationId: z.int(),
    accountId: z.int().nullable(),
    account: z.string().nullable(),
    selection: z.enum(["all", "selected"]).nullable(),
    repositoryIds: z.array(z.int()).nullable(),
  }),
]);

export const delivery = z.object({ id: z.string(), event, origin: JobOrigin.optional().catch(undefined) });

/** `origin`: where its span and its time began; absent: nothing was measured. */
export interface QueuedDelivery extends Delivery {
  readonly origin?: JobOrigin | undefined;
}

/** A verified delivery as the queue stores it until it is handled. */
export const queuedDelivery = jsonColumn<QueuedDelivery>({
  name: "the delivery",
  hint: "Start the version of Tollgate that accepted it, or have GitHub deliver it again.",
  schema: delivery,
});
