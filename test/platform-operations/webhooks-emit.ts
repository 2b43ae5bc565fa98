import { expect } from "vitest";
import { spaceWebhooks } from "../../src/platform/contract/code-webhooks.ts";
import type { emitEvent } from "../../src/platform/contract/own-operations.ts";
import type { OperationCases, Stage } from "./case.ts";
import { URL_OF_HOOK } from "./webhooks-stage.ts";

const PLACE = { repository: "shop", org: "acme", project: "payments" };
const EVENT = { event: "branch_updated" as const, ...PLACE };
const create = (stage: Stage) =>
  stage.call(spaceWebhooks.createSpaceWebhook, { query: {}, body: { identifier: "hook", url: URL_OF_HOOK } });

/** Events that are told to webhooks. */
export const emitCases: OperationCases<{ readonly emitEvent: typeof emitEvent }> = {
  emitEvent: {
    arrange: create,
    input: { body: { ...EVENT, payload: { sha: "abc", forced: false } } },
    expect: ({ event, deliveries }, stage) => {
      expect(event).toBe("branch_updated");
      expect(deliveries).toMatchObject([{ webhook_identifier: "hook" }]);
      const [one] = deliveries;
      expect(stage.jobs).toContainEqual({
        kind: "webhook-delivery",
        account: stage.account,
        deliveryId: one?.delivery_id,
      });
    },
    errors: {
      400: { input: { body: { ...EVENT, org: undefined } }, says: "orgIdentifier" },
      403: {
        input: { body: { event: "artifact_created", registry_ref: "another-account/images/+" } },
        says: "account",
      },
    },
    limits: [
      { at: "body.event", good: ["tag_created"] },
      { at: "body.repository", bad: ["a/b", ".."] },
      {
        at: "body",
        bad: [
          { event: "artifact_created" },
          { ...EVENT, registry_ref: "a/b/+" },
          { event: "branch_updated", registry_ref: "a/b/+" },
          { ...EVENT, payload: { trigger: "tag_created" } },
          { ...EVENT, payload: { nonsense: 1 } },
          { event: "artifact_created", registry_ref: "a/../b/+" },
        ],
      },
    ],
  },
};
