import type { Hono } from "hono";
import { formatCount } from "../../../render/format.ts";
import type { Fact } from "../../../report/model/facts.ts";
import { listComparisons, sumSavings } from "../../../store/history/merged-changes.ts";
import { type OpenChanges, sumOpenChanges } from "../../../store/history/open-pulls.ts";
import { countReadableRepositories } from "../../../store/history/readable.ts";
import { formatAddress, type PageAddress, readAddress } from "../../page/address.ts";
import { formatAmounts } from "../../page/columns.ts";
import { type Html, html, type IconName, icon, plural, renderBox } from "../../page/html.ts";
import { type AppliedSavings, answerFile, type PageDeps, type PageEnv } from "../../page/page.ts";
import type { Table } from "../../page/table.ts";
import { renderEstimateCharts, renderMergedCharts } from "../merged/charts.ts";
import { OUTCOME_LABELS } from "../outcomes.ts";
import { PERIODS } from "../period.ts";
import { answerTab, createScopePages, renderHiddenFigures } from "../scope.ts";
import { addSums, renderSums } from "../sums.ts";
import { describeTag } from "../tag-choice.ts";
import { isFiltered, type OverviewFilter, readOverviewFilter, renderFilter, toPullFilter } from "./filter.ts";
import { createTables, type OverviewRequest, type OverviewTables } from "./tables.ts";

/** `GET /r/{owner}/{repo}` and `GET /o/{owner}`: what waits, what was merged, and what it came to. */
export const createOverviewPages = (deps: PageDeps): Hono<PageEnv> =>
  createScopePages(deps, "", async (context, scope) => {
    const address = readAddress(context.req.url);
    const filter = readOverviewFilter(address.query);
    const request = { scope, filter, address };
    const tables = createTables(deps, request);
    const all = Object.values(tables.byName);
    const file = await answerFile(context, all, ({ name }) => `${scope.name}-${name}`);
    if (file !== null) return file;
    const body = await renderOverview(deps, request, tables);
    return answerTab(context, scope, "overview", body);
  });

async function renderOverview(
  { db, github, texts, readAppliedSavings }: PageDeps,
  { scope, filter, address }: OverviewRequest,
  { byName, listMerged, listTags, span }: OverviewTables,
): Promise<Html> {
  const { kind, name, path, repositoryIds } = scope;
  const isOrganisation = kind === "organisation";
  const [changes, repositories, merged, savings, applied, tags, compared] = await Promise.all([
    sumOpenChanges(db, toPullFilter(repositoryIds, { ...filter, verdict: null })),
    countReadableRepositories(db, repositoryIds),
    listMerged(),
    sumSavings(db, repositoryIds, span),
    readAppliedSavings(repositoryIds, Number(filter.period)),
    listTags(),
    listComparisons(db, repositoryIds, { ...span, limit: 24 }),
  ]);
  const keys = [...new Set(tags.map(({ key }) => key))];
  const tagName = keys.length === 1 ? (keys[0] ?? "tag") : "tag";
  const hasTags = keys.length > 0 || filter.tag !== null;
  const charts = await renderMergedCharts(merged.known, span);
  const saved = formatAmounts(savings.map(({ savings: amount, currency }) => ({ amount, currency })));
  const box = async (mark: IconName, title: string, table: Table, count = ""): Promise<Html> =>
    renderBox(mark, title, await table.render(address), { count, id: table.name });
  return html`<div class="heading">
<h1>${icon(isOrganisation ? "organization" : "repo")} <bdi>${name}</bdi></h1>
<p>${
    isOrganisation
      ? `Sums over the ${formatCount(repositories.all)} ${plural(repositories.all, "repository", "repositories")} that you can read.`
      : html`<a href="${github}/${name}">${icon("mark-github")} This repository on GitHub</a>`
  }</p>
</div>
${renderHiddenFigures(scope, repositories.hidden)}
${renderFilter(filter, path, hasTags ? tagName : null)}
${isFiltered(filter) && renderFilterScope(filter)}
${renderTiles(changes, address)}
<div class="grid">
${await box("people", "Waiting for approval", byName.approvals)}
${await box("arrow-up-right", "Largest increases", byName.increases)}
</div>
${await box("git-pull-request", "Open pull requests", byName.pulls)}
${hasTags && (await box("tag", `Open changes per ${tagName}`, byName.tags))}
${await box("stopwatch", "Budgets", byName.budgets)}
${await box("calendar", "Waivers in force", byName.waivers)}
${await box("stopwatch", "Temporary approvals", byName.temporary)}
${renderBox(
  "git-merge",
  `Merged in ${PERIODS[filter.period]}`,
  html`${charts[0] ?? html`<p class="blank">Nothing with a cost was merged in this time.</p>`}
<p class="below"><a href="${formatAddress({ path: `${path}/merged`, query: {} }, { period: filter.period, stage: filter.stage || null, author: filter.author || null })}">All that was merged, by team, author, module and stage</a>${
    merged.unknown > 0 &&
    html` · ${formatCount(merged.unknown)} merged ${plural(merged.unknown, "change is", "changes are")} unknown, and not in this sum.`
  }${charts.length > 1 && " · Other currencies are there."}</p>`,
  { id: "merged" },
)}
${renderBox(
  "arrow-down-right",
  "Realised savings",
  [await byName.savings.render(address), renderAppliedSavings(applied, PERIODS[filter.period], texts)],
  { count: saved && `${saved} a month`, id: byName.savings.name },
)}
${renderBox(
  "graph",
  byName.estimates.caption,
  [
    html`<div class="split">
<div>
${await renderEstimateCharts(compared)}
</div>
<div>
${await byName.accuracy.render(address)}
</div>
</div>`,
    html`<p class="below">Percentages are of the estimated change, positive where more is paid than estimated. Modules and resource types are compared where the estimate and what was applied list every part.</p>`,
    await byName.estimates.render(address),
  ],
  { id: byName.estimates.name },
)}
${isOrganisation && (await box("repo", "Repositories", byName.repositories))}`;
}

/** What the platform counts, whoever applied it; null: nothing is granted. */
function renderAppliedSavings(
  fact: Fact<AppliedSavings>,
  period: string,
  texts: PageDeps["texts"],
): Html | null {
  if (fact.state === "unknown" && fact.reason === "not_granted") return null;
  const about = `in ${period}, in the cloud accounts that are granted here`;
  if (fact.state !== "known") {
    const why = fact.state === "unknown" ? `: ${texts.describeReason(fact.reason)}` : "";
    return html`<p class="below">Recommendations that the platform counts as applied ${about}: unknown${why}.</p>`;
  }
  const { recommendations, monthly, isPartial } = fact.value;
  const amount = monthly === null ? "unknown" : `${isPartial ? "at least " : ""}${formatAmounts([monthly])}`;
  return html`<p class="below">The platform counts ${formatCount(recommendations)} ${plural(recommendations, "recommendation", "recommendations")} as applied ${about}. Saved per month: <strong>${amount}</strong>.</p>`;
}

/** Says what the filters choose, and so which parts of the page they do not. */
function renderFilterScope({ tag }: OverviewFilter): Html {
  const name = tag?.kind === "value" ? html`<code>${describeTag(tag)}</code>` : tag && describeTag(tag);
  return html`<p class="muted">${name !== null && html`Open pull requests that change the cost of ${name}. `}The filters choose open pull requests; stage and author also what was merged. The other sections are of all.</p>`;
}

/** The tiles: open pull requests by verdict, each a link to its filter, and the change that waits in them. */
function renderTiles(changes: readonly OpenChanges[], address: PageAddress): Html {
  const link = (verdict: string | null) =>
    formatAddress(address, { verdict, pulls_page: null, increases_page: null });
  const pulls = changes.reduce((total, one) => total + one.pulls, 0);
  return html`<ul class="stats" aria-label="Open pull requests by verdict">
<li>
<a href="${link(null)}"><span>${icon("git-pull-request")}</span>Open pull requests</a>
<strong>${formatCount(pulls)}</strong>
${renderSums(addSums(changes))}
</li>
${changes.map((one) => {
  const { icon: mark, tone, text } = OUTCOME_LABELS[one.outcome];
  const isCurrent = address.query["verdict"] === one.outcome;
  return html`<li${isCurrent && html` class="current"`}>
<a href="${link(one.outcome)}"${isCurrent && html` aria-current="true"`}><span class="${tone}">${icon(mark)}</span>${text}</a>
<strong>${formatCount(one.pulls)}</strong>
${renderSums(one)}
</li>
`;
})}</ul>`;
}
