import type { codeWebhooks } from "../../../platform/contract/code-webhooks.ts";
import type { Area } from "../../area/area.ts";
import type { Context } from "../../area/deps.ts";
import { isProblem, type Problem } from "../../area/problem.ts";
import { codeParentOf, type SpaceQuery } from "../hook/scope.ts";
import type { WebhookTables } from "../store/tables.ts";
import { CodeVerbs } from "./code-verbs.ts";

type CodeProblem = Problem<"bad_request" | "forbidden">;

/** Does something with the webhooks of a repository, or of a space where none is named. */
async function at<T>(
  context: Context<WebhookTables>,
  { query, repository }: { readonly query: SpaceQuery; readonly repository?: string },
  act: (verbs: CodeVerbs) => Promise<T>,
): Promise<T | CodeProblem> {
  const parent = codeParentOf(query, context.token, repository);
  return isProblem(parent) ? parent : act(new CodeVerbs(context, parent));
}

const repo = <T>(
  { params, query }: { readonly params: { readonly repo_identifier: string }; readonly query: SpaceQuery },
  context: Context<WebhookTables>,
  act: (verbs: CodeVerbs) => Promise<T>,
) => at(context, { query, repository: params.repo_identifier }, act);

const space = <T>(
  { query }: { readonly query: SpaceQuery },
  context: Context<WebhookTables>,
  act: (verbs: CodeVerbs) => Promise<T>,
) => at(context, { query }, act);

/** Webhooks of code hosting, of one repository and of a space (document 1, 4.3). */
export const codeWebhooksHandlers: Area<typeof codeWebhooks, WebhookTables> = {
  listRepoWebhooks: (input, context) => repo(input, context, (verbs) => verbs.list(input.query)),
  createRepoWebhook: (input, context) => repo(input, context, (verbs) => verbs.create(input.body)),
  getRepoWebhook: (input, context) => repo(input, context, (verbs) => verbs.get(input.params)),
  updateRepoWebhook: (input, context) =>
    repo(input, context, (verbs) => verbs.update(input.params, input.body)),
  deleteRepoWebhook: (input, context) => repo(input, context, (verbs) => verbs.delete(input.params)),
  listRepoWebhookExecutions: (input, context) =>
    repo(input, context, (verbs) => verbs.listExecutions(input.params, input.query)),
  getRepoWebhookExecution: (input, context) =>
    repo(input, context, (verbs) => verbs.getExecution(input.params)),
  retriggerRepoWebhookExecution: (input, context) =>
    repo(input, context, (verbs) => verbs.retrigger(input.params)),
  listSpaceWebhooks: (input, context) => space(input, context, (verbs) => verbs.list(input.query)),
  createSpaceWebhook: (input, context) => space(input, context, (verbs) => verbs.create(input.body)),
  getSpaceWebhook: (input, context) => space(input, context, (verbs) => verbs.get(input.params)),
  updateSpaceWebhook: (input, context) =>
    space(input, context, (verbs) => verbs.update(input.params, input.body)),
  deleteSpaceWebhook: (input, context) => space(input, context, (verbs) => verbs.delete(input.params)),
  listSpaceWebhookExecutions: (input, context) =>
    space(input, context, (verbs) => verbs.listExecutions(input.params, input.query)),
  getSpaceWebhookExecution: (input, context) =>
    space(input, context, (verbs) => verbs.getExecution(input.params)),
  retriggerSpaceWebhookExecution: (input, context) =>
    space(input, context, (verbs) => verbs.retrigger(input.params)),
};
