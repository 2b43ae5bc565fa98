import { type ExecutionResult, execute, GraphQLError, type GraphQLSchema, parse, validate } from "graphql";
import { z } from "zod";
import { formerRepository, hasAccess } from "../api/authorise.ts";
import { type ApiAnswer, type Caller, ok } from "../api/call.ts";
import { findRepository } from "../state/find.ts";
import { fromNodeId } from "../state/node-id.ts";
import { ApiRefusal } from "../state/refusal.ts";
import type { World } from "../state/world.ts";
import { commentOrReviewNode } from "./nodes/comment-or-review.ts";
import { commitFields } from "./nodes/commits.ts";
import { commentFields } from "./nodes/pulls.ts";
import { refFields, repositoryFields } from "./nodes/repositories.ts";
import { type CallerView, canSee, type NodeFactories, type NodeFields, problem } from "./nodes/view.ts";
import { createSchema } from "./schema.ts";

const Request = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

const nodes: NodeFactories = { repository: repositoryFields, ref: refFields, commit: commitFields };

/** Creates the query executor of a sandbox. Call it once: parsing the schema is slow. */
export type Graphql = (caller: Caller, text: string) => Promise<ApiAnswer>;

export function createGraphql(world: World): Graphql {
  const schema = createSchema();
  return async (caller, text) => {
    if (caller.kind === "app") throw new ApiRefusal(403, "Resource not accessible by integration");
    const request = Request.safeParse(json(text));
    if (!request.success) throw new ApiRefusal(400, "Problems parsing JSON");
    return ok(wire(await run(schema, { world, caller, nodes }, request.data)));
  };
}

/** The name of the operation in a request's body, for the log; null when it has none. */
export function operationName(text: string): string | null {
  const request = Request.safeParse(json(text));
  if (!request.success) return null;
  return request.data.operationName ?? /\b(?:query|mutation)\s+(\w+)/.exec(request.data.query)?.[1] ?? null;
}

async function run(
  schema: GraphQLSchema,
  view: CallerView,
  request: z.infer<typeof Request>,
): Promise<ExecutionResult> {
  try {
    const document = parse(request.query);
    const errors = validate(schema, document);
    if (errors.length > 0) return { errors };
    return await execute({
      schema,
      document,
      rootValue: root(view),
      variableValues: request.variables ?? null,
      operationName: request.operationName ?? null,
    });
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

const root = (view: CallerView): NodeFields => ({
  repository: (asked: { owner: string; name: string; followRenames?: boolean }) => {
    const name = `${asked.owner}/${asked.name}`;
    const former = asked.followRenames === false ? null : formerRepository(view.world, name);
    const repository =
      former === null ? findRepository(view.world, name) : view.world.repositories.get(former);
    if (repository !== null && canSee(view, repository)) return repositoryFields(view, repository);
    throw problem("NOT_FOUND", `Could not resolve to a Repository with the name '${name}'.`);
  },
  nodes: ({ ids }: { ids: readonly string[] }) => ids.map(async (id) => commentOrReviewNode(view, id)),
  minimizeComment: ({ input }: { input: Minimise }) => {
    const id = fromNodeId("IssueComment", input.subjectId) ?? -1;
    const comment = view.world.comments.get(id);
    if (comment === null) {
      throw problem("NOT_FOUND", `Could not resolve to a node with the global id of '${input.subjectId}'.`);
    }
    if (!hasAccess(view.caller, "pull_requests:write") && !hasAccess(view.caller, "issues:write")) {
      throw problem("FORBIDDEN", "Resource not accessible by integration");
    }
    const minimised = input.classifier.toLowerCase().replace("_", "-");
    return { minimizedComment: commentFields(view, view.world.comments.update(id, { minimised })) };
  },
});

interface Minimise {
  readonly subjectId: string;
  readonly classifier: string;
}

/** GitHub puts the kind of an error beside its message, not under "extensions". */
function wire(result: ExecutionResult): NodeFields {
  if (result.errors === undefined) return { data: result.data };
  const errors = result.errors.map((error) => ({
    ...(typeof error.extensions["type"] === "string" ? { type: error.extensions["type"] } : {}),
    ...(error.path === undefined ? {} : { path: error.path }),
    ...(error.locations === undefined ? {} : { locations: error.locations }),
    message: error.message,
  }));
  return result.data === undefined ? { errors } : { data: result.data, errors };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
