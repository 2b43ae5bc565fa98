import type { z } from "zod";
import type { codeWebhooks } from "../../platform/contract/code-webhooks.ts";
import type {
  CodeWebhook,
  CodeWebhookCreate,
  CodeWebhookExecution,
  CodeWebhookUpdate,
  EXECUTIONS_QUERY,
  LIST_QUERY,
} from "../../platform/contract/shapes/code-webhook-shapes.ts";
import type { WebhookEvent } from "../../platform/contract/shapes/webhook-shapes.ts";
import type { Area } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { createProblem, isProblem, type Problem } from "../area/problem.ts";
import { parseCodeParent, readShownHeaders, readTriggers, type SpaceQuery } from "./headers.ts";
import type { HookDraft } from "./manage.ts";
import { changeHook, createHook, hookIn, requireExecution, retriggerExecution } from "./manage.ts";
import { type HookExecutionRow, listHookExecutions } from "./store/executions.ts";
import { deleteHook, findHookParent, type HookRow, type HookSort, listHooks } from "./store/hooks.ts";
import type { HookParentKey, WebhookTables } from "./store/tables.ts";

type CodeProblem = Problem<"bad_request" | "forbidden">;

/** Does something with the webhooks of a repository, or of a space where none is named. */
async function findVerbs<T>(
  context: Context<WebhookTables>,
  { query, repository }: { readonly query: SpaceQuery; readonly repository?: string },
  act: (verbs: CodeVerbs) => Promise<T>,
): Promise<T | CodeProblem> {
  const parent = parseCodeParent(query, context.token, repository);
  return isProblem(parent) ? parent : act(new CodeVerbs(context, parent));
}

const handleRepository = <T>(
  { params, query }: { readonly params: { readonly repo_identifier: string }; readonly query: SpaceQuery },
  context: Context<WebhookTables>,
  act: (verbs: CodeVerbs) => Promise<T>,
) => findVerbs(context, { query, repository: params.repo_identifier }, act);

const handleSpace = <T>(
  { query }: { readonly query: SpaceQuery },
  context: Context<WebhookTables>,
  act: (verbs: CodeVerbs) => Promise<T>,
) => findVerbs(context, { query }, act);

/** Webhooks of code hosting, of one repository and of a space (document 1, 4.3). */
export const codeWebhooksHandlers: Area<typeof codeWebhooks, WebhookTables> = {
  listRepoWebhooks: (input, context) => handleRepository(input, context, (verbs) => verbs.list(input.query)),
  createRepoWebhook: (input, context) =>
    handleRepository(input, context, (verbs) => verbs.create(input.body)),
  getRepoWebhook: (input, context) => handleRepository(input, context, (verbs) => verbs.get(input.params)),
  updateRepoWebhook: (input, context) =>
    handleRepository(input, context, (verbs) => verbs.update(input.params, input.body)),
  deleteRepoWebhook: (input, context) =>
    handleRepository(input, context, (verbs) => verbs.delete(input.params)),
  listRepoWebhookExecutions: (input, context) =>
    handleRepository(input, context, (verbs) => verbs.listExecutions(input.params, input.query)),
  getRepoWebhookExecution: (input, context) =>
    handleRepository(input, context, (verbs) => verbs.getExecution(input.params)),
  retriggerRepoWebhookExecution: (input, context) =>
    handleRepository(input, context, (verbs) => verbs.retrigger(input.params)),
  listSpaceWebhooks: (input, context) => handleSpace(input, context, (verbs) => verbs.list(input.query)),
  createSpaceWebhook: (input, context) => handleSpace(input, context, (verbs) => verbs.create(input.body)),
  getSpaceWebhook: (input, context) => handleSpace(input, context, (verbs) => verbs.get(input.params)),
  updateSpaceWebhook: (input, context) =>
    handleSpace(input, context, (verbs) => verbs.update(input.params, input.body)),
  deleteSpaceWebhook: (input, context) => handleSpace(input, context, (verbs) => verbs.delete(input.params)),
  listSpaceWebhookExecutions: (input, context) =>
    handleSpace(input, context, (verbs) => verbs.listExecutions(input.params, input.query)),
  getSpaceWebhookExecution: (input, context) =>
    handleSpace(input, context, (verbs) => verbs.getExecution(input.params)),
  retriggerSpaceWebhookExecution: (input, context) =>
    handleSpace(input, context, (verbs) => verbs.retrigger(input.params)),
};

const SORTS = {
  id: "hook_id",
  uid: "identifier",
  identifier: "identifier",
  display_name: "name",
  created: "created_ms",
  updated: "updated_ms",
} as const satisfies Readonly<Record<string, HookSort>>;

interface HookParams {
  readonly webhook_identifier: string;
}
interface ExecutionParams extends HookParams {
  readonly webhook_execution_id: number;
}

/** The eight operations on webhooks of one parent, which is a repository or a space. */
class CodeVerbs {
  readonly #context: Context<WebhookTables>;
  readonly #parent: HookParentKey;

  constructor(context: Context<WebhookTables>, parent: HookParentKey) {
    this.#context = context;
    this.#parent = parent;
  }

  async list({ page, limit, query: search, sort, order }: z.output<typeof LIST_QUERY>) {
    const { db } = this.#context;
    const parent_id = await findHookParent(db, this.#parent);
    const where = { search, sort: SORTS[sort], order, limit, offset: (page - 1) * limit };
    const { rows, total } =
      parent_id === null
        ? { rows: [], total: 0 }
        : await listHooks(db, { account: this.#parent.account, parent_id }, where);
    return { body: rows.map((row) => toWireCodeHook(row, this.#parent)), total };
  }

  async create(body: CodeWebhookCreate) {
    const draft = parseCreateDraft(body);
    if (draft === null) return createProblem("bad_request", "body.identifier: is required");
    const row = await createHook(this.#context, this.#parent, draft);
    return isProblem(row) ? row : this.#hookBody(row);
  }

  async get(params: HookParams) {
    const hook = await this.#find(params);
    return isProblem(hook) ? hook : this.#hookBody(hook);
  }

  async update(params: HookParams, body: CodeWebhookUpdate) {
    const hook = await this.#find(params);
    if (isProblem(hook)) return hook;
    const row = await changeHook(this.#context, hook, (newest) => parseUpdateDraft(body, newest));
    return isProblem(row) ? row : this.#hookBody(row);
  }

  async delete(params: HookParams) {
    const hook = await this.#find(params);
    if (isProblem(hook)) return hook;
    await deleteHook(this.#context.db, hook);
    return { body: undefined };
  }

  async listExecutions(params: HookParams, { page, limit }: z.output<typeof EXECUTIONS_QUERY>) {
    const hook = await this.#find(params);
    if (isProblem(hook)) return hook;
    const where = { limit, offset: (page - 1) * limit };
    const { rows, total } = await listHookExecutions(this.#context.db, hook, where);
    return { body: rows.map(toWireCodeExecution), total };
  }

  async getExecution(params: ExecutionParams) {
    const found = await this.#findExecution(params);
    return isProblem(found) ? found : { body: toWireCodeExecution(found.execution) };
  }

  async retrigger(params: ExecutionParams) {
    const found = await this.#findExecution(params);
    if (isProblem(found)) return found;
    const row = await retriggerExecution(this.#context, found.hook, found.execution);
    return isProblem(row) ? row : { body: toWireCodeExecution(row) };
  }

  #hookBody(row: HookRow) {
    return { body: toWireCodeHook(row, this.#parent) };
  }

  #find({ webhook_identifier: identifier }: HookParams) {
    return hookIn(this.#context, this.#parent, { identifier, allowsNumber: true });
  }

  async #findExecution(params: ExecutionParams) {
    const hook = await this.#find(params);
    if (isProblem(hook)) return hook;
    const execution = await requireExecution(this.#context, hook, params.webhook_execution_id);
    return isProblem(execution) ? execution : { hook, execution: execution satisfies HookExecutionRow };
  }
}

type Result = "success" | "retriable_error" | "fatal_error";

const NO_SECRET_NAME = { secret_identifier: null, secret_space_id: null, secret_space_path: null };

/** Converts a create body to a draft; null: it has no identifier. */
function parseCreateDraft(body: CodeWebhookCreate): HookDraft | null {
  const identifier = body.identifier ?? body.uid;
  if (identifier === undefined) return null;
  return {
    ...NO_SECRET_NAME,
    identifier,
    name: body.display_name ?? identifier,
    description: body.description ?? "",
    url: body.url,
    enabled: body.enabled ?? true,
    insecure: body.insecure ?? false,
    triggers: body.triggers ?? [],
    headers: body.extra_headers ?? [],
    secret: body.secret ?? "",
  };
}

/** Converts an update body to a draft; omitted members stay unchanged. */
const parseUpdateDraft = (body: CodeWebhookUpdate, row: HookRow): HookDraft => ({
  ...NO_SECRET_NAME,
  identifier: body.identifier ?? body.uid ?? row.identifier,
  name: body.display_name ?? row.name,
  description: body.description ?? row.description,
  url: body.url ?? row.url,
  enabled: body.enabled ?? row.enabled,
  insecure: body.insecure ?? row.insecure,
  triggers: body.triggers ?? readTriggers(row.triggers),
  headers: body.extra_headers,
  secret: body.secret,
});

/** 0 a repository, else how deep the space lies. */
function getScopeNumber({ kind, org, project }: HookParentKey): number {
  if (kind === "repo") return 0;
  return 1 + [org, project].filter((part) => part !== "").length;
}

const toWireCodeHook = (row: HookRow, parent: HookParentKey): z.input<typeof CodeWebhook> => ({
  id: row.hook_id,
  version: row.version,
  parent_id: row.parent_id,
  parent_type: parent.kind,
  created_by: row.created_by,
  created: row.created_ms,
  updated: row.updated_ms,
  scope: getScopeNumber(parent),
  identifier: row.identifier,
  uid: row.identifier,
  display_name: row.name,
  description: row.description,
  url: row.url,
  enabled: row.enabled,
  insecure: row.insecure,
  triggers: readTriggers(row.triggers),
  ...(row.latest_result === null ? {} : { latest_execution_result: parseResult(row.latest_result) }),
  extra_headers: readShownHeaders(row.headers),
  has_secret: row.secret !== null,
});

const toWireCodeExecution = (row: HookExecutionRow): z.input<typeof CodeWebhookExecution> => ({
  id: row.execution_id,
  ...(row.retrigger_of === null ? {} : { retrigger_of: row.retrigger_of }),
  retriggerable: true,
  created: row.created_ms,
  webhook_id: row.hook_id,
  trigger_type: row.event as WebhookEvent, // only events are stored
  result: parseResult(row.result),
  duration: row.duration_ns,
  error: row.error,
  request: { url: row.request_url, headers: row.request_headers, body: row.request_body },
  ...(row.response_code === null
    ? {}
    : {
        response: {
          status_code: row.response_code,
          status: row.response_status,
          headers: row.response_headers,
          body: row.response_body,
        },
      }),
});

const parseResult = (text: string) => text.toLowerCase() as Result; // only results are stored
