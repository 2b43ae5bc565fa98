import { z } from "zod";
import { declareEndpoint } from "./endpoint.ts";
import { identifier } from "./shapes/fields.ts";
import { CODE_TRIGGERS } from "./shapes/webhook-shapes.ts";

const members = z.record(z.string(), z.unknown());
const text = z.string().max(4096);

/**
 * The properties of an event, with the members of its payload. The platform adds the trigger, and the
 * principal and scope if they are not stated.
 */
export const EventPayload = z
  .strictObject({
    trigger: z.enum(CODE_TRIGGERS).optional().describe("May repeat the event; nothing else."),
    registry: members
      .optional()
      .describe("Description and url of the registry; id and name are the platform's."),
    artifact_info: z
      .looseObject({ type: text, name: text, version: text.optional(), artifact: members.optional() })
      .optional(),
    repo: members
      .optional()
      .describe("What is known of the repository; id, path and identifier are the platform's."),
    principal: members.optional().describe("Who caused it; absent: the calling token."),
    pull_req: members.optional(),
    target_ref: members.optional(),
    ref: members.optional(),
    sha: text.optional(),
    head_commit: members.optional(),
    commits: z.array(members).max(1000).optional(),
    total_commits_count: z.int().min(0).optional(),
    commit: members.optional(),
    old_sha: text.optional(),
    forced: z.boolean().optional(),
  })
  .meta({ id: "EventPayload" });

export const EmitBody = z
  .strictObject({
    event: z.enum(CODE_TRIGGERS),
    registry_ref: z
      .string()
      .max(520)
      .optional()
      .describe(
        "Where it happened: `account/registry/+`, with org and project between them where there are any.",
      ),
    repository: identifier.optional().describe("Where it happened: identifier of a repository."),
    org: identifier.optional().describe("Organisation of the repository."),
    project: identifier.optional().describe("Project of the repository."),
    payload: EventPayload.optional(),
  })
  .meta({ id: "EmitRequest" });
export type EmitBody = z.output<typeof EmitBody>;

/** Reports an event in a registry or a repository, which a full platform detects itself. */
export const emitEvent = declareEndpoint({
  api: "tollgate",
  area: "tollgate",
  operation: "emit",
  method: "POST",
  path: "/tollgate/v1/emit",
  summary: "Tell the webhooks of a registry or a repository of an event",
  description:
    "Give either `registry_ref` or `repository`. Each enabled webhook that asks for the event gets one delivery, which is queued before the answer; webhooks of the spaces that a repository lies in get theirs too. Needs a token of the whole account.",
  source: "Tollgate",
  body: EmitBody,
  response: z.object({
    event: z.string(),
    deliveries: z.array(
      z.object({ delivery_id: z.int(), webhook_id: z.int(), webhook_identifier: z.string() }),
    ),
  }),
  status: 202,
  errors: [400, 401, 403, 413, 415, 500],
  extra: true,
});
