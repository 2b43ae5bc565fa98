import type { Documented } from "./documented-operation.ts";

/** Document 1: feature-flag keys (4.1), webhooks of registries (4.2) and of code hosting (4.3). */

const FLAG_KEY = {
  apiKey: "3e4f0c0e-8a4c-4a5e-9d57-0e3a1c1f7b11",
  identifier: "sdk",
  name: "SDK",
  key: "<API_KEY_VALUE>",
  type: "server",
  lastUsed: 1_700_000_000,
  applicationIds: [{ applicationId: "shop", lastUsed: 1_700_000_000 }],
};
const SCOPE = "accountIdentifier orgIdentifier projectIdentifier environmentIdentifier";
const KEYS = "/cf/admin/apikey";
/** Section 7 names the outcomes; 400, 401, 403 and 500 are the numbers of its table, 404 that of its sample, and what exists already is 409 by HTTP. */
const READ = [401, 403, 404, 500];
const WRITE = [400, 401, 403, 409, 500];

const flagKeys: readonly Documented[] = [
  {
    at: `GET ${KEYS}`,
    query: `${SCOPE} pageNumber pageSize`,
    paged: true,
    answer: { itemCount: 1, pageCount: 1, pageIndex: 0, pageSize: 30, version: 1, apiKeys: [FLAG_KEY] },
    errors: READ,
  },
  {
    at: `POST ${KEYS}`,
    body: {
      required: [],
      example: { description: "", expiredAt: 0, identifier: "sdk", name: "SDK", type: "Server" },
    },
    answer: FLAG_KEY,
    status: 201,
    errors: WRITE,
  },
  { at: `GET ${KEYS}/{identifier}`, query: SCOPE, answer: FLAG_KEY, errors: READ },
  {
    at: `PUT ${KEYS}/{identifier}`,
    body: { required: [], example: { description: "", expiredAt: 0, name: "SDK" } },
    errors: WRITE,
  },
  { at: `DELETE ${KEYS}/{identifier}`, query: SCOPE, answer: null, status: 204, errors: READ },
];

const TRIGGERS = ["ARTIFACT_CREATION", "ARTIFACT_DELETION"];
const HOOK_BODY = {
  identifier: "hook",
  name: "Hook",
  url: "https://example.com/hook",
  enabled: true,
  insecure: false,
  description: "",
  extraHeaders: [{ key: "X-A", value: "a", masked: false }],
  secretIdentifier: "signing",
  secretSpaceId: 1,
  secretSpacePath: "acc",
  triggers: ["ARTIFACT_CREATION"],
};
const HOOK = {
  ...HOOK_BODY,
  createdAt: "1700000000000",
  createdBy: 1,
  modifiedAt: "1700000000000",
  internal: false,
  latestExecutionResult: "SUCCESS",
  version: 1,
};
const hookBody = {
  required: ["identifier", "name", "url", "enabled", "insecure"],
  example: HOOK_BODY,
  values: { "triggers.0": TRIGGERS },
};
const ONE_HOOK = { data: HOOK, status: "SUCCESS" };
const HOOKS = "/har/api/v1/registry/{registry_ref}/webhooks";
const HOOK_AT = `${HOOKS}/{webhook_identifier}` as const;
const DELIVERY_AT = `${HOOK_AT}/executions/{webhook_execution_id}` as const;

const registryWebhooks: readonly Documented[] = [
  {
    at: `GET ${HOOKS}`,
    query: "page=1 size=20 sort_order sort_field search_term",
    paged: true,
    answer: {
      data: { itemCount: 1, pageCount: 1, pageIndex: 1, pageSize: 20, webhooks: [HOOK] },
      status: "SUCCESS",
    },
  },
  { at: `POST ${HOOKS}`, body: hookBody, answer: ONE_HOOK },
  { at: `GET ${HOOK_AT}`, answer: ONE_HOOK },
  { at: `PUT ${HOOK_AT}`, body: hookBody, answer: ONE_HOOK },
  { at: `DELETE ${HOOK_AT}`, answer: { status: "SUCCESS" } },
  { at: `GET ${HOOK_AT}/executions` },
  { at: `GET ${DELIVERY_AT}` },
  { at: `GET ${DELIVERY_AT}/retrigger` },
];

/** The document lists methods and paths of code hosting and shows nothing else. */
const codeWebhooks: readonly Documented[] = (
  ["/code/api/v1/repos/{repo_identifier}/webhooks", "/code/api/v1/webhooks"] as const
).flatMap((base): Documented[] => {
  const one = `${base}/{webhook_identifier}` as const;
  const delivery = `${one}/executions/{webhook_execution_id}` as const;
  return [
    { at: `GET ${base}` },
    { at: `POST ${base}` },
    { at: `GET ${one}` },
    { at: `PATCH ${one}` },
    { at: `DELETE ${one}` },
    { at: `GET ${one}/executions` },
    { at: `GET ${delivery}` },
    { at: `POST ${delivery}/retrigger` },
  ];
});

export const CONVENTIONS_DOCUMENT = [...flagKeys, ...registryWebhooks, ...codeWebhooks];
