import {
  type ApiAnswer,
  type ApiCall,
  ApiRefusal,
  type ApiRoute,
  authoriseNeeds,
  forbidden,
  type InstallationCall,
  isCovered,
  isVisible,
  isVisibleToUser,
  notFound,
  type UserCall,
} from "../api/call.ts";
import { accountRoutes } from "../resources/accounts.ts";
import { appRoutes } from "../resources/apps.ts";
import { checkRunRoutes } from "../resources/check-runs.ts";
import { commentRoutes } from "../resources/comments.ts";
import { commitRoutes } from "../resources/commits.ts";
import { branchRoutes } from "../resources/merge-rule.ts";
import { pullRoutes } from "../resources/pulls.ts";
import { repositoryRoutes } from "../resources/repositories.ts";
import { reviewRoutes } from "../resources/reviews.ts";
import { stackRoutes } from "../resources/stacks.ts";
import { statusRoutes } from "../resources/statuses.ts";
import { userRoutes } from "../resources/user-tokens.ts";
import type { Repository } from "../state/records.ts";
import { findFormerRepository, findRepository, getFullName, type World } from "../state/world.ts";

/** All REST routes of the sandbox. */
export const ROUTES: readonly ApiRoute[] = [
  ...appRoutes,
  ...userRoutes,
  ...accountRoutes,
  ...repositoryRoutes,
  ...branchRoutes,
  ...commitRoutes,
  ...pullRoutes,
  ...stackRoutes,
  ...reviewRoutes,
  ...checkRunRoutes,
  ...statusRoutes,
  ...commentRoutes,
];

/** Returns the path that routes match: without the prefix of a GitHub Enterprise Server, with a repository's name instead of its id. */
export function toRoutedPath(world: World, pathname: string): string {
  if (pathname === "/api/graphql") return "/graphql";
  const path = pathname
    .slice(findPrefix(pathname).length)
    .replace(/\/$/, "")
    .replace(/\/contents$/, "/contents/");
  const [, id = "", rest = ""] = /^\/repositories\/(\d{1,15})(\/.*)?$/.exec(path) ?? [];
  const repository = world.repositories.get(Number(id || -1));
  if (repository !== null) return `/repos/${getFullName(world, repository)}${rest}`;
  return path === "" ? "/" : path;
}

/** Returns the prefix of a GitHub Enterprise Server, or "". Links in the answer use the same prefix. */
const findPrefix = (pathname: string): string => (/^\/api\/v3(\/|$)/.test(pathname) ? "/api/v3" : "");

/** Converts GitHub's path template to Hono's. "{ref}" and "{path}" may contain slashes. */
export const toHonoPath = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === "ref" || name === "path" ? `:${name}{.*}` : `:${name}`,
  );

/** Finds the repository, checks the token's permissions, and calls the route's handler. */
export function answerRoute(call: ApiCall, route: ApiRoute, url: URL): ApiAnswer | Promise<ApiAnswer> {
  const { world, caller } = call;
  if (route.kind === "app" || route.kind === "client") {
    if (caller.kind === route.kind) return route.answer(call);
    const words = route.kind === "app" ? "A JSON web token could not be decoded" : "Requires authentication";
    throw new ApiRefusal(401, words);
  }
  if (caller.kind === "user") return answerUser({ ...call, caller }, route);
  if (caller.kind !== "installation" || route.kind === "user") throw forbidden();
  if (route.kind === "repository") {
    const { repository, moved } = findNamed(call);
    if (repository === null || !isVisible(caller, repository)) throw notFound();
    if (moved) return redirect(world, repository, { url, isRead: route.method === "GET" });
    authoriseRoute({ ...call, caller }, repository, route);
    return route.answer({ ...call, caller, repository });
  }
  authoriseNeeds(caller, route.needs);
  return route.answer({ ...call, caller });
}

/** Returns the repository that the path names, by its name of today or by a former one. */
function findNamed({ world, path }: ApiCall): { repository: Repository | null; moved: boolean } {
  const name = `${path["owner"]}/${path["repo"]}`;
  const former = findFormerRepository(world, name);
  return { repository: former ?? findRepository(world, name), moved: former !== null };
}

/** Everybody may read a public repository; for the rest the token must cover it and have a permission. */
function authoriseRoute({ caller }: InstallationCall, repository: Repository, route: ApiRoute): void {
  if (isCovered(caller, repository)) authoriseNeeds(caller, route.needs);
  else if (route.method !== "GET") throw forbidden();
}

function answerUser(call: UserCall, route: ApiRoute): ApiAnswer | Promise<ApiAnswer> {
  if (route.kind === "user") return route.answer(call);
  if (route.answerUser === undefined) throw forbidden();
  const repository = findRepository(call.world, `${call.path["owner"]}/${call.path["repo"]}`);
  if (repository === null || !isVisibleToUser(call.world, call.caller, repository)) throw notFound();
  return route.answerUser({ ...call, repository });
}

/** Redirects calls for a former name to the repository's address by id: reads permanently, writes temporarily. */
function redirect(
  world: World,
  { id }: Repository,
  { url, isRead }: { url: URL; isRead: boolean },
): ApiAnswer {
  const prefix = findPrefix(url.pathname);
  const rest = url.pathname.slice(prefix.length).split("/").slice(4);
  const target = `${world.origin()}${[`${prefix}/repositories/${id}`, ...rest].join("/")}${url.search}`;
  const body = {
    message: isRead ? "Moved Permanently" : "Temporary Redirect",
    url: target,
    documentation_url:
      "https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects",
  };
  return { status: isRead ? 301 : 307, body, headers: { location: target } };
}
