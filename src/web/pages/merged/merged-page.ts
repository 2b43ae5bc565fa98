import type { Hono } from "hono";
import { DAY_MS } from "../../../kernel/clock.ts";
import { formatCount, formatUtcDay } from "../../../render/format.ts";
import type { MergedFilter } from "../../../store/history/merged-pulls.ts";
import { MERGED_VERDICTS } from "../../../store/history/merged-pulls.ts";
import { countReadableRepositories } from "../../../store/history/readable.ts";
import { MERGE_WAYS } from "../../../store/tables/after-merge.ts";
import { type PageAddress, readAddress } from "../../page/address.ts";
import { joinWords } from "../../page/columns.ts";
import { type Html, html, type IconName, icon, plural, renderBox, renderOption } from "../../page/html.ts";
import { answerFile, type PageDeps, type PageEnv } from "../../page/page.ts";
import type { Table } from "../../page/table.ts";
import { answerTab, createScopePages, type PageScope, renderHiddenFigures } from "../scope.ts";
import { addSums, renderSums } from "../sums.ts";
import { describeTag, parseTagChoice } from "../tag-choice.ts";
import {
  findPeriodName,
  MERGED_PERIODS,
  type MergedQuery,
  readMergedQuery,
  toMergedFilter,
} from "./filter.ts";
import { chooseIn, createMergedTables, type MergedTables, WAY_LABELS } from "./tables.ts";
import { renderMergedCharts } from "./weeks.ts";

/** `GET /r/{owner}/{repo}/merged` and `GET /o/{owner}/merged`: what was merged, by whom, for which team, and how it got through. */
export const createMergedPages = (deps: PageDeps): Hono<PageEnv> =>
  createScopePages(deps, "/merged", async (context, scope) => {
    const { fiscalYearStarts, clock } = deps;
    const address = readAddress(context.req.url);
    const { filters, ignored } = readMergedQuery(address.query);
    const named = findRepository(scope, address.query["repository"]);
    const repositoryIds = named === null ? scope.repositoryIds : [named];
    const filter = toMergedFilter(filters, { repositoryIds, nowMs: clock.now(), fiscalYearStarts });
    const tables = createMergedTables(deps, { scope, filter, address });
    const file = await answerFile(
      context,
      Object.values(tables.byName),
      (table) => `${scope.name}-merged-${table.name}`,
    );
    if (file !== null) return file;
    const isUnknownRepository = named === null && (address.query["repository"] ?? "") !== "";
    const unread = [...ignored, ...(isUnknownRepository ? (["repository"] as const) : [])];
    return answerTab(
      context,
      scope,
      "merged",
      await renderMerged(deps, { scope, filters, filter, address, unread }, tables),
    );
  });

/** Returns the repository of an organisation that an address names; null: it names none, or not one of these. */
const findRepository = ({ repositories }: PageScope, name = ""): number | null =>
  repositories.find((one) => one.name.toLowerCase() === name.trim().toLowerCase())?.repositoryId ?? null;

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
  { byName, sumAll, sumMatching, listChanges, listTags }: MergedTables,
): Promise<Html> {
  const now = new Date(clock.now());
  const [all, matching, changes, tags, repositories] = [
    await sumAll(),
    await sumMatching(),
    await listChanges(),
    await listTags(),
    await countReadableRepositories(db, filter.repositoryIds),
  ];
  const { from, to } = filter.span;
  const charts = await renderMergedCharts(changes.known, { from, to: to < now ? to : now });
  const { unknown } = addSums(matching);
  const tagName = nameTag(tags.map(({ key }) => key));
  const section = async (mark: IconName, title: string, table: Table, own: PartName | null): Promise<Html> =>
    renderBox(mark, title, [await table.render(address), renderWhole(filters, own, tagName)], {
      id: table.name,
    });
  const isEmpty = matching.length === 0;
  return html`<div class="heading">
<h1>${icon("git-merge")} Merged</h1>
<p>${formatUtcDay(from.getTime())} to ${formatUtcDay(Math.min(to.getTime() - DAY_MS, now.getTime()))}, monthly changes as estimated at the merge</p>
</div>
${renderPeriods(filters, address)}
${renderForm({ scope, filters, address, unread }, tagName)}
${renderHiddenFigures(scope, repositories.hidden)}
${renderUnmatched(filters, repositories.hidden)}
${renderTiles(all, { filters, address })}
${
  !isEmpty &&
  html`${unknown > 0 && html`<p class="muted">The change of ${formatCount(unknown)} of these pull requests is not fully known: all sums lack what is unknown.</p>`}
<div class="grid">
${
  charts.length > 0 &&
  renderBox("graph", "Per week, by stage", [
    charts,
    renderWhole(filters, "stage", tagName),
    await renderWeeks(byName.weeks, address),
  ])
}
${await section("tag", `By ${tagName}`, byName.teams, "tag")}
${await section("person", "By author", byName.authors, null)}
${await section("table", "By module", byName.modules, "module")}
${await section("server", "By stage", byName.stages, "stage")}
</div>`
}
${await section("git-merge", "Merged pull requests", byName.pulls, null)}`;
}

/** The only key of the tags, else "team". */
function nameTag(keys: readonly string[]): string {
  const [key = "team", ...more] = new Set(keys);
  return more.length === 0 ? key : "tag";
}

type PartName = "stage" | "module" | "tag";

/** Says at a section that its amounts are not narrowed to the parts that the filters choose. `own`: the part that it does narrow to. */
function renderWhole(filters: MergedQuery, own: PartName | null, tagName: string): Html | null {
  const parts = (["stage", "module", "tag"] as const).flatMap((part) => {
    const value = filters[part];
    if (value === undefined || part === own) return [];
    return [part === "tag" ? `${tagName} ${describeTag(parseTagChoice(value))}` : `${part} ${value}`];
  });
  if (parts.length === 0) return null;
  return html`<p class="below">Of whole pull requests, not only of ${joinWords(parts)}.</p>`;
}

/** Says that filters about cost find nothing where readers may not see figures. */
function renderUnmatched(filters: MergedQuery, hidden: number): Html | null {
  const names = (["stage", "module", "tag", "change_at_least"] as const).filter(
    (name) => filters[name] !== undefined,
  );
  if (hidden === 0 || names.length === 0) return null;
  return html`<p class="flash attention" role="status">${icon("alert")}<span>Pull requests whose amounts are not shown match no filter by ${joinWords(names.map((name) => FIELDS[name].toLowerCase()))}.</span></p>`;
}

const renderPeriods = (
  filters: MergedQuery,
  address: PageAddress,
): Html => html`<nav class="choices" aria-label="Period">
${Object.entries(MERGED_PERIODS).map(([name, label]) => {
  const isCurrent = findPeriodName(filters) === name;
  return html`<a class="button" href="${chooseIn(address, { period: name, from: null, to: null })}"${isCurrent && html` aria-current="true"`}>${label.replace(/^the /, "")}</a>
`;
})}</nav>`;

const FIELDS = {
  period: "Period",
  from: "From",
  to: "To",
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
  const text = (name: FieldName, label: string = FIELDS[name], hint = "") =>
    html`<label><bdi>${label}</bdi> <input name="${name}" value="${name === "repository" ? query[name] : filters[name]}" maxlength="200"${hint !== "" && html` placeholder="${hint}"`} autocapitalize="off"></label>`;
  const choice = (name: "how" | "verdict", options: readonly (readonly [string, string])[]) =>
    html`<label>${FIELDS[name]} <select name="${name}"><option value="">All</option>${options.map(([value, label]) => renderOption(value, label, value === filters[name]))}</select></label>`;
  const isByDays = findPeriodName(filters) === null;
  const rare = ["verdict", "merged_by", "change_at_least", "from", "to"] as const;
  const isOpen = rare.some((name) => filters[name] !== undefined);
  const isFiltered = Object.keys(filters).some((name) => name !== "period") || query["repository"];
  return html`<form class="filters" method="get" action="${path}">
${!isByDays && filters.period !== undefined && html`<input type="hidden" name="period" value="${filters.period}">`}
${text("tag", tagName === "team" ? "Team" : tagName)}
${text("author")}
${text("module")}
${text("stage", "Stage or workspace")}
${choice(
  "how",
  MERGE_WAYS.map((way) => [way, WAY_LABELS[way].text]),
)}
${scope.kind === "organisation" && text("repository")}
<details${isOpen && html` open`}><summary>More</summary>
<div class="filters">
${choice(
  "verdict",
  MERGED_VERDICTS.map((verdict) => [verdict, VERDICTS[verdict]]),
)}
${text("merged_by")}
${text("change_at_least", FIELDS.change_at_least, "500 USD")}
<label>From <input type="date" name="from" value="${filters.from}"></label>
<label>To <input type="date" name="to" value="${filters.to}"></label>
</div>
</details>
<button>${icon("filter")}Filter</button>
${isFiltered && html`<a class="button" href="${path}">${icon("x")}Clear</a>`}
</form>
${unread.length > 0 && html`<p class="flash attention" role="status">${icon("alert")}<span>These filters cannot be read and are not applied, on this page and in its files: <strong>${joinWords(unread.map((name) => FIELDS[name]))}</strong>. A day is written as in 2026-11-23, from is not after to, days take the place of a period, and an amount is written as in 500 USD.</span></p>`}`;
}

const VERDICTS = {
  block: "Block",
  undecided: "Undecided",
  warn: "Warn",
  pass: "Pass",
  none: "None",
} as const;

/** The tiles: merged pull requests by how they got through, each a link to its filter, and their change. */
function renderTiles(
  all: Awaited<ReturnType<MergedTables["sumAll"]>>,
  { filters, address }: Pick<MergedRequest, "filters" | "address">,
): Html {
  const count = (own: typeof all): number => own.reduce((total, { pulls }) => total + pulls, 0);
  return html`<ul class="stats" aria-label="Merged pull requests by how they got through">
<li>
<a href="${chooseIn(address, { how: null })}"><span>${icon("git-merge")}</span>Merged pull ${plural(count(all), "request", "requests")}</a>
<strong>${formatCount(count(all))}</strong>
${renderSums(addSums(all))}
</li>
${MERGE_WAYS.map((way) => {
  const own = all.filter((one) => one.way === way);
  const { icon: mark, tone, text } = WAY_LABELS[way];
  const isCurrent = filters.how === way;
  if (own.length === 0 && !isCurrent) return null;
  return html`<li${isCurrent && html` class="current"`}>
<a href="${chooseIn(address, { how: way })}"${isCurrent && html` aria-current="true"`}><span class="${tone}">${icon(mark)}</span>${text}</a>
<strong>${formatCount(count(own))}</strong>
${renderSums(addSums(own))}
</li>
`;
})}</ul>`;
}

/** Open after its own links were used. */
async function renderWeeks(weeks: Table, address: PageAddress): Promise<Html> {
  const isOpen = ["weeks_sort", "weeks_page"].some((member) => member in address.query);
  return html`<details id="weeks"${isOpen && html` open`}><summary>Per week, as a table</summary>
${await weeks.render(address)}
</details>`;
}
