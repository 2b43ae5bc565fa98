import { fullName } from "../state/find.ts";
import type { World } from "../state/world.ts";

/** The path as the routes know it: without the prefix of a GitHub Enterprise Server, and with a repository's name for its id. */
export function routedPath(world: World, pathname: string): string {
  if (pathname === "/api/graphql") return "/graphql";
  const path = pathname
    .replace(/^\/api\/v3(?=\/|$)/, "")
    .replace(/\/$/, "")
    .replace(/\/contents$/, "/contents/");
  const byId = /^\/repositories\/(\d{1,15})(\/.*)?$/.exec(path);
  if (byId === null) return path === "" ? "/" : path;
  const repository = world.repositories.get(Number(byId[1]));
  return repository === null ? path : `/repos/${fullName(world, repository)}${byId[2] ?? ""}`;
}

/** Whether it was asked as on a GitHub Enterprise Server; links in the answer then say so too. */
export const prefixOf = (pathname: string): string => (/^\/api\/v3(\/|$)/.test(pathname) ? "/api/v3" : "");

/** "{ref}" and "{path}" may contain slashes. */
const WIDE = ["ref", "path"];

/** GitHub's way of writing a path, as Hono writes it. */
export const honoPath = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => (WIDE.includes(name) ? `:${name}{.*}` : `:${name}`));
