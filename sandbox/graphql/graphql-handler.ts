import { type ExecutionResult, execute, GraphQLError } from "graphql";
import { z } from "zod";
import { findFormerRepository, hasAccess } from "../api/authorise.ts";
import { type ApiAnswer, type Caller, ok } from "../api/call.ts";
import { findRepository } from "../state/find.ts";
import { parseNodeId } from "../state/node-id.ts";
import { ApiRefusal } from "../state/refusal.ts";
import type { World } from "../state/world.ts";
import type { GraphqlDocuments } from "./documents.ts";
import { buildAccountFields } from "./nodes/actors.ts";
import {
  type CallerView,
  canSee,
  createGraphqlError,
  type NodeFactories,
  type NodeFields,
} from "./nodes/caller-view.ts";
import { type CheckRunInput, createRunByInput, updateRunByInput } from "./nodes/check-mutations.ts";
import { findCommentOrReview } from "./nodes/comment-or-review.ts";
import { buildCommitFields } from "./nodes/commits.ts";
import { buildCommentFields } from "./nodes/pulls.ts";
import { buildRefFields, buildRepositoryFields } from "./nodes/repositories.ts";

const Request = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

const nodes: NodeFactories = {
  repository: buildRepositoryFields,
  ref: buildRefFields,
  commit: buildCommitFields,
};

/** Executes the queries of a sandbox. */
export type GraphqlHandler = (caller: Caller, text: string) => Promise<ApiAnswer>;

export function createGraphql(world: World, documents: GraphqlDocuments): GraphqlHandler {
  return async (caller, text) => {
    if (caller.kind !== "installation") throw new ApiRefusal(403, "Resource not accessible by integration");
    const request = Request.safeParse(parseJson(text));
    if (!request.success) throw new ApiRefusal(400, "Problems parsing JSON");
    return ok(toWireResult(await executeRequest(documents, { world, caller, nodes }, request.data)));
  };
}

/** The name of the operation in a request's body, for the log; null when it has none. */
export function parseOperationName(text: string): string | null {
  const request = Request.safeParse(parseJson(text));
  if (!request.success) return null;
  return request.data.operationName ?? /\b(?:query|mutation)\s+(\w+)/.exec(request.data.query)?.[1] ?? null;
}

async function executeRequest(
  documents: GraphqlDocuments,
  view: CallerView,
  request: z.infer<typeof Request>,
): Promise<ExecutionResult> {
  try {
    const checked = documents.read(request.query);
    if ("errors" in checked) return checked;
    return await execute({
      schema: documents.schema,
      document: checked.document,
      rootValue: createRoot(view),
      variableValues: request.variables ?? null,
      operationName: request.operationName ?? null,
    });
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

const createRoot = (view: CallerView): NodeFields => ({
  repository: (args: { owner: string; name: string; followRenames?: boolean }) => {
    const name = `${args.owner}/${args.name}`;
    const former = args.followRenames === false ? null : findFormerRepository(view.world, name);
    const repository =
      former === null ? findRepository(view.world, name) : view.world.repositories.get(former);
    if (repository !== null && canSee(view, repository)) return buildRepositoryFields(view, repository);
    throw createGraphqlError("NOT_FOUND", `Could not resolve to a Repository with the name '${name}'.`);
  },
  viewer: () => ({ ...buildAccountFields(view.caller.bot), login: view.caller.bot.login }),
  nodes: ({ ids }: { ids: readonly string[] }) => ids.map(async (id) => findCommentOrReview(view, id)),
  createCheckRun: ({ input }: { input: CheckRunInput }) => createRunByInput(view, input),
  updateCheckRun: ({ input }: { input: CheckRunInput }) => updateRunByInput(view, input),
  minimizeComment: ({ input }: { input: MinimizeInput }) => {
    const id = parseNodeId("IssueComment", input.subjectId) ?? -1;
    const comment = view.world.comments.get(id);
    if (comment === null) {
      throw createGraphqlError(
        "NOT_FOUND",
        `Could not resolve to a node with the global id of '${input.subjectId}'.`,
      );
    }
    if (!hasAccess(view.caller, "pull_requests:write") && !hasAccess(view.caller, "issues:write")) {
      throw createGraphqlError("FORBIDDEN", "Resource not accessible by integration");
    }
    const minimised = input.classifier.toLowerCase().replace("_", "-");
    return { minimizedComment: buildCommentFields(view, view.world.comments.update(id, { minimised })) };
  },
});

interface MinimizeInput {
  readonly subjectId: string;
  readonly classifier: string;
}

/** GitHub puts the kind of an error beside its message, not under "extensions". */
function toWireResult(result: ExecutionResult): NodeFields {
  if (result.errors === undefined) return { data: result.data };
  const errors = result.errors.map((error) => ({
    ...(typeof error.extensions["type"] === "string" ? { type: error.extensions["type"] } : {}),
    ...(error.path === undefined ? {} : { path: error.path }),
    ...(error.locations === undefined ? {} : { locations: error.locations }),
    message: error.message,
  }));
  return result.data === undefined ? { errors } : { data: result.data, errors };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
