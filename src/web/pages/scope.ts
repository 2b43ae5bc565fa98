import { type InstalledRepository, listInstalledRepositories } from "../../store/installations.ts";
import { formatOwnerPath, formatRepositoryPath } from "../page/address.ts";
import type { PageLink, PageTab } from "../page/frame.ts";
import type { PageDeps } from "../page/page.ts";
import type { Reader } from "../reader.ts";
import {
  buildOwnerTabs,
  buildRepositoryTabs,
  buildRepositoryTrail,
  findReadableRepository,
  type RepositoryTab,
} from "./repository.ts";

/** What a page of statistics is about: one repository, or those of an organisation that its reader can read. */
export interface PageScope {
  readonly kind: "repository" | "organisation";
  /** `owner/name`, or the owner's login. */
  readonly name: string;
  /** Path of its overview; pages inside of it begin with it. */
  readonly path: string;
  /** By name; never empty. */
  readonly repositories: readonly InstalledRepository[];
  readonly repositoryIds: readonly number[];
  tabs(current: RepositoryTab): readonly PageTab[];
  trail(...inner: readonly PageLink[]): readonly PageLink[];
}

/** Finds a repository; null: there is none, or the reader may not see it. */
export async function findRepositoryScope(
  deps: Pick<PageDeps, "db">,
  reader: Reader,
  names: { readonly owner: string; readonly name: string },
): Promise<PageScope | null> {
  const repository = await findReadableRepository(deps, reader, names);
  if (repository === null) return null;
  const name = `${repository.owner}/${repository.name}`;
  return {
    kind: "repository",
    name,
    path: formatRepositoryPath(name),
    repositories: [repository],
    repositoryIds: [repository.repositoryId],
    tabs: (current) => buildRepositoryTabs(name, current),
    trail: (...inner) => buildRepositoryTrail(repository, ...inner),
  };
}

/** Finds the repositories of an organisation that the reader can read; null: there are none. */
export async function findOwnerScope(
  { db }: Pick<PageDeps, "db">,
  reader: Reader,
  login: string,
): Promise<PageScope | null> {
  const repositories = await listInstalledRepositories(db, await reader.listReadable(), login);
  const owner = repositories[0]?.owner;
  if (owner === undefined) return null;
  const path = formatOwnerPath(owner);
  return {
    kind: "organisation",
    name: owner,
    path,
    repositories,
    repositoryIds: repositories.map(({ repositoryId }) => repositoryId),
    tabs: (current) => buildOwnerTabs(owner, current),
    trail: (...inner) => [{ text: owner, href: path }, ...inner],
  };
}
