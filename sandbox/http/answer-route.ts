import {
  authoriseNeeds,
  authoriseRoute,
  findFormerRepository,
  isVisible,
  isVisibleToUser,
} from "../api/authorise.ts";
import type { ApiAnswer, ApiCall, ApiRoute, Caller, InstallationCaller, UserCall } from "../api/call.ts";
import type { Deliveries } from "../outbox/deliveries.ts";
import { findRepository } from "../state/find.ts";
import { ApiRefusal, notFound } from "../state/refusal.ts";
import type { World } from "../state/world.ts";
import { findPrefix } from "./paths.ts";

/** An authenticated call before its route handles it. */
export interface RouteRequest {
  readonly world: World;
  readonly deliveries: Deliveries;
  readonly caller: Caller;
  readonly url: URL;
  readonly path: Readonly<Record<string, string>>;
  readonly text: string;
  readonly accept: string;
}

/** Finds the repository, checks the token's permissions, and calls the route's handler. */
export function answerRoute(incoming: RouteRequest, route: ApiRoute): ApiAnswer | Promise<ApiAnswer> {
  const { caller } = incoming;
  const call: ApiCall = {
    ...incoming,
    body: parseJson(incoming.text),
    query: (name) => incoming.url.searchParams.get(name),
  };
  if (route.kind === "app" || route.kind === "client") {
    if (caller.kind !== route.kind) throw new ApiRefusal(401, NOT_THIS_APP[route.kind]);
    return route.answer(call);
  }
  if (caller.kind === "user") return answerUserRoute({ ...call, caller }, route);
  if (caller.kind !== "installation" || route.kind === "user")
    throw new ApiRefusal(403, "Resource not accessible by integration");
  if (route.kind === "installation") {
    authoriseNeeds(caller, route.needs);
    return route.answer({ ...call, caller });
  }
  const name = `${incoming.path["owner"]}/${incoming.path["repo"]}`;
  const moved = redirectFormerName(incoming, caller, { name, method: route.method });
  if (moved !== null) return moved;
  const repository = authoriseRoute(caller, findRepository(incoming.world, name), route);
  return route.answer({ ...call, caller, repository });
}

const NOT_THIS_APP = {
  app: "A JSON web token could not be decoded",
  client: "Requires authentication",
} as const;

function answerUserRoute(call: UserCall, route: ApiRoute): ApiAnswer | Promise<ApiAnswer> {
  if (route.kind === "user") return route.answer(call);
  if (route.kind !== "repository" || route.answerUser === undefined)
    throw new ApiRefusal(403, "Resource not accessible by integration");
  const repository = findRepository(call.world, `${call.path["owner"]}/${call.path["repo"]}`);
  if (repository === null || !isVisibleToUser(call.world, call.caller, repository)) throw notFound();
  return route.answerUser({ ...call, repository });
}

/** Redirects calls for a former name to the repository's address by id: reads permanently, writes temporarily. */
function redirectFormerName(
  incoming: RouteRequest,
  caller: InstallationCaller,
  call: { name: string; method: string },
): ApiAnswer | null {
  const { world, url } = incoming;
  const id = findFormerRepository(world, call.name);
  if (id === null) return null;
  if (!isVisible(caller, world.repositories.require(id))) throw notFound();
  const rest = url.pathname
    .split("/")
    .slice(findPrefix(url.pathname) === "" ? 4 : 6)
    .join("/");
  const tail = rest === "" ? "" : `/${rest}`;
  const target = `${world.origin()}${findPrefix(url.pathname)}/repositories/${id}${tail}${url.search}`;
  const read = call.method === "GET";
  const body = {
    message: read ? "Moved Permanently" : "Temporary Redirect",
    url: target,
    documentation_url:
      "https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects",
  };
  return { status: read ? 301 : 307, body, headers: { location: target } };
}

function parseJson(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiRefusal(400, "Problems parsing JSON");
  }
}
