import { readFileSync } from "node:fs";
import {
  buildASTSchema,
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  parse,
  validate,
  visit,
} from "graphql";
import { z } from "zod";
import { getShippedFile } from "../../src/package/shipped-files.ts";
import { type ApiAnswer, ApiRefusal, type Caller, forbidden, hasAccess, isVisible, ok } from "../api/call.ts";
import {
  CheckRunChange,
  createRunByBody,
  NewCheckRunBody,
  updateRunByBody,
} from "../resources/check-runs.ts";
import type { Repository } from "../state/records.ts";
import { findFormerRepository, findRepository, parseNodeId, type World } from "../state/world.ts";
import {
  buildCommentFields,
  buildRepositoryFields,
  buildRunFields,
  type CallerView,
  createForbidden,
  createGraphqlError,
  createMissingNode,
  findCommentOrReview,
  type NodeFields,
  requirePermissions,
} from "./nodes.ts";

/** The part of GitHub's schema that Tollgate's queries select, made by `npm run generate:graphql`. */
export const SCHEMA_FILE = getShippedFile("sandbox/graphql/github.graphql");

type CheckedDocument = { readonly document: DocumentNode } | { readonly errors: readonly GraphQLError[] };

/** The schema, and the queries that were checked against it. Both are slow to make, and sandboxes can share them. */
export class GraphqlDocuments {
  readonly schema: GraphQLSchema = buildASTSchema(widenIds(parse(readFileSync(SCHEMA_FILE, "utf8"))));
  readonly #checked = new Map<string, CheckedDocument>();

  /**
   * Returns the query's document, or why the schema has none such.
   *
   * @throws GraphQLError when the text is no GraphQL
   */
  read(query: string): CheckedDocument {
    const known = this.#checked.get(query);
    if (known !== undefined) return known;
    const document = parse(query);
    const errors = validate(this.schema, document);
    const checked = errors.length > 0 ? { errors } : { document };
    this.#checked.set(query, checked);
    return checked;
  }
}

/**
 * GitHub declares database ids as Int but returns numbers above 2^31; graphql-js refuses them. So the ids are executed as a
 * separate scalar that accepts every number. Callers see no difference.
 */
function widenIds(document: DocumentNode): DocumentNode {
  const ids = visit(document, {
    FieldDefinition: (node) =>
      node.name.value === "databaseId"
        ? { ...node, type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: "WideInt" } } }
        : undefined,
  });
  return { ...ids, definitions: [...ids.definitions, ...parse("scalar WideInt").definitions] };
}

const Request = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});
type Request = z.infer<typeof Request>;

function parseRequest(text: string): Request | null {
  try {
    return Request.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** The name of the operation in a request's body, for the log; null when it has none. */
export function parseOperationName(text: string): string | null {
  const request = parseRequest(text);
  if (request === null) return null;
  return request.operationName ?? /\b(?:query|mutation)\s+(\w+)/.exec(request.query)?.[1] ?? null;
}

/** Executes a query of a sandbox. */
export async function answerGraphql(
  world: World,
  documents: GraphqlDocuments,
  caller: Caller,
  text: string,
): Promise<ApiAnswer> {
  if (caller.kind !== "installation") throw forbidden();
  const request = parseRequest(text);
  if (request === null) throw new ApiRefusal(400, "Problems parsing JSON");
  return ok(toWireResult(await executeRequest(documents, { world, caller }, request)));
}

async function executeRequest(
  documents: GraphqlDocuments,
  view: CallerView,
  { query, variables, operationName }: Request,
): Promise<ExecutionResult> {
  try {
    const checked = documents.read(query);
    if ("errors" in checked) return checked;
    const { schema } = documents;
    const rootValue = createRoot(view);
    const values = { variableValues: variables ?? null, operationName: operationName ?? null };
    return await execute({ schema, document: checked.document, rootValue, ...values });
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

/** GitHub puts the kind of an error beside its message, not under "extensions". */
function toWireResult({ data, errors }: ExecutionResult): NodeFields {
  if (errors === undefined) return { data };
  const shown = errors.map(({ extensions, path, locations, message }) => ({
    ...(typeof extensions["type"] === "string" ? { type: extensions["type"] } : {}),
    ...(path === undefined ? {} : { path }),
    ...(locations === undefined ? {} : { locations }),
    message,
  }));
  return data === undefined ? { errors: shown } : { data, errors: shown };
}

const createRoot = (view: CallerView): NodeFields => ({
  repository: (args: { owner: string; name: string; followRenames?: boolean }) => {
    const name = `${args.owner}/${args.name}`;
    const former = args.followRenames === false ? null : findFormerRepository(view.world, name);
    const repository = former ?? findRepository(view.world, name);
    if (repository !== null && isVisible(view.caller, repository))
      return buildRepositoryFields(view, repository);
    throw createGraphqlError("NOT_FOUND", `Could not resolve to a Repository with the name '${name}'.`);
  },
  viewer: () => ({ databaseId: view.caller.bot.id, login: view.caller.bot.login }),
  nodes: ({ ids }: { ids: readonly string[] }) => ids.map(async (id) => findCommentOrReview(view, id)),
  createCheckRun: ({ input }: { input: CheckRunInput }) => answerInput(() => createRunByInput(view, input)),
  updateCheckRun: ({ input }: { input: CheckRunInput }) => answerInput(() => updateRunByInput(view, input)),
  minimizeComment: ({ input }: { input: { readonly subjectId: string; readonly classifier: string } }) => {
    const comment = view.world.comments.get(parseNodeId("IssueComment", input.subjectId));
    if (comment === null) throw createMissingNode(input.subjectId);
    const { permissions } = view.caller;
    if (!hasAccess(permissions, "pull_requests:write") && !hasAccess(permissions, "issues:write"))
      throw createForbidden();
    const minimised = input.classifier.toLowerCase().replace("_", "-");
    const minimizedComment = view.world.comments.update(comment.id, { minimised });
    return { minimizedComment: buildCommentFields(view, minimizedComment) };
  },
});

/** Input of `createCheckRun` and `updateCheckRun`; GitHub's schema was applied to it. */
interface CheckRunInput {
  readonly repositoryId: string;
  readonly checkRunId?: string;
  readonly headSha?: string;
  readonly name?: string;
  readonly externalId?: string;
  readonly detailsUrl?: string;
  readonly status?: string;
  readonly conclusion?: string;
  readonly output?: { readonly annotations?: readonly AnnotationInput[] };
  readonly actions?: readonly object[];
}

interface AnnotationInput {
  readonly annotationLevel: string;
  readonly location: { readonly startLine: number; readonly endLine: number };
}

const toRestAnnotation = ({ annotationLevel, location, ...rest }: AnnotationInput) => ({
  ...rest,
  annotation_level: annotationLevel.toLowerCase(),
  start_line: location.startLine,
  end_line: location.endLine,
});

/** A refusal of the REST route is an error of the field. */
function answerInput(answer: () => NodeFields): NodeFields {
  try {
    return answer();
  } catch (error) {
    if (error instanceof ApiRefusal) throw createGraphqlError("UNPROCESSABLE", error.message);
    throw error;
  }
}

function createRunByInput(view: CallerView, input: CheckRunInput): NodeFields {
  const repository = requireRepository(view, input);
  const body = toRestBody(NewCheckRunBody, input);
  const run = createRunByBody(view.world, { repository, appId: view.caller.app.id, body });
  return { checkRun: () => buildRunFields(view, run) };
}

function updateRunByInput(view: CallerView, input: CheckRunInput): NodeFields {
  const repository = requireRepository(view, input);
  const { checkRunId = "" } = input;
  const run = view.world.checkRuns.get(parseNodeId("CheckRun", checkRunId));
  if (run === null || run.repositoryId !== repository.id) throw createMissingNode(checkRunId);
  if (run.appId !== view.caller.app.id) throw createForbidden();
  const updated = updateRunByBody(view.world, run, toRestBody(CheckRunChange, input));
  return { checkRun: () => buildRunFields(view, updated) };
}

function requireRepository(view: CallerView, { repositoryId }: CheckRunInput): Repository {
  const repository = view.world.repositories.get(parseNodeId("Repository", repositoryId));
  if (repository === null || !isVisible(view.caller, repository)) throw createMissingNode(repositoryId);
  requirePermissions(view, "checks:write");
  return repository;
}

function toRestBody<T>(schema: z.ZodType<T>, input: CheckRunInput): T {
  const body = schema.safeParse({
    name: input.name,
    head_sha: input.headSha,
    external_id: input.externalId,
    details_url: input.detailsUrl,
    status: input.status?.toLowerCase(),
    conclusion: input.conclusion?.toLowerCase(),
    output: input.output && { ...input.output, annotations: input.output.annotations?.map(toRestAnnotation) },
    actions: input.actions,
  });
  if (body.success) return body.data;
  throw createGraphqlError("UNPROCESSABLE", body.error.issues[0]?.message ?? "invalid");
}
