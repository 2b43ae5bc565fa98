import { createHash } from "node:crypto";
import { type Context, Hono } from "hono";
import { formatCount } from "../../render/format.ts";
import { type InstalledRepository, listInstalledRepositories } from "../../store/installations.ts";
import { findRepositoryByName } from "../../store/repositories.ts";
import { formatOwnerPath, formatRepositoryPath } from "../page/address.ts";
import type { PageLink } from "../page/frame.ts";
import { type Html, html, icon, plural } from "../page/html.ts";
import { answerNotFound, answerPage, type PageDeps, type PageEnv } from "../page/page.ts";
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
  /** Where it is, from the outside to the inside. */
  readonly trail: readonly PageLink[];
}

/**
 * Creates the routes of a page about one repository or one organisation. `suffix`: the end of both paths, such as `/rules`. What the
 * reader may not see answers like what does not exist.
 */
export function createScopePages(
  { db }: Pick<PageDeps, "db">,
  suffix: string,
  answer: (context: Context<PageEnv>, scope: PageScope) => Promise<Response>,
): Hono<PageEnv> {
  const answerScope = (context: Context<PageEnv>, scope: PageScope | null) =>
    scope === null ? answerNotFound(context) : answer(context, scope);
  return new Hono<PageEnv>()
    .get(`/r/:owner/:name${suffix}`, async (context) => {
      const { owner = "", name = "" }: Readonly<Record<string, string>> = context.req.param();
      const repository = await findReadableRepository({ db }, context.var.reader, { owner, name });
      return answerScope(context, repository && describeRepository(repository));
    })
    .get(`/o/:owner${suffix}`, async (context) =>
      answerScope(context, await findOwnerScope(db, context.var.reader, context.req.param("owner"))),
    );
}

export function describeRepository(repository: InstalledRepository): PageScope {
  const { owner, repositoryId } = repository;
  const name = `${owner}/${repository.name}`;
  const path = formatRepositoryPath(name);
  const trail = [
    { text: owner, href: formatOwnerPath(owner) },
    { text: repository.name, href: path },
  ];
  const own = { repositories: [repository], repositoryIds: [repositoryId] };
  return { kind: "repository", name, path, trail, ...own };
}

/** Finds the repositories of an organisation that the reader can read; null: there are none. */
async function findOwnerScope(db: PageDeps["db"], reader: Reader, login: string): Promise<PageScope | null> {
  const repositories = await listInstalledRepositories(db, await reader.listReadable(), login);
  const name = repositories[0]?.owner;
  if (name === undefined) return null;
  const path = formatOwnerPath(name);
  const repositoryIds = repositories.map(({ repositoryId }) => repositoryId);
  const trail = [{ text: name, href: path }];
  return { kind: "organisation", name, path, trail, repositories, repositoryIds };
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
  const found = await findRepositoryByName(db, `${names.owner}/${names.name}`);
  const canRead = await reader.canRead(found?.repository_id ?? inventId(`${names.owner}/${names.name}`));
  if (found === undefined || !canRead) return null;
  return { repositoryId: found.repository_id, owner: found.owner_login, name: found.name };
}

/** Larger than any id that GitHub gives. */
const NOBODYS_ID = 2 ** 52;

/** Returns an id that no repository has, always the same for a name: answers about it are cached like all others. */
export function inventId(name: string): number {
  const digest = createHash("sha256").update(name.toLowerCase()).digest();
  return NOBODYS_ID + digest.readUIntBE(0, 6);
}

const TABS = [
  { key: "overview", text: "Overview", icon: "graph", path: "" },
  { key: "merged", text: "Merged", icon: "git-merge", path: "/merged" },
  { key: "rules", text: "Rules", icon: "law", path: "/rules" },
  { key: "decisions", text: "Decisions", icon: "history", path: "/decisions" },
  { key: "policy", text: "Policy", icon: "file-code", path: "/policy" },
] as const;

/** Answers with the page of a tab, or one inside of it. An organisation has no policy of its own. */
export function answerTab(
  context: Context<PageEnv>,
  { kind, name, path, trail, inside }: PageScope & { readonly inside?: string },
  tab: (typeof TABS)[number]["key"],
  body: Html,
): Response {
  const tabs = TABS.filter(({ key }) => kind === "repository" || key !== "policy").map((one) => ({
    ...{ text: one.text, icon: one.icon, href: path + one.path },
    current: one.key === tab,
  }));
  const own = inside === undefined ? [] : [{ text: inside, href: context.req.path }];
  const inner = [...(tab === "overview" ? [] : tabs.filter(({ current }) => current)), ...own];
  const title = [...inner.toReversed().map(({ text }) => text), name].join(" · ");
  return answerPage(context, { title, trail: [...trail, ...inner], tabs, body });
}

/** Says that amounts of public repositories are not shown. `hidden`: how many there are. */
export function renderHiddenFigures({ kind }: PageScope, hidden: number): Html | null {
  if (hidden === 0) return null;
  const text =
    kind === "organisation"
      ? `${formatCount(hidden)} of them ${plural(hidden, "is", "are")} public: ${plural(hidden, "its", "their")} pull requests count, and ${plural(hidden, "its", "their")} amounts are not shown.`
      : "This repository is public: its amounts are not shown.";
  return html`<p class="flash">${icon("info")} <span>${text}</span></p>`;
}
