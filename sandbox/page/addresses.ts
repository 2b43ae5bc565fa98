import type { Repository } from "../state/records.ts";
import { getFullName, type World } from "../state/world.ts";

/** Returns the path of a page; slashes inside a part stay, everything else is percent-encoded. */
export const formatPath = (...parts: readonly string[]): string =>
  `/${parts
    .flatMap((part) => part.split("/"))
    .map(encodeURIComponent)
    .join("/")}`;

/** Returns the path of a page of a repository. */
export const formatRepositoryPath = (
  world: World,
  repository: Repository,
  ...parts: readonly string[]
): string => formatPath(getFullName(world, repository), ...parts);

/** Returns the address of somebody's page: of an App's bot, the App's. */
export function findAccountPath(world: World, accountId: number): string {
  const app = world.apps.find(({ botId }) => botId === accountId);
  return app === null ? formatPath(world.accounts.require(accountId).login) : formatPath("apps", app.slug);
}

/** Returns an address that others wrote, if it is one of the web; else null. */
export const readWebAddress = (address: string | null): string | null =>
  address !== null && /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null;
