import { recordTokenUse } from "../../store/tokens.ts";
import type { Deps } from "../area/deps.ts";
import { createProblem, isProblem, type Problem } from "../area/problem.ts";
import { type AccessTables, authenticate, checkAccess } from "./access.ts";
import { readBody } from "./body/read-body.ts";
import { pageHeaders } from "./page-headers.ts";
import { checkProjectOwner } from "./project-owner.ts";
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
