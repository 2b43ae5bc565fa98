import type { codeWebhooks } from "../../../platform/contract/code-webhooks.ts";
import type { Area } from "../../area/area.ts";
import type { Context } from "../../area/deps.ts";
import { isProblem, type Problem } from "../../area/problem.ts";
import { parseCodeParent, type SpaceQuery } from "../hook/scope.ts";
import type { WebhookTables } from "../store/tables.ts";
import { CodeVerbs } from "./code-verbs.ts";

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
