import { randomUUID } from "node:crypto";
import { readRequest } from "../../platform/contract/codec.ts";
import type { Endpoint, Reply } from "../../platform/contract/endpoint.ts";
import type { Context, Deps } from "../deps.ts";
import { authenticate, refusal } from "./access.ts";
import { isProblem, type Problem, problem, problemAnswer } from "./problem.ts";
import { holdsNul, readBody } from "./read-body.ts";

/** A handler without the types of its endpoint, as the router sees it. */
export type AnyHandler = (
  input: unknown,
  context: Context,
) => Reply<Endpoint> | Problem | Promise<Reply<Endpoint> | Problem>;

/** So many of a request's problems are told at once. */
const TOLD = 10;

/** Answers one request to an endpoint: who is it, may they, what do they ask, and only then the handler. */
export async function answer(
  deps: Deps,
  route: { readonly endpoint: Endpoint; readonly handler: AnyHandler },
  call: { readonly request: Request; readonly params: Readonly<Record<string, string>> },
): Promise<Response> {
  const result = await handle(deps, route, call);
  if (isProblem(result)) return problemAnswer(result);
  const { status, response } = route.endpoint;
  if (response === "empty") return new Response(null, { status, headers: result.headers ?? {} });
  return Response.json(result.body, { status, headers: result.headers ?? {} });
}

async function handle(
  deps: Deps,
  { endpoint, handler }: { readonly endpoint: Endpoint; readonly handler: AnyHandler },
  { request, params }: { readonly request: Request; readonly params: Readonly<Record<string, string>> },
): Promise<Reply<Endpoint> | Problem> {
  const token = await authenticate(deps, request.headers);
  if (isProblem(token)) return token;
  const { org, project } = params;
  const refused = org === undefined || project === undefined ? null : refusal(token, { org, project });
  if (refused !== null) return refused;
  const found = await readBody(endpoint, request);
  if (isProblem(found)) return found;
  const query = new URL(request.url).searchParams;
  const headers = Object.fromEntries(request.headers);
  if (holdsNul(params) || holdsNul([...query.values()]))
    return problem("bad_request", "a parameter holds the character U+0000");
  const checked = readRequest(endpoint, { params, query, headers, body: found.body });
  if (!checked.ok) return problem("bad_request", wording(checked.problems));
  return handler(checked.value, { ...deps, token, requestId: randomUUID() });
}

function wording(problems: readonly string[]): string {
  const told = problems.slice(0, TOLD).map((text) => text.slice(0, 300));
  const rest = problems.length - told.length;
  return rest > 0 ? `${told.join("; ")}; and ${rest} more` : told.join("; ");
}
