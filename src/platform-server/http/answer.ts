import { APIS, type ApiName } from "../../platform/contract/apis.ts";
import { translate } from "../../platform/contract/wire/translate.ts";
import type { Deps } from "../area/deps.ts";
import { createProblem, isProblem, type Problem, STATUS } from "../area/problem.ts";
import type { AccessTables } from "./access.ts";
import { answerFormat, type WireFormat, write } from "./body/formats.ts";
import { ENVELOPES } from "./envelopes.ts";
import { handle } from "./handle.ts";
import { findServicePath } from "./read-input.ts";
import type { Match, Routes } from "./routes.ts";

export interface PlatformServerDeps {
  readonly deps: Deps<AccessTables>;
  readonly routes: Routes;
  /** Returns a unique id of a call. */
  newId(): string;
  /** Receives failures that the caller sees only as 500. */
  onError(error: unknown): void;
}

/**
 * Answers any request: with the endpoint's answer, or with a problem in the envelope of the path's service.
 */
export async function answer(server: PlatformServerDeps, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const place = findServicePath(url.pathname);
  const api = place?.api ?? "provisioning";
  const requestId = server.newId();
  const match = place === null ? null : server.routes(request.method, place);
  const format = answerFormat(request, {
    api,
    mayHaveBody: match === null || match.endpoint.body !== undefined,
  });
  if (match === null)
    return refuse(createProblem("not_found", "there is no such operation"), { api, format, requestId });
  const result = await tryHandle(server, match, { request, query: url.searchParams, requestId });
  if (isProblem(result)) return refuse(result, { api, format, requestId });
  const { status, response } = match.endpoint;
  const { body, headers } = result;
  if (response === "empty") return new Response(null, { status, headers });
  const { dialect } = server.deps;
  // Handlers speak the neutral names only, so that these are never looked through.
  const named = dialect === "neutral" ? body : translate(response, body, dialect);
  return write(format, named, { status, headers });
}

async function tryHandle(server: PlatformServerDeps, match: Match, call: Parameters<typeof handle>[2]) {
  try {
    return await handle(server.deps, match, call);
  } catch (error) {
    server.onError(error);
    return createProblem("internal_server_error", "the platform failed; the operator's log says why");
  }
}

function refuse(
  found: Problem,
  { api, format, requestId }: { api: ApiName; format: WireFormat; requestId: string },
): Response {
  const { body, mediaType } = ENVELOPES[APIS[api].envelope](found, requestId);
  const headers = {
    ...(mediaType === undefined ? {} : { "content-type": mediaType }),
    // What is left of a body that is not read to its end would be taken for the next request.
    ...(found.problem === "payload_too_large" ? { connection: "close" } : {}),
  };
  return write(format, body, { status: STATUS[found.problem], headers });
}
