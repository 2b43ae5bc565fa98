import { expect } from "vitest";
import { registryWebhooks } from "../../src/platform/contract/registry-webhooks.ts";
import type { OperationCases, Stage } from "./case.ts";
import { delivered, executionOf, NO_INVENTORY, UNKNOWN, URL_OF_HOOK } from "./webhooks-stage.ts";

const BODY = {
  identifier: "hook",
  name: "Hook",
  url: URL_OF_HOOK,
  enabled: true,
  insecure: false,
  triggers: ["ARTIFACT_CREATION" as const],
};
const MASKED = { ...BODY, extraHeaders: [{ key: "X-Key", value: "hidden", masked: true }] };
const FORBIDDEN = { ...BODY, url: "http://127.0.0.1/" };

const inRegistry = ({ account }: Stage) => ({ registry_ref: `${account}/acme/payments/images/+` });
const hook = (stage: Stage, webhook_identifier = "hook") => ({ ...inRegistry(stage), webhook_identifier });
const execution = (stage: Stage, webhook_execution_id: number) => ({ ...hook(stage), webhook_execution_id });
const theExecution = async (stage: Stage) => ({ params: execution(stage, await executionOf(stage)) });
const create = (stage: Stage) =>
  stage.call(registryWebhooks.createRegistryWebhook, { params: inRegistry(stage), body: BODY });
const sent = async (stage: Stage) => {
  await create(stage);
  await delivered(stage, "artifact_created");
};

const bodyLimits = [
  { at: "body.identifier", good: ["a".repeat(128), "_a.b-$"], bad: ["a".repeat(129), "1a", "a b", "a/b"] },
  { at: "body.name", good: ["n".repeat(256)] },
  {
    at: "body.url",
    good: [`https://example.com/${"u".repeat(2028)}`],
    bad: [
      "",
      `https://example.com/${"u".repeat(2029)}`,
      "ftp://example.com",
      "https://u:p@example.com",
      FORBIDDEN.url,
    ],
  },
  { at: "body.description", good: ["", "d".repeat(4096)], bad: ["d".repeat(4097)] },
  {
    at: "body.extraHeaders",
    good: [[], Array.from({ length: 20 }, (_, index) => ({ key: `x-${index}`, value: "v".repeat(2048) }))],
    bad: [
      Array.from({ length: 21 }, (_, index) => ({ key: `x-${index}`, value: "" })),
      [{ key: "x", value: "v".repeat(2049) }],
      [{ key: "x\r\ny", value: "" }],
      [{ key: "x", value: "a\r\nb: c" }],
      [{ key: "Host", value: "example.com" }],
      [{ key: "Content-Length", value: "1" }],
      [
        { key: "a", value: "1" },
        { key: "A", value: "2" },
      ],
    ],
  },
  { at: "body.triggers", good: [[], ["ARTIFACT_DELETION"]], bad: [["artifact_created"], ["PUSH"]] },
];
const paging = [
  { at: "query.page", good: [1, 2] },
  { at: "query.size", good: [1, 100] },
];
const missing = { 404: { input: (stage: Stage) => ({ params: hook(stage, UNKNOWN) }) } };

/** Webhooks of package registries (document 1, 4.2). */
export const registryWebhookCases: OperationCases<typeof registryWebhooks> = {
  listRegistryWebhooks: {
    arrange: create,
    input: (stage) => ({ params: inRegistry(stage), query: { search_term: "HOO" } }),
    expect: ({ data }) =>
      expect(data).toMatchObject({
        itemCount: 1,
        pageIndex: 1,
        pageSize: 20,
        webhooks: [{ identifier: "hook" }],
      }),
    errors: {
      404: NO_INVENTORY,
    },
    limits: [
      ...paging,
      { at: "query.sort_order", good: ["asc", "DESC"] },
      { at: "query.sort_field", good: ["name", "createdAt"] },
    ],
  },
  createRegistryWebhook: {
    input: (stage) => ({ params: inRegistry(stage), body: BODY }),
    expect: ({ data, status }) => {
      expect(status).toBe("SUCCESS");
      expect(data).toMatchObject({ ...BODY, version: 0, internal: false });
    },
    errors: {
      400: {
        arrange: create,
        input: (stage) => ({ params: inRegistry(stage), body: BODY }),
        says: "already",
        code: "400",
      },
      404: NO_INVENTORY,
      412: { input: (stage) => ({ params: inRegistry(stage), body: MASKED }), says: "TOLLGATE_KEY" },
    },
    limits: bodyLimits,
  },
  getRegistryWebhook: {
    arrange: create,
    input: (stage) => ({ params: hook(stage) }),
    expect: ({ data }) => expect(data).toMatchObject(BODY),
    errors: missing,
  },
  updateRegistryWebhook: {
    arrange: create,
    input: (stage) => ({ params: hook(stage), body: { ...BODY, name: "Renamed", enabled: false } }),
    expect: ({ data }) => expect(data).toMatchObject({ name: "Renamed", enabled: false, version: 1 }),
    errors: {
      400: { input: (stage) => ({ params: hook(stage), body: FORBIDDEN }), says: "may not reach" },
      404: { input: (stage) => ({ params: hook(stage, UNKNOWN), body: BODY }) },
      412: { input: (stage) => ({ params: hook(stage), body: MASKED }), says: "TOLLGATE_KEY" },
    },
    limits: bodyLimits,
  },
  deleteRegistryWebhook: {
    arrange: create,
    input: (stage) => ({ params: hook(stage) }),
    expect: async (value, stage) => {
      expect(value).toEqual({ status: "SUCCESS" });
      const left = await stage.call(registryWebhooks.listRegistryWebhooks, { params: inRegistry(stage) });
      expect(left.data.webhooks).toEqual([]);
    },
    errors: missing,
  },
  listRegistryWebhookExecutions: {
    arrange: sent,
    input: (stage) => ({ params: hook(stage) }),
    expect: ({ data }) =>
      expect(data).toMatchObject({
        itemCount: 1,
        executions: [
          { result: "RETRIABLE_ERROR", triggerType: "ARTIFACT_CREATION", response: { statusCode: 503 } },
        ],
      }),
    errors: missing,
    limits: paging,
  },
  getRegistryWebhookExecution: {
    arrange: sent,
    input: theExecution,
    expect: ({ data }) => expect(data).toMatchObject({ duration: 1_000, request: { body: "{}" } }),
    errors: {
      404: { input: (stage) => ({ params: execution(stage, 999_999_999) }) },
    },
  },
  retriggerRegistryWebhookExecution: {
    arrange: sent,
    input: theExecution,
    expect: async ({ data }, stage) =>
      expect(data).toMatchObject({ result: "FATAL_ERROR", retriggerOf: await executionOf(stage) }),
    errors: {
      404: { input: (stage) => ({ params: execution(stage, 999_999_999) }) },
    },
  },
};
