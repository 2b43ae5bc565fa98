import type { Hono } from "hono";
import { DAY_MS } from "../../../kernel/clock.ts";
import { formatCount, formatUtcDay } from "../../../render/format.ts";
import {
  addMergedPulls,
  MERGED_VERDICTS,
  type MergedFilter,
  type MergedSum,
} from "../../../store/history/merged-pulls.ts";
import { countReadableRepositories } from "../../../store/history/readable.ts";
import { MERGE_WAYS, type MergeWay } from "../../../store/tables/after-merge.ts";
import { type PageAddress, readAddress } from "../../page/address.ts";
import { joinWords } from "../../page/columns.ts";
import { type Html, html, type IconName, icon, plural, renderBox, renderOption } from "../../page/html.ts";
import { answerFile, type PageDeps, type PageEnv } from "../../page/page.ts";
import type { Table } from "../../page/table.ts";
import { OUTCOME_LABELS } from "../outcomes.ts";
import { renderPeriods } from "../period.ts";
import { answerTab, createScopePages, type PageScope, renderHiddenFigures } from "../scope.ts";
import { renderSums } from "../sums.ts";
import { describeTag, parseTagChoice } from "../tag-choice.ts";
import { renderMergedCharts } from "./charts.ts";
import { findPeriodName, type MergedQuery, readMergedQuery, toMergedFilter } from "./filter.ts";
import { chooseIn, createMergedTables, WAY_LABELS } from "./tables.ts";

/** `GET /r/{owner}/{repo}/merged` and `GET /o/{owner}/merged`: what was merged, by whom, for which team, and how it got through. */
export const createMergedPages = (deps: PageDeps): Hono<PageEnv> =>
  createScopePages(deps, "/merged", async (context, scope) => {
    const address = readAddress(context.req.url);
    const { filters, ignored } = readMergedQuery(address.query);
    const wanted = (address.query["repository"] ?? "").trim().toLowerCase();
    const named = scope.repositories.find((one) => one.name.toLowerCase() === wanted);
    const repositoryIds = named === undefined ? scope.repositoryIds : [named.repositoryId];
    const filter = toMergedFilter(filters, repositoryIds, deps);
    const merged = createMergedTables(deps, { scope, filter, address });
    const tables = Object.values(merged.tables);
    const file = await answerFile(context, tables, ({ name }) => `${scope.name}-merged-${name}`);
    if (file !== null) return file;
    const unread: FieldName[] = [...ignored];
    if (named === undefined && wanted !== "") unread.push("repository");
    const body = await renderMerged(deps, { scope, filters, filter, address, unread }, merged);
    return answerTab(context, scope, "merged", body);
  });

interface MergedRequest {
  readonly scope: PageScope;
  readonly filters: MergedQuery;
  readonly filter: MergedFilter;
  readonly address: PageAddress;
  /** Filters that cannot be read, or name nothing. */
  readonly unread: readonly FieldName[];
}

async function renderMerged(
  { db, clock }: PageDeps,
  { scope, filters, filter, address, unread }: MergedRequest,
  { tables, readSums, listChosen, listChanges }: ReturnType<typeof createMergedTables>,
): Promise<Html> {
  const nowMs = clock.now();
  const sums = await readSums();
  const repositories = await countReadableRepositories(db, filter.repositoryIds);
  const { from, to } = filter.span;
  const until = new Date(Math.min(to.getTime(), nowMs));
  const charts = await renderMergedCharts(await listChanges(), { from, to: until });
  const { pulls, unknown } = addMergedPulls(await listChosen());
  const keys = [...new Set(sums.flatMap(({ key }) => key ?? []))];
  const tagName = keys.length > 1 ? "tag" : (keys[0] ?? "team");
  const section = async (mark: IconName, title: string, table: Table): Promise<Html> =>
    renderBox(mark, title, await table.render(address), { id: table.name });
  // Open after its own links were used.
  const isOpen = ["weeks_sort", "weeks_page"].some((member) => member in address.query);
  const weeks = html`<details id="weeks"${isOpen && html` open`}><summary>Per week, as a table</summary>
${await tables.weeks.render(address)}
</details>`;
  return html`<div class="heading">
<h1>${icon("git-merge")} Merged</h1>
<p>${formatUtcDay(from.getTime())} to ${formatUtcDay(Math.min(to.getTime() - DAY_MS, nowMs))}, monthly changes as estimated at the merge</p>
</div>
${renderPeriods(findPeriodName(filters), address)}
${renderForm({ scope, filters, address, unread }, tagName)}
${renderHiddenFigures(scope, repositories.hidden)}
${renderUnmatched(filters, repositories.hidden)}
${renderTiles(sums, filters.how, address)}
${pulls > 0 && renderWhole(filters, tagName)}
${unknown > 0 && html`<p class="muted">The change of ${formatCount(unknown)} of these pull requests is not fully known: all sums lack what is unknown.</p>`}
${
  pulls > 0 &&
  html`<div class="grid">
${charts.length > 0 && renderBox("graph", "Per week, by stage", [charts, weeks])}
${await section("tag", `By ${tagName}`, tables.teams)}
${await section("person", "By author", tables.authors)}
${await section("table", "By module", tables.modules)}
${await section("server", "By stage", tables.stages)}
</div>`
}
${await section("git-merge", "Merged pull requests", tables.pulls)}`;
}

/** Says that amounts are not narrowed to the parts that the filters choose, but for the section of these parts. */
function renderWhole({ stage, module, tag }: MergedQuery, tagName: string): Html | null {
  const parts = [
    ...(tag === undefined ? [] : [`${tagName} ${describeTag(parseTagChoice(tag))}`]),
    ...(stage === undefined ? [] : [`stage ${stage}`]),
    ...(module === undefined ? [] : [`module ${module}`]),
  ];
  if (parts.length === 0) return null;
  return html`<p class="muted">Amounts are of whole pull requests that change ${joinWords(parts)}; only the section of what is chosen has its own part.</p>`;
}

/** Says that filters about cost find nothing where readers may not see figures. */
function renderUnmatched(filters: MergedQuery, hidden: number): Html | null {
  const names = (["stage", "module", "tag", "change_at_least"] as const).filter(
    (name) => filters[name] !== undefined,
  );
  if (hidden === 0 || names.length === 0) return null;
  return html`<p class="flash attention" role="status">${icon("alert")}<span>Pull requests whose amounts are not shown match no filter by ${joinWords(names.map((name) => FIELDS[name].toLowerCase()))}.</span></p>`;
}

const FIELDS = {
  period: "Period",
  from: "From",
  to: "To",
  text: "Text",
  how: "How it got through",
  verdict: "Verdict",
  author: "Author",
  merged_by: "Merged by",
  tag: "Team",
  stage: "Stage",
  module: "Module",
  change_at_least: "Change at least",
  repository: "Repository",
} as const;
type FieldName = keyof typeof FIELDS;

function renderForm(
  { scope, filters, address: { path, query }, unread }: Omit<MergedRequest, "filter">,
  tagName: string,
): Html {
  const field = (name: FieldName, rest: Html | null = null, label: string = FIELDS[name]) =>
    html`<label><bdi>${label}</bdi> <input name="${name}" value="${name === "repository" ? query[name] : filters[name]}" maxlength="200"${rest} autocapitalize="off"></label>`;
  const day = html` type="date"`;
  const isOpen = (["text", "verdict", "merged_by", "change_at_least", "from", "to"] as const).some(
    (name) => filters[name] !== undefined,
  );
  const isFiltered = Object.keys(filters).some((name) => name !== "period") || query["repository"];
  return html`<form class="filters" method="get" action="${path}">
${filters.period !== undefined && html`<input type="hidden" name="period" value="${filters.period}">`}
${field("tag", null, tagName === "team" ? "Team" : tagName)}
${field("author")}
${field("module")}
${field("stage", null, "Stage or workspace")}
<label>${FIELDS.how} <select name="how"><option value="">All</option>${MERGE_WAYS.map((way) => renderOption(way, WAY_LABELS[way].text, way === filters.how))}</select></label>
${scope.kind === "organisation" && field("repository")}
<details${isOpen && html` open`}><summary>More</summary>
<div class="filters">
${field("text")}
<label>${FIELDS.verdict} <select name="verdict"><option value="">All</option>${MERGED_VERDICTS.map((one) => renderOption(one, OUTCOME_LABELS[one].text, one === filters.verdict))}</select></label>
${field("merged_by")}
${field("change_at_least", html` placeholder="500 USD"`)}
${field("from", day)}
${field("to", day)}
</div>
</details>
<button>${icon("filter")}Filter</button>
${isFiltered && html`<a class="button" href="${path}">${icon("x")}Clear</a>`}
</form>
${unread.length > 0 && html`<p class="flash attention" role="status">${icon("alert")}<span>These filters cannot be read and are not applied, on this page and in its files: <strong>${joinWords(unread.map((name) => FIELDS[name]))}</strong>. A day is written as in 2026-11-23, from is not after to, days take the place of a period, and an amount is written as in 500 USD.</span></p>`}`;
}

/** The tiles: merged pull requests by how they got through, each a link to its filter, and their change. */
function renderTiles(all: readonly MergedSum[], chosen: MergeWay | undefined, address: PageAddress): Html {
  const tile = (way: MergeWay | null, mark: Html, text: string) => {
    const own = addMergedPulls(all.filter(({ kind }) => way === null || kind === way));
    const isCurrent = way !== null && chosen === way;
    if (way !== null && own.pulls === 0 && !isCurrent) return null;
    return html`<li${isCurrent && html` class="current"`}>
<a href="${chooseIn(address, { how: way })}"${isCurrent && html` aria-current="true"`}>${mark}${text}</a>
<strong>${formatCount(own.pulls)}</strong>
${renderSums(own)}
</li>
`;
  };
  const { pulls } = addMergedPulls(all);
  return html`<ul class="stats" aria-label="Merged pull requests by how they got through">
${tile(null, html`<span>${icon("git-merge")}</span>`, `Merged pull ${plural(pulls, "request", "requests")}`)}
${MERGE_WAYS.map((way) => {
  const { icon: mark, tone, text } = WAY_LABELS[way];
  return tile(way, html`<span class="${tone}">${icon(mark)}</span>`, text);
})}</ul>`;
}
