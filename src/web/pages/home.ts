import { Hono } from "hono";
import { formatCount } from "../../render/format.ts";
import { countOpenPulls } from "../../store/history/rule-outcomes.ts";
import { listInstalledRepositories } from "../../store/installations.ts";
import { formatOwnerPath, formatRepositoryPath } from "../page/address.ts";
import { type Html, html, icon, plural } from "../page/html.ts";
import { answerPage, type PageDeps, type PageEnv } from "../page/page.ts";
import { OUTCOME_LABELS, type RepositoryCounts, rankRepositories, WAITING } from "./outcomes.ts";

/** Most repositories of an owner on this page; its organisation's page has all. */
const MAX_REPOSITORIES = 50;

/** `GET /`: the organisations and repositories of the reader, and where pull requests wait for a person. */
export const createHomePage = ({ db }: PageDeps): Hono<PageEnv> =>
  new Hono<PageEnv>().get("/", async (context) => {
    const repositories = await listInstalledRepositories(db, await context.var.reader.listReadable());
    const ids = repositories.map(({ repositoryId }) => repositoryId);
    const counted = rankRepositories(repositories, await countOpenPulls(db, ids));
    const owners = [...Map.groupBy(counted, ({ owner }) => owner)].map(([name, own]) => ({
      ...{ name, own },
      waiting: own.reduce((total, { waiting }) => total + waiting, 0),
    }));
    const inOrder = owners.toSorted((a, b) => b.waiting - a.waiting || a.name.localeCompare(b.name, "en"));
    const body = html`<h1>Your repositories</h1>
${inOrder.length === 0 ? html`<p class="blank">Tollgate is installed on no repository that you can read on GitHub.</p>` : inOrder.map(renderOwner)}`;
    return answerPage(context, { title: "Your repositories", body });
  });

interface Owner {
  readonly name: string;
  readonly own: readonly RepositoryCounts[];
  readonly waiting: number;
}

function renderOwner({ name, own, waiting }: Owner): Html {
  const href = formatOwnerPath(name);
  const more = own.length - MAX_REPOSITORIES;
  return html`<section class="box">
<h2 class="box-title"><a href="${href}">${icon("organization")}<bdi>${name}</bdi></a>${
    waiting > 0 &&
    html`<span class="counter">${formatCount(waiting)} ${plural(waiting, "pull request waits", "pull requests wait")} for a person</span>`
  }</h2>
<ul class="rows">
${own.slice(0, MAX_REPOSITORIES).map(renderRepository)}
</ul>
${more > 0 && html`<p class="below"><a href="${href}">${formatCount(more)} more ${plural(more, "repository", "repositories")} of <bdi>${name}</bdi></a></p>`}
</section>
`;
}

function renderRepository({ owner, name, open, pulls }: RepositoryCounts): Html {
  const path = formatRepositoryPath(`${owner}/${name}`);
  const labels = WAITING.map((outcome) => {
    const { tone, icon: mark, text } = OUTCOME_LABELS[outcome];
    const count = pulls[outcome] ?? 0;
    return (
      count > 0 &&
      html`<a class="label ${tone}" href="${path}?verdict=${outcome}">${icon(mark)}${formatCount(count)} ${text}</a>
`
    );
  });
  return html`<li><a class="row-name" href="${path}">${icon("repo")}<bdi>${name}</bdi></a>
${labels}<span class="muted row-end">${open > 0 ? `${formatCount(open)} open` : "none open"}</span></li>
`;
}
