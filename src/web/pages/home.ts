import { Hono } from "hono";
import { countOpenPulls } from "../../store/history/rule-outcomes.ts";
import { listInstalledRepositories } from "../../store/installations.ts";
import { formatOwnerPath, formatRepositoryPath } from "../page/address.ts";
import type { PageDeps, PageEnv } from "../page/page-deps.ts";
import { OUTCOME_STYLES } from "./overview/outcomes.ts";
import { type RepositoryCounts, rankRepositories, WAITING } from "./repository-counts.ts";

/** Most repositories of an owner on this page; its organisation's page has all. */
const MAX_REPOSITORIES = 50;

/** `GET /`: the organisations and repositories of the reader, and where pull requests wait for a person. */
export const createHomePage = ({ db, render }: PageDeps): Hono<PageEnv> =>
  new Hono<PageEnv>().get("/", async (context) => {
    const { reader } = context.var;
    const repositories = await listInstalledRepositories(db, await reader.listReadable());
    const ids = repositories.map(({ repositoryId }) => repositoryId);
    const counted = rankRepositories(repositories, await countOpenPulls(db, ids));
    const owners = [...Map.groupBy(counted, ({ owner }) => owner)].map(([name, own]) =>
      buildOwnerView(name, own),
    );
    const inOrder = owners.toSorted((a, b) => b.waiting - a.waiting || a.name.localeCompare(b.name, "en"));
    return context.html(
      render({ title: "Your repositories", trail: [], template: "home", view: { owners: inOrder }, reader }),
    );
  });

function buildOwnerView(name: string, own: readonly RepositoryCounts[]) {
  const href = formatOwnerPath(name);
  return {
    name,
    href,
    waiting: own.reduce((total, { waiting }) => total + waiting, 0),
    more: Math.max(0, own.length - MAX_REPOSITORIES),
    repositories: own.slice(0, MAX_REPOSITORIES).map((one) => {
      const path = formatRepositoryPath(`${one.owner}/${one.name}`);
      return {
        name: one.name,
        href: path,
        open: one.open,
        labels: WAITING.flatMap((outcome) => {
          const { [outcome]: count = 0 } = one.pulls;
          return count === 0
            ? []
            : [{ ...OUTCOME_STYLES[outcome], count, href: `${path}?verdict=${outcome}` }];
        }),
      };
    }),
  };
}
