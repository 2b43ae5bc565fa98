import { readRequest } from "../../platform/contract/wire/codec.ts";
import { DIALECTS } from "../../platform/contract/wire/dialect.ts";
import type { FieldError } from "../../platform/contract/wire/request-checks.ts";
import { translateField } from "../../platform/contract/wire/translate.ts";
import { recordTokenUse } from "../../store/tokens.ts";
import type { Deps } from "../area/deps.ts";
import { createProblem, isProblem, type Problem } from "../area/problem.ts";
import { type AccessTables, authenticate, checkAccess } from "./access.ts";
import { hasNul } from "./body/parse-body.ts";
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
export interface HandlerResult {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Most problems of a request that one answer lists. */
const MAX_PROBLEMS = 10;

/**
 * Answers one request to an endpoint: authenticates, authorizes and parses it before the handler is called.
 */
export async function handle(
  deps: Deps<AccessTables>,
  { endpoint, handler, params: encoded }: Match,
  { request, query, requestId }: PlatformRequest,
): Promise<HandlerResult | Problem> {
  const token = await authenticate(deps, request.headers);
  if (isProblem(token)) return token;
  const params = decodeParams(encoded);
  if (params === null) return createProblem("bad_request", "the path is not percent-encoded UTF-8");
  const refused = checkAccess(token, { ...endpoint, headers: request.headers, query, params });
  if (refused !== null) return refused;
  const left = await checkProjectOwner(deps, token, endpoint.method);
  if (left !== null) return left;
  await recordTokenUse(deps.db, token, deps.clock);
  const found = await readBody(endpoint, { request, memory: deps.bodies, client: token.id });
  if (isProblem(found)) return found;
  if (hasNul(params) || hasNul([...query.values()]))
    return createProblem("bad_request", "a parameter holds the character U+0000");
  const headers = Object.fromEntries(request.headers);
  const checked = readRequest(endpoint, { params, query, headers, body: found.body });
  if (!checked.ok) return createUnreadableProblem(deps, checked);
  const reply = await handler(checked.value, { ...deps, token, requestId });
  return isProblem(reply)
    ? reply
    : { body: reply.body, headers: pageHeaders(endpoint, checked.value, reply) };
}

function createUnreadableProblem(
  { dialect }: Pick<Deps<AccessTables>, "dialect">,
  found: { readonly problems: readonly string[]; readonly fields: readonly FieldError[] },
): Problem<"bad_request"> {
  const firstProblems = found.problems.slice(0, MAX_PROBLEMS).map((text) => text.slice(0, 300));
  const rest = found.problems.length - firstProblems.length;
  const fields = found.fields.slice(0, MAX_PROBLEMS).map(({ part, field, error }) => ({
    field: translateField(field === "" ? part : field, DIALECTS[dialect]).slice(0, 300),
    error: error.slice(0, 300),
  }));
  const words = rest > 0 ? `${firstProblems.join("; ")}; and ${rest} more` : firstProblems.join("; ");
  return createProblem("bad_request", words, { fields });
}
