import type { Kysely } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import type { Endpoint } from "../../platform/contract/endpoint.ts";
import {
  getPageHeaders,
  type PageFigure,
  type Pagination,
} from "../../platform/contract/shapes/pagination.ts";
import { getAtPath } from "../../platform/contract/wire/codec.ts";
import { claimProject, findProjectOwner } from "../../store/bindings.ts";
import { findRepository } from "../../store/repositories.ts";
import type { Tables } from "../../store/tables/tables.ts";
import type { Token } from "../../store/tokens.ts";
import { recordTokenUse } from "../../store/tokens.ts";
import type { Deps } from "../area/deps.ts";
import { createProblem, isProblem, type Problem } from "../area/problem.ts";
import { type AccessTables, authenticate, checkAccess } from "./access.ts";
import { readBody } from "./body/read-body.ts";
import { decodeParams, type Match } from "./routes.ts";

/** One request that is being processed. */
export interface PlatformRequest {
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly requestId: string;
}

/** The result of an endpoint before it is encoded. */
interface HandlerResult {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Answers one request to an endpoint: authenticates, authorizes and parses it before the handler is called.
 */
export async function handle(
  deps: Deps<AccessTables>,
  { endpoint, handler, read, right, params: encoded }: Match,
  { request, query, requestId }: PlatformRequest,
): Promise<HandlerResult | Problem> {
  const token = await authenticate(deps, request.headers);
  if (isProblem(token)) return token;
  const params = decodeParams(encoded);
  if (params === null) return createProblem("bad_request", "the path is not percent-encoded UTF-8");
  const refused = checkAccess(token, { api: endpoint.api, right, headers: request.headers, query, params });
  if (refused !== null) return refused;
  const left = await checkProjectOwner(deps, token, endpoint.method);
  if (left !== null) return left;
  await recordTokenUse(deps.db, token, deps.clock);
  const body = await readBody(endpoint, { request, memory: deps.bodies, client: token.id });
  if (isProblem(body)) return body;
  const headers = Object.fromEntries(request.headers);
  const found = await read({ body, params, query: `${query}`, headers, dialect: deps.dialect });
  if (isProblem(found)) return found;
  const reply = await handler(found.input, { ...deps, token, requestId });
  return isProblem(reply) ? reply : { body: reply.body, headers: pageHeaders(endpoint, found.input, reply) };
}

/**
 * Why a repository's token may not access the project with the repository's name: a repository that had this
 * name before owns the project. The first repository that writes to a project owns it, whichever repository
 * has the name later. Null: it may, or the project has another name, which the operator chose.
 */
async function checkProjectOwner(
  { db, clock }: { readonly db: Kysely<Tables>; readonly clock: Clock },
  token: Token,
  method: string,
): Promise<Problem<"forbidden"> | null> {
  if (token.purpose !== "import") return null;
  const { account, org, project, repositoryId } = token;
  const repository = await findRepository(db, repositoryId);
  if (repository?.owner_login !== org || repository.name !== project) return null;
  const key = { account, org, project };
  const owner =
    method === "GET"
      ? await findProjectOwner(db, key)
      : await claimProject(db, key, { repositoryId, nowMs: clock.now() });
  if (owner === null || owner === repositoryId) return null;
  return createProblem(
    "forbidden",
    "the project belongs to another repository, which had this name before; the operator can release it, or grant another project",
  );
}

/** A piece of a list: its number, how many items it may hold, and how many pieces' items there are in all. */
interface Page {
  readonly number: number;
  readonly size: number;
  readonly total: number;
  /** Number of the first page. */
  readonly first: number;
}

/**
 * The headers of an answer that is a piece of a list; none for other answers. `input` is the request as its endpoint reads
 * it, `total` what the handler counted where the body does not say it.
 */
function pageHeaders(
  { pagination }: Pick<Endpoint, "pagination">,
  input: unknown,
  reply: { readonly body: unknown; readonly total?: number },
): Readonly<Record<string, string>> {
  if (pagination === undefined) return {};
  const total = pagination.total.in === "body" ? getAtPath(reply.body, pagination.total.path) : reply.total;
  const figures = computePageFigures({ ...computePage(pagination, input), total: readNumber(total, 0) });
  return Object.fromEntries(
    Object.entries(getPageHeaders(pagination)).flatMap(([name, figure]) => {
      const value = figures[figure];
      return value === null ? [] : [[name, `${value}`]];
    }),
  );
}

function computePage({ ask }: Pagination, input: unknown): Omit<Page, "total"> {
  const part = getAtPath(input, [ask.in]);
  if (ask.by === "page") {
    const { first } = ask;
    return {
      number: readNumber(getAtPath(part, [ask.page]), first),
      size: readNumber(getAtPath(part, [ask.size]), 1),
      first,
    };
  }
  const size = readNumber(getAtPath(part, ask.limit), ask.defaultLimit);
  // Document 1 counts pages from 1.
  return { number: Math.floor(readNumber(getAtPath(part, ask.offset), 0) / size) + 1, size, first: 1 };
}

const readNumber = (value: unknown, otherwise: number): number =>
  typeof value === "number" ? value : otherwise;

function computePageFigures({
  number,
  size,
  total,
  first,
}: Page): Readonly<Record<PageFigure, number | null>> {
  const pages = Math.ceil(total / size);
  return { total, page: number, size, pages, next: number - first + 1 < pages ? number + 1 : null };
}
