import { createHash } from "node:crypto";
import { findRepositoryByName, type InstalledRepository } from "../../store/installations.ts";
import { formatOwnerPath, formatRepositoryPath } from "../page/address.ts";
import type { PageLink, PageTab } from "../page/frame.ts";
import type { PageDeps } from "../page/page.ts";
import type { Reader } from "../reader.ts";

/**
 * Finds a repository that the reader may see; null: there is none, or the reader may not see it. GitHub is asked in both cases:
 * otherwise its silence, and the time that it takes, would tell which one it is.
 */
export async function findReadableRepository(
  { db }: Pick<PageDeps, "db">,
  reader: Reader,
  names: { readonly owner: string; readonly name: string },
): Promise<InstalledRepository | null> {
  const found = await findRepositoryByName(db, names);
  const canRead = await reader.canRead(found?.repositoryId ?? inventId(names));
  return canRead ? found : null;
}

/** Larger than any id that GitHub gives. */
const NOBODYS_ID = 2 ** 52;

/** Returns an id that no repository has, always the same for a name: answers about it are cached like all others. */
function inventId({ owner, name }: { readonly owner: string; readonly name: string }): number {
  const digest = createHash("sha256").update(`${owner}/${name}`.toLowerCase()).digest();
  return NOBODYS_ID + digest.readUIntBE(0, 6);
}

export type RepositoryTab = "overview" | "rules" | "decisions" | "policy";

const TABS = [
  { key: "overview", text: "Overview", icon: "graph", path: "" },
  { key: "rules", text: "Rules", icon: "law", path: "/rules" },
  { key: "decisions", text: "Decisions", icon: "history", path: "/decisions" },
  { key: "policy", text: "Policy", icon: "file-code", path: "/policy" },
] as const;

/** The tabs of a repository's pages; `current` null: a page inside of one. */
export const buildRepositoryTabs = (repository: string, current: RepositoryTab | null): readonly PageTab[] =>
  TABS.map(({ key, text, icon, path }) => ({
    text,
    icon,
    href: formatRepositoryPath(repository) + path,
    current: key === current,
  }));

/** The tabs of an organisation's pages. */
export const buildOwnerTabs = (owner: string, current: RepositoryTab): readonly PageTab[] =>
  TABS.filter(({ key }) => key !== "policy").map(({ key, text, icon, path }) => ({
    text,
    icon,
    href: formatOwnerPath(owner) + path,
    current: key === current,
  }));

/** Where a page of a repository is. */
export const buildRepositoryTrail = (
  { owner, name }: Pick<InstalledRepository, "owner" | "name">,
  ...inner: readonly PageLink[]
): readonly PageLink[] => [
  { text: owner, href: formatOwnerPath(owner) },
  { text: name, href: formatRepositoryPath(`${owner}/${name}`) },
  ...inner,
];
