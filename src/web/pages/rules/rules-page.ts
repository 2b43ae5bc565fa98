import type { Hono } from "hono";
import { formatCount, formatDuration } from "../../../render/format.ts";
import { countReadableRepositories } from "../../../store/history/readable.ts";
import {
  type Prevented,
  type RuleStatistics,
  readRuleStatistics,
} from "../../../store/history/rule-outcomes.ts";
import { formatAddress, readAddress } from "../../page/address.ts";
import {
  buildCountColumn,
  buildCurrencyColumn,
  buildFigureColumn,
  buildFileColumn,
  NO_VALUE,
} from "../../page/columns.ts";
import { type Html, html, icon, plural, renderBox, renderLabel } from "../../page/html.ts";
import { answerFile, type PageDeps, type PageEnv } from "../../page/page.ts";
import { type Column, createTable, type Table } from "../../page/table.ts";
import { findPeriodSpan, PERIOD_NAMES, readPeriod, renderPeriods } from "../period.ts";
import { answerTab, createScopePages, renderHiddenFigures } from "../scope.ts";
import { buildPreventedCell, RULE_COUNTS } from "./rule-page.ts";

/** `GET /r/{owner}/{repo}/rules` and `GET /o/{owner}/rules`: what each rule does, so that useless and unsafe ones show. */
export const createRulesPages = (deps: PageDeps): Hono<PageEnv> =>
  createScopePages(deps, "/rules", async (context, scope) => {
    const { kind, name, path, repositoryIds } = scope;
    const address = readAddress(context.req.url);
    const period = readPeriod(address.query["period"], PERIOD_NAMES);
    const span = findPeriodSpan(period, deps);
    const { rules, prevented } = await readRuleStatistics(deps.db, { repositoryIds, span });
    const link = (rule: string) =>
      formatAddress({ path: `${path}/rules/${encodeURIComponent(rule)}`, query: {} }, { period });
    const table = createRulesTable(rules, link, kind === "organisation");
    const file = await answerFile(context, [table], () => `${name}-rules`);
    if (file !== null) return file;
    const { all, hidden } = await countReadableRepositories(deps.db, repositoryIds);
    const advice = rules.flatMap((one) => {
      const { label, words } = adviseOnRule(one) ?? {};
      if (label === undefined) return [];
      return html`<li>
${renderLabel(label)} <code>${one.rule}</code>
<span>${words}</span>
</li>
`;
    });
    const body = html`<div class="heading">
<h1>${icon("law")} Rules</h1>
<p>${
      kind === "organisation"
        ? html`Of the ${formatCount(all)} ${plural(all, "repository", "repositories")} of <bdi>${name}</bdi> that you can read.`
        : html`What each rule did in <bdi>${name}</bdi>.`
    }</p>
</div>
${renderPeriods(period, address)}
${renderHiddenFigures(scope, hidden)}
${renderPrevented(prevented)}
${advice.length > 0 && renderBox("info", "Worth a look", html`<ul class="rows">${advice}</ul>`)}
${renderBox("law", "What each rule did", await table.render(address))}
<p class="muted"><small>Numbers of pull requests. Overridden: merged although the rule blocked, or by <code>/tollgate override</code>. Time to resolve, the median: from the first block until the rule no longer blocked; where it only warned, from the first violation until it passed.</small></p>`;
    return answerTab(context, scope, "rules", body);
  });

/** What all rules prevented together; null: they blocked nothing that was closed. */
function renderPrevented({ amounts, unknown, hidden }: Prevented): Html | null {
  if (amounts.length + unknown + hidden === 0) return null;
  const { text } = buildPreventedCell({ amounts, unknown, hidden });
  return html`<ul class="stats">
<li><span>${icon("shield-check")} Prevented</span>
<strong>${text}${amounts.length > 0 && " a month"}</strong>
<small>The largest change of each closed pull request while a rule blocked it, minus what was merged, where that was less. Each counts once.${
    unknown > 0 && ` Of ${formatCount(unknown)} a part is unknown.`
  }${hidden > 0 && ` Of ${formatCount(hidden)} the amounts are not shown.`}</small></li>
</ul>`;
}

/** Fewer pull requests than this say nothing about a rule. */
const ENOUGH_PULLS = 20;
/** Fewer blocked pull requests than this say nothing about overrides. */
const ENOUGH_BLOCKED = 3;

/** What the statistics of a rule suggest, in short and in words. */
function adviseOnRule({ pulls, violated, blocked, overridden }: RuleStatistics) {
  if (blocked >= ENOUGH_BLOCKED && overridden * 2 > blocked)
    return {
      label: { text: "Mostly overridden", icon: "unlock", tone: "danger" },
      words: `Merged anyway on ${formatCount(overridden)} of the ${formatCount(blocked)} pull requests that it blocked: name approvers, so that each exception has an owner, or raise its limit.`,
    } as const;
  if (pulls < ENOUGH_PULLS || violated > 0) return null;
  return {
    label: { text: "Never violated", icon: "skip", tone: "attention" },
    words: `None of ${formatCount(pulls)} pull requests violated it: lower its limit, or remove it if nobody would miss it.`,
  } as const;
}

/** A rule in a table: on a page with all its amounts, in a file with those of one currency; null: it has none. */
type RuleRow = RuleStatistics & { readonly currency: string | null };

/** Rules with what they did in a period. `link`: the address of a rule's page. */
const createRulesTable = (
  rules: readonly RuleStatistics[],
  link: (rule: string) => string,
  hasRepositories: boolean,
): Table =>
  createTable<RuleRow>({
    ...{ name: "rules", caption: "Rules", empty: "No rule was evaluated in this time.", pageSize: 50 },
    columns: listColumns(link, hasRepositories),
    order: { key: "blocked", direction: "descending" },
    rows: async (isFile) =>
      rules.flatMap((rule) => {
        const all = rule.prevented.amounts.map(({ currency }) => currency);
        return (isFile && all.length > 0 ? all : [null]).map((currency) => ({ ...rule, currency }));
      }),
  });

/** What decides about a rule comes first: a phone shows three or four columns. */
const listColumns = (
  link: (rule: string) => string,
  hasRepositories: boolean,
): readonly Column<RuleRow>[] => [
  {
    ...{ key: "rule", label: "Rule", sortable: true },
    cell: (row) => {
      const advice = adviseOnRule(row)?.label.text.toLowerCase();
      const note = advice ?? (row.enforce === "warn" ? "only warns" : "");
      return { text: row.rule, code: true, note, href: link(row.rule) };
    },
    value: ({ rule }) => rule,
  },
  buildFileColumn("enforce", ({ enforce }) => enforce),
  ...STATISTICS.slice(0, 2),
  {
    ...{ key: "prevented", label: "Prevented", numeric: true },
    cell: ({ prevented }) => buildPreventedCell(prevented),
    value: ({ prevented: { amounts }, currency }) =>
      amounts.find((one) => one.currency === currency)?.change ?? null,
  },
  buildFileColumn("prevented_unknown", ({ prevented }) => prevented.unknown),
  buildFileColumn("prevented_hidden", ({ prevented }) => prevented.hidden),
  buildCurrencyColumn(),
  ...STATISTICS.slice(2),
  buildFigureColumn(
    { key: "median_resolution_ms", label: "Time to resolve" },
    ({ medianResolutionMs: ms }) => ms,
    ({ medianResolutionMs: ms }) => (ms === null ? NO_VALUE : { text: formatDuration(ms) }),
  ),
  ...(hasRepositories
    ? [buildCountColumn<RuleRow>({ key: "repositories", label: "Repositories" }, (row) => row.repositories)]
    : []),
  buildCountColumn({ key: "pulls", label: "Evaluated on" }, ({ pulls }) => pulls),
  buildFileColumn("evaluations", ({ evaluations }) => evaluations),
  buildFileColumn("undecided", ({ undecided }) => undecided),
];

const STATISTICS = RULE_COUNTS.map(({ key, label }) =>
  buildCountColumn<RuleRow>({ key, label }, (row) => row[key]),
);
