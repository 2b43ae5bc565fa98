import {
  APIS,
  type ApiName,
  type Endpoint,
  listErrorStatuses,
  type ServiceEnvelope,
} from "../../platform/contract/endpoint.ts";
import {
  getAtPath,
  getPageHeaders,
  type PageFigure,
  type Pagination,
} from "../../platform/contract/shapes/pagination.ts";
import { translate } from "../../platform/contract/wire/translate.ts";
import { claimProject, findProjectOwner } from "../../store/bindings.ts";
import { findRepository } from "../../store/repositories.ts";
import { recordTokenUse, type Token } from "../../store/tokens.ts";
import type { Deps } from "../area/area.ts";
import { type Problem, type ProblemName, Refusal, refuse, STATUS } from "../area/problem.ts";
import { authenticate, checkAccess } from "./access.ts";
import { answerFormat, type WireFormat, write } from "./formats.ts";
import { readBody } from "./read-body.ts";
import { decodeParams, findServicePath, type Match, type Routes } from "./routes.ts";

export interface PlatformServerDeps {
  readonly deps: Deps;
  readonly routes: Routes;
  newId(): string;
  onError(error: unknown): void;
}

/** Answers any request: with the endpoint's answer, or with a problem in the envelope of the path's service. */
export async function answer(server: PlatformServerDeps, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const place = findServicePath(url.pathname);
  const api = place?.api ?? "provisioning";
  const requestId = server.newId();
  const match = place === null ? null : server.routes(request.method, place);
  const mayHaveBody = match === null || match.endpoint.body !== undefined;
  const format = answerFormat(request, { api, mayHaveBody });
  try {
    if (match === null) refuse("not_found", "there is no such operation");
    const { status, response } = match.endpoint;
    const { body, headers } = await handle(server.deps, match, {
      request,
      query: url.searchParams,
      requestId,
    });
    if (response === "empty") return new Response(null, { status, headers });
    const { dialect } = server.deps;
    // Handlers speak the neutral names only, so that these are never looked through.
    const named = dialect === "neutral" ? body : translate(response, body, dialect);
    return write(format, named, { status, headers });
  } catch (error) {
    if (error instanceof Refusal && isDeclared(match, error.problem))
      return writeProblem(error.problem, { api, format, requestId });
    server.onError(error);
    const message = "the platform failed; the operator's log says why";
    return writeProblem({ problem: "internal_server_error", message }, { api, format, requestId });
  }
}

/** Anything else that a handler says is a failure of ours. */
const isDeclared = (match: Match | null, { problem }: Problem): boolean =>
  match === null || listErrorStatuses(match.endpoint).includes(STATUS[problem]);

function writeProblem(
  problem: Problem,
  { api, format, requestId }: { api: ApiName; format: WireFormat; requestId: string },
): Response {
  const { envelope } = APIS[api];
  const headers = {
    ...(envelope === "goa" && { "content-type": "application/vnd.goa.error" }),
    // What is left of a body that is not read to its end would be taken for the next request.
    ...(problem.problem === "payload_too_large" && { connection: "close" }),
  };
  return write(format, ENVELOPES[envelope](problem, requestId), { status: STATUS[problem.problem], headers });
}

/** Authenticates, authorizes and parses a request before its handler is called. @throws Refusal */
async function handle(
  deps: Deps,
  { endpoint, handler, read, right, params: encoded }: Match,
  {
    request,
    query,
    requestId,
  }: { readonly request: Request; readonly query: URLSearchParams; readonly requestId: string },
) {
  const token = await authenticate(deps, request.headers);
  const params = decodeParams(encoded);
  checkAccess(token, { api: endpoint.api, right, headers: request.headers, query, params });
  await checkProjectOwner(deps, token, endpoint.method);
  await recordTokenUse(deps.db, token, deps.clock);
  const body = await readBody(endpoint, { request, memory: deps.bodies });
  const headers = Object.fromEntries(request.headers);
  const found = await read({ body, params, query: `${query}`, headers, dialect: deps.dialect });
  if ("problem" in found) throw new Refusal(found);
  const reply = await handler(found.input, { ...deps, token, account: token.account, requestId });
  return { body: reply.body, headers: buildPageHeaders(endpoint, found.input, reply) };
}

/**
 * Refuses a repository's token the project with the repository's name when a repository that had this name before owns the
 * project. The first repository that writes to a project owns it, whichever repository has the name later. A project of another name was
 * chosen by the operator.
 */
async function checkProjectOwner({ db }: Deps, token: Token, method: string): Promise<void> {
  if (token.purpose !== "import") return;
  const { account, org, project, repositoryId } = token;
  const repository = await findRepository(db, repositoryId);
  if (repository?.owner_login !== org || repository.name !== project) return;
  const key = { account, org, project };
  const owner =
    method === "GET" ? await findProjectOwner(db, key) : await claimProject(db, key, repositoryId);
  if (owner !== null && owner !== repositoryId)
    refuse(
      "forbidden",
      "the project belongs to another repository, which had this name before; the operator can release it, or grant another project",
    );
}

/**
 * Returns the headers of an answer that is a piece of a list; none for other answers. `input` is the request as its endpoint reads
 * it, `total` what the handler counted where the body does not say it.
 */
function buildPageHeaders(
  { pagination }: Pick<Endpoint, "pagination">,
  input: unknown,
  reply: { readonly body: unknown; readonly total?: number },
): Readonly<Record<string, string>> {
  if (pagination === undefined) return {};
  const stated = pagination.total.in === "body" ? getAtPath(reply.body, pagination.total.path) : reply.total;
  const total = readNumber(stated, 0);
  const { number, size, first } = readPage(pagination, input);
  const pages = Math.ceil(total / size);
  const next = number - first + 1 < pages ? number + 1 : null;
  const figures: Readonly<Record<PageFigure, number | null>> = { total, page: number, size, pages, next };
  return Object.fromEntries(
    Object.entries(getPageHeaders(pagination)).flatMap(([name, figure]) => {
      const value = figures[figure];
      return value === null ? [] : [[name, `${value}`]];
    }),
  );
}

/** The requested page's number and size, and the number of the first page. */
function readPage({ ask }: Pagination, input: unknown) {
  const part = getAtPath(input, [ask.in]);
  if (ask.by === "page") {
    const number = readNumber(getAtPath(part, [ask.page]), ask.first);
    return { number, size: readNumber(getAtPath(part, [ask.size]), 1), first: ask.first };
  }
  const size = readNumber(getAtPath(part, ask.limit), ask.defaultLimit);
  // These pages are counted from 1.
  return { number: Math.floor(readNumber(getAtPath(part, ask.offset), 0) / size) + 1, size, first: 1 };
}

const readNumber = (value: unknown, otherwise: number): number =>
  typeof value === "number" ? value : otherwise;

type ErrorBody = Readonly<Record<string, unknown>>;

/** How each family of services encodes a problem. `requestId` identifies the call. */
export const ENVELOPES: Readonly<
  Record<ServiceEnvelope, (problem: Problem, requestId: string) => ErrorBody>
> = {
  goa: ({ problem, message }, id) => ({
    name: problem,
    id,
    message,
    temporary: problem === "context_cancelled",
    timeout: problem === "timeout",
    fault: isFault(problem),
  }),
  cost: (problem, id) =>
    isFault(problem.problem) ? createCostErrorBody(problem, id) : createCostFailureBody(problem, id),
  flags: (problem) => ({
    code: `${STATUS[problem.problem]}`,
    message: problem.message,
    details: groupErrorsByField(problem),
  }),
  registry: (problem) => ({
    code: `${STATUS[problem.problem]}`,
    message: problem.message,
    status: isFault(problem.problem) ? "ERROR" : "FAILURE",
    ...(problem.fields === undefined ? {} : { details: groupErrorsByField(problem) }),
  }),
  code: (problem) => ({ message: problem.message, values: groupErrorsByField(problem) }),
};

const isFault = (problem: ProblemName): boolean => STATUS[problem] >= 500;

const groupErrorsByField = ({ fields = [] }: Problem): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map(({ field, error }) => [field, error]));

/** Cost management's word for each condition (its section 7 lists the words, not when they are said). */
const COST_CODES: Readonly<Record<ProblemName, string>> = {
  bad_request: "INVALID_REQUEST",
  unauthorized: "INVALID_TOKEN",
  forbidden: "NG_ACCESS_DENIED",
  not_found: "RESOURCE_NOT_FOUND",
  timeout: "REQUEST_TIMEOUT",
  conflict: "RESOURCE_ALREADY_EXISTS",
  precondition_failed: "ILLEGAL_STATE",
  payload_too_large: "INVALID_ARGUMENT",
  unsupported_media_type: "INVALID_FORMAT",
  locked: "ILLEGAL_STATE",
  context_cancelled: "REQUEST_TIMEOUT",
  internal_server_error: "UNKNOWN_ERROR",
};

const chooseCostCode = ({ code, problem, fields = [] }: Problem): string =>
  code ?? (problem === "bad_request" && fields.length > 0 ? "SCHEMA_VALIDATION_FAILED" : COST_CODES[problem]);

/** Cost management 2.1. */
const createCostFailureBody = (problem: Problem, correlationId: string) => ({
  status: "FAILURE",
  code: chooseCostCode(problem),
  message: problem.message,
  correlationId,
  errors: (problem.fields ?? []).map(({ field, error }) => ({ fieldId: field, error })),
});

/** Cost management 2.2. */
const createCostErrorBody = (problem: Problem, correlationId: string) => ({
  status: "ERROR",
  code: chooseCostCode(problem),
  message: problem.message,
  correlationId,
  detailedMessage: problem.message,
  responseMessages: [
    {
      code: chooseCostCode(problem),
      level: "ERROR",
      message: problem.message,
      exception: null,
      failureTypes: [],
      failureSubTypes: [],
      additionalInfo: {},
    },
  ],
  metadata: null,
});
