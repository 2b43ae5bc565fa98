import { findRepository, getPermission, isInstalledOn } from "../state/find.ts";
import { ApiRefusal, notFound } from "../state/refusal.ts";
import type { Repository } from "../state/repositories.ts";
import type { World } from "../state/world.ts";
import type { InstallationCaller, Method, PermissionNeed, UserCaller } from "./call.ts";

const RANK = { read: 1, write: 2, admin: 3 };

export const hasAccess = (caller: InstallationCaller, need: PermissionNeed): boolean => {
  const [name = "", access] = need.split(":");
  const grantedAccess = caller.permissions[name];
  return grantedAccess !== undefined && RANK[grantedAccess] >= RANK[access === "write" ? "write" : "read"];
};

export const isCovered = (caller: InstallationCaller, repository: Repository): boolean =>
  isInstalledOn(caller.installation, repository) &&
  (caller.repositoryIds === null || caller.repositoryIds.includes(repository.id));

/** Returns true when the token can see the repository: it covers it, or the repository is public. */
export const isVisible = (caller: InstallationCaller, repository: Repository): boolean =>
  isCovered(caller, repository) || repository.visibility === "public";

/** A person's token for an App shows what both the person and the App can see. */
export const isVisibleToUser = (world: World, { app, user }: UserCaller, repository: Repository): boolean =>
  repository.visibility === "public" ||
  (getPermission(world, repository, user.id) !== "none" &&
    world.installations.find(
      (row) => row.appId === app.id && row.suspendedAt === null && isInstalledOn(row, repository),
    ) !== null);

/** Refuses an invisible repository with 404, a missing permission with 403. */
export function authoriseRoute(
  caller: InstallationCaller,
  repository: Repository | null,
  route: { method: Method; needs: readonly PermissionNeed[] },
): Repository {
  if (repository === null || !isVisible(caller, repository)) throw notFound();
  if (!isCovered(caller, repository)) {
    if (route.method === "GET") return repository;
    throw new ApiRefusal(403, "Resource not accessible by integration");
  }
  authoriseNeeds(caller, route.needs);
  return repository;
}

export function authoriseNeeds(caller: InstallationCaller, needs: readonly PermissionNeed[]): void {
  if (needs.length > 0 && !needs.some((need) => hasAccess(caller, need))) {
    const accepted = needs.map((need) => need.replace(":", "=")).join("; ");
    throw new ApiRefusal(403, "Resource not accessible by integration", [], accepted);
  }
}

/** Returns the id of the repository that formerly had this name, or null. */
export function findFormerRepository(world: World, name: string): number | null {
  if (findRepository(world, name) !== null) return null;
  const former = world.formerNames.all().findLast((row) => row.fullName === name.toLowerCase());
  return former === undefined || world.repositories.get(former.repositoryId) === null
    ? null
    : former.repositoryId;
}
