import { createHash } from "node:crypto";
import { type Context, Hono } from "hono";
import { formatCount } from "../../render/format.ts";
import {
  findRepositoryByName,
  type InstalledRepository,
  listInstalledRepositories,
} from "../../store/installations.ts";
import { formatAddress, formatOwnerPath, formatRepositoryPath, type PageAddress } from "../page/address.ts";
import type { PageLink, PageTab } from "../page/frame.ts";
import { type Html, html, icon, plural } from "../page/html.ts";
import { answerNotFound, type PageDeps, type PageEnv } from "../page/page.ts";
import type { Reader } from "../reader.ts";

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

/**
 * Creates the routes of a page about one repository or one organisation. `suffix`: the end of both paths, such as `/rules`. What the
 * reader may not see answers like what does not exist.
 */
export function createScopePages(
  deps: Pick<PageDeps, "db">,
  suffix: string,
  answer: (context: Context<PageEnv>, scope: PageScope) => Promise<Response>,
): Hono<PageEnv> {
  const withScope =
    (find: (reader: Reader, owner: string, name: string) => Promise<PageScope | null>) =>
    async (context: Context<PageEnv>): Promise<Response> => {
      const { owner = "", name = "" } = context.req.param();
      const scope = await find(context.var.reader, owner, name);
      return scope === null ? answerNotFound(context) : answer(context, scope);
    };
  return new Hono<PageEnv>()
    .get(
      `/r/:owner/:name${suffix}`,
      withScope((reader, owner, name) => findRepositoryScope(deps, reader, { owner, name })),
    )
    .get(
      `/o/:owner${suffix}`,
      withScope((reader, owner) => findOwnerScope(deps, reader, owner)),
    );
}

/** Finds a repository; null: there is none, or the reader may not see it. */
async function findRepositoryScope(
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
async function findOwnerScope(
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

type RepositoryTab = "overview" | "rules" | "decisions" | "policy";

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

/** The times that statistics go back. */
export const PERIODS = [
  { days: 30, label: "30 days" },
  { days: 90, label: "90 days" },
  { days: 365, label: "365 days" },
] as const;

export type Period = (typeof PERIODS)[number];

/** Reads `period`: a number of days; anything else means 90. */
export const readPeriod = (text: string | undefined): Period =>
  PERIODS.find(({ days }) => String(days) === text) ?? PERIODS[1];

/** Links to the same page with another period. */
export const renderPeriods = (
  period: Period,
  address: PageAddress,
): Html => html`<nav class="choices" aria-label="Period">
<span>In the last</span>
${PERIODS.map(
  ({ days, label }) =>
    html`<a class="button" href="${formatAddress(address, { period: String(days) })}"${days === period.days && html` aria-current="true"`}>${label}</a>
`,
)}</nav>`;

/** Says that amounts of public repositories are not shown. `hidden`: how many there are. */
export function renderHiddenFigures({ kind }: PageScope, hidden: number): Html | null {
  if (hidden === 0) return null;
  const text =
    kind === "organisation"
      ? `${formatCount(hidden)} of them ${plural(hidden, "is", "are")} public: ${plural(hidden, "its", "their")} pull requests count, and ${plural(hidden, "its", "their")} amounts are not shown.`
      : "This repository is public: its amounts are not shown.";
  return html`<p class="flash">${icon("info")} <span>${text}</span></p>`;
}
