import { getFullName } from "../state/find.ts";
import type { World } from "../state/world.ts";

/** Returns the path that routes match: without the prefix of a GitHub Enterprise Server, with a repository's name instead of its id. */
export function toRoutedPath(world: World, pathname: string): string {
  if (pathname === "/api/graphql") return "/graphql";
  const path = pathname
    .replace(/^\/api\/v3(?=\/|$)/, "")
    .replace(/\/$/, "")
    .replace(/\/contents$/, "/contents/");
  const byId = /^\/repositories\/(\d{1,15})(\/.*)?$/.exec(path);
  if (byId === null) return path === "" ? "/" : path;
  const repository = world.repositories.get(Number(byId[1]));
  return repository === null ? path : `/repos/${getFullName(world, repository)}${byId[2] ?? ""}`;
}

/** Returns the prefix of a GitHub Enterprise Server, or "". Links in the answer use the same prefix. */
export const findPrefix = (pathname: string): string => (/^\/api\/v3(\/|$)/.test(pathname) ? "/api/v3" : "");

/** "{ref}" and "{path}" may contain slashes. */
const WIDE_PARAMETERS = ["ref", "path"];

/** Converts GitHub's path template to Hono's. */
export const toHonoPath = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    WIDE_PARAMETERS.includes(name) ? `:${name}{.*}` : `:${name}`,
  );
