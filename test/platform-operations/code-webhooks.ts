import { expect } from "vitest";
import { type codeWebhooks, repoWebhooks, spaceWebhooks } from "../../src/platform/contract/code-webhooks.ts";
import type { OperationCases, Stage } from "./case.ts";
import { delivered, executionOf, NO_INVENTORY, UNKNOWN, URL_OF_HOOK } from "./webhooks-stage.ts";

const BODY = { identifier: "hook", url: URL_OF_HOOK, triggers: ["branch_updated" as const] };
const SECRET = { ...BODY, secret: "a secret of the hook" };
const FORBIDDEN = { url: "http://localhost/" };
const query = { orgIdentifier: "acme", projectIdentifier: "payments" };
const ORPHAN = { projectIdentifier: "payments" };
const REPO = { repo_identifier: "shop" };
const HOOK = { webhook_identifier: "hook" };
const NO_HOOK = { webhook_identifier: UNKNOWN };
const NO_EXECUTION = { ...HOOK, webhook_execution_id: 999_999_999 };

const theExecution = async (stage: Stage) => ({ ...HOOK, webhook_execution_id: await executionOf(stage) });

const headers = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ key: `x-${index}`, value: "" }));
const paging = [
  { at: "query.page", good: [1, 2] },
  { at: "query.limit", good: [1, 100] },
];
const listing = [
  ...paging,
  { at: "query.sort", good: ["id", "uid", "display_name", "created", "updated"] },
  { at: "query.order", good: ["asc", "desc"] },
];
const body = [
  { at: "body.identifier", good: ["a".repeat(128)], bad: ["a".repeat(129), "7"] },
  {
    at: "body.url",
    good: [`https://example.com/${"u".repeat(2028)}`],
    bad: [`https://example.com/${"u".repeat(2029)}`, FORBIDDEN.url],
  },
  { at: "body.secret", good: [""], bad: ["s".repeat(4097)] },
  { at: "body.display_name", good: ["n".repeat(256)], bad: ["", "n".repeat(257)] },
  { at: "body.description", good: [""], bad: ["d".repeat(4097)] },
  {
    at: "body.extra_headers",
    good: [headers(20)],
    bad: [headers(21), [{ key: "Connection", value: "close" }]],
  },
  { at: "body.triggers", good: [[], ["pullreq_merged"]], bad: [["ARTIFACT_CREATION"], ["push"]] },
];

const SHOWN = {
  identifier: "hook",
  uid: "hook",
  display_name: "hook",
  enabled: true,
  insecure: false,
  has_secret: false,
};
const FAILED = { trigger_type: "branch_updated", result: "retriable_error", response: { status_code: 503 } };

/** Cases of the webhooks of a repository or a space: `at` names it in a path, `place` is what its webhooks say of it. */
function casesOf(
  of: typeof repoWebhooks,
  at: typeof REPO,
  place: object,
): OperationCases<typeof repoWebhooks> {
  const created = (stage: Stage) => stage.call(of.createRepoWebhook, { params: at, query, body: BODY });
  const sent = async (stage: Stage) => {
    await created(stage);
    await delivered(stage, "branch_updated");
  };
  return {
    listRepoWebhooks: {
      arrange: created,
      input: { params: at, query: { ...query, query: "HOO" } },
      expect: (value) => expect(value).toMatchObject([{ ...SHOWN, ...place }]),
      errors: { 400: { input: { params: at, query: ORPHAN }, says: "orgIdentifier" }, 404: NO_INVENTORY },
      limits: listing,
    },
    createRepoWebhook: {
      input: { params: at, query, body: BODY },
      expect: (value) => expect(value).toMatchObject({ ...SHOWN, ...BODY, version: 0 }),
      errors: {
        400: { arrange: created, input: { params: at, query, body: BODY }, says: "already" },
        404: NO_INVENTORY,
        412: { input: { params: at, query, body: SECRET }, says: "TOLLGATE_KEY" },
      },
      limits: body,
    },
    getRepoWebhook: {
      arrange: created,
      input: { params: { ...at, ...HOOK }, query },
      expect: (value) => expect(value).toMatchObject({ ...SHOWN, ...BODY }),
      errors: {
        404: { input: { params: { ...at, ...NO_HOOK }, query } },
      },
    },
    updateRepoWebhook: {
      arrange: created,
      input: { params: { ...at, ...HOOK }, query, body: { display_name: "Renamed" } },
      expect: (value) => expect(value).toMatchObject({ ...BODY, display_name: "Renamed", version: 1 }),
      errors: {
        400: { input: { params: { ...at, ...HOOK }, query, body: FORBIDDEN }, says: "may not reach" },
        404: { input: { params: { ...at, ...NO_HOOK }, query, body: {} } },
        412: { input: { params: { ...at, ...HOOK }, query, body: { secret: "s" } }, says: "TOLLGATE_KEY" },
      },
      limits: body,
    },
    deleteRepoWebhook: {
      arrange: created,
      input: { params: { ...at, ...HOOK }, query },
      expect: async (_, stage) =>
        expect(await stage.call(of.listRepoWebhooks, { params: at, query })).toEqual([]),
      errors: {
        404: { input: { params: { ...at, ...NO_HOOK }, query } },
      },
    },
    listRepoWebhookExecutions: {
      arrange: sent,
      input: { params: { ...at, ...HOOK }, query },
      expect: (value) => expect(value).toMatchObject([FAILED]),
      errors: {
        404: { input: { params: { ...at, ...NO_HOOK }, query } },
      },
      limits: paging,
    },
    getRepoWebhookExecution: {
      arrange: sent,
      input: async (stage) => ({ params: { ...at, ...(await theExecution(stage)) }, query }),
      expect: (value) => expect(value).toMatchObject(FAILED),
      errors: {
        404: { input: { params: { ...at, ...NO_EXECUTION }, query } },
      },
    },
    retriggerRepoWebhookExecution: {
      arrange: sent,
      input: async (stage) => ({ params: { ...at, ...(await theExecution(stage)) }, query }),
      expect: async (value, stage) =>
        expect(value).toMatchObject({ result: "fatal_error", retrigger_of: await executionOf(stage) }),
      errors: {
        404: { input: { params: { ...at, ...NO_EXECUTION }, query } },
      },
    },
  };
}

/** Renames the operations of one scope to those of the other, which are the same but for the repository in the path. */
const renamed = (operations: object, from: string, to: string): unknown =>
  Object.fromEntries(Object.entries(operations).map(([name, one]) => [name.replace(from, to), one]));

const repoCases = casesOf(repoWebhooks, REPO, { parent_type: "repo", scope: 0 });
// Spaces have the same operations, whose paths name nothing.
const inSpace = renamed(spaceWebhooks, "Space", "Repo") as typeof repoWebhooks;
const spaceCases = renamed(
  casesOf(inSpace, {} as typeof REPO, { parent_type: "space", scope: 3 }),
  "Repo",
  "Space",
) as OperationCases<typeof spaceWebhooks>;

/** Webhooks of code hosting (document 1, 4.3). */
export const codeWebhookCases: OperationCases<typeof codeWebhooks> = { ...repoCases, ...spaceCases };
