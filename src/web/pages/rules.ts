import type { Hono } from "hono";
import { DAY_MS } from "../../kernel/clock.ts";
import { findDocsAddress, findRuleAddress } from "../../render/addresses.ts";
import { formatCount, formatDuration } from "../../render/format.ts";
import { listNewestEvaluations } from "../../store/evaluations.ts";
import { countReadableRepositories } from "../../store/history/readable.ts";
import { listRuleStatistics, type RuleStatistics } from "../../store/history/rule-outcomes.ts";
import { readAddress } from "../page/address.ts";
import {
  buildCountColumn,
  buildFigureColumn,
  buildFileColumn,
  formatChanges,
  NO_VALUE,
} from "../page/columns.ts";
import { type Html, html, icon, plural, renderBox, renderLabel } from "../page/html.ts";
import { answerFile, type PageDeps, type PageEnv } from "../page/page.ts";
import { type Column, createTable, type Table } from "../page/table.ts";
import {
  answerTab,
  createScopePages,
  type PageScope,
  readPeriod,
  renderHiddenFigures,
  renderPeriods,
} from "./scope.ts";

/** `GET /r/{owner}/{repo}/rules` and `GET /o/{owner}/rules`: what each rule does, so that useless and unsafe ones show. */
export const createRulesPages = (deps: PageDeps): Hono<PageEnv> =>
  createScopePages(deps, "/rules", async (context, scope) => {
    const { kind, name, repositoryIds } = scope;
    const address = readAddress(context.req.url);
    const period = readPeriod(address.query["period"]);
    const nowMs = deps.clock.now();
    const span = { from: new Date(nowMs - period.days * DAY_MS), to: new Date(nowMs + 1) };
    const rules = await listRuleStatistics(deps.db, repositoryIds, span);
    const table = createRulesTable(rules, await findAddresses(deps, scope), kind === "organisation");
    const file = await answerFile(context, [table], () => `${name}-rules`);
    if (file !== null) return file;
    const { all, hidden } = await countReadableRepositories(deps.db, repositoryIds);
    const advice = rules.map(renderAdvice).filter((one) => one !== null);
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
${
  advice.length > 0 &&
  renderBox(
    "info",
    "Worth a look",
    html`<ul class="rows">
${advice}</ul>`,
  )
}
${renderBox("law", "What each rule did", await table.render(address))}
<p class="muted"><small>Evaluated on, blocked, approved, waived and overridden are numbers of pull requests. Overridden: merged although the rule blocked, or by <code>/tollgate override</code>. Time to resolve: from the first block until the rule no longer blocked. Money concerned: the known monthly changes of the pull requests that the rule blocked.</small></p>`;
    return answerTab(context, scope, "rules", body);
  });

/** Returns where a repository's rules are explained, or their lines in the policy files, by its newest evaluation. */
async function findAddresses(
  { db, github }: PageDeps,
  { kind, repositoryIds: [repositoryId] }: PageScope,
): Promise<(rule: string) => string | null> {
  if (kind === "organisation" || repositoryId === undefined) return () => null;
  const [newest] = await listNewestEvaluations(db, { repositoryId }, 1);
  return (rule) =>
    newest === undefined
      ? null
      : (findDocsAddress(newest, rule) ?? findRuleAddress(newest, { github }, rule));
}

/** Fewer pull requests than this say nothing about a rule. */
const ENOUGH_PULLS = 20;
/** Fewer blocked pull requests than this say nothing about overrides. */
const ENOUGH_BLOCKED = 3;

/** What the statistics of a rule suggest. `overridden`: people mostly merge although it blocks; `idle`: nothing violated it. */
function adviseOnRule({
  pulls,
  violated,
  blocked,
  overridden,
}: RuleStatistics): "overridden" | "idle" | null {
  if (blocked >= ENOUGH_BLOCKED && overridden * 2 > blocked) return "overridden";
  return pulls >= ENOUGH_PULLS && violated === 0 ? "idle" : null;
}

function renderAdvice(statistics: RuleStatistics): Html | null {
  const { rule, pulls, blocked, overridden } = statistics;
  const advice = adviseOnRule(statistics);
  if (advice === null) return null;
  if (advice === "idle")
    return html`<li>
${renderLabel({ text: "Never violated", icon: "skip", tone: "attention" })} <code>${rule}</code>
<span>None of ${formatCount(pulls)} pull requests violated it: lower its limit, or remove it if nobody would miss it.</span>
</li>
`;
  return html`<li>
${renderLabel({ text: "Mostly overridden", icon: "unlock", tone: "danger" })} <code>${rule}</code>
<span>Merged anyway on ${formatCount(overridden)} of the ${formatCount(blocked)} pull requests that it blocked: name approvers, so that each exception has an owner, or raise its limit.</span>
</li>
`;
}

/** Rules with what they did in a period. `findAddress`: the rule's explanation, or its line in its policy file; null: none is known. */
const createRulesTable = (
  rows: readonly RuleStatistics[],
  findAddress: (rule: string) => string | null,
  hasRepositories: boolean,
): Table =>
  createTable({
    ...{ name: "rules", caption: "Rules", empty: "No rule was evaluated in this time.", pageSize: 50 },
    columns: listColumns(findAddress, hasRepositories),
    order: { key: "blocked", direction: "descending" },
    rows,
  });

const ADVICE_NOTES = { overridden: "mostly overridden", idle: "never violated" } as const;

const listColumns = (
  findAddress: (rule: string) => string | null,
  hasRepositories: boolean,
): readonly Column<RuleStatistics>[] => [
  {
    ...{ key: "rule", label: "Rule", sortable: true },
    cell: (row) => {
      const href = findAddress(row.rule);
      const advice = adviseOnRule(row);
      const note = advice === null ? (row.enforce === "warn" ? "only warns" : "") : ADVICE_NOTES[advice];
      return { text: row.rule, code: true, note, ...(href !== null && { href }) };
    },
    value: ({ rule }) => rule,
  },
  buildFileColumn("enforce", ({ enforce }) => enforce),
  ...(hasRepositories ? [REPOSITORIES] : []),
  buildCountColumn({ key: "pulls", label: "Evaluated on" }, ({ pulls }) => pulls),
  buildFileColumn("evaluations", ({ evaluations }) => evaluations),
  buildFileColumn("violated", ({ violated }) => violated),
  buildCountColumn({ key: "blocked", label: "Blocked" }, ({ blocked }) => blocked),
  buildFileColumn("undecided", ({ undecided }) => undecided),
  buildCountColumn({ key: "approved", label: "Approved" }, ({ approved }) => approved),
  buildCountColumn({ key: "waived", label: "Waived" }, ({ waived }) => waived),
  buildCountColumn({ key: "overridden", label: "Overridden" }, ({ overridden }) => overridden),
  buildFigureColumn(
    { key: "median_resolution_ms", label: "Median time to resolve" },
    ({ medianResolutionMs: ms }) => ms,
    ({ medianResolutionMs: ms }) => (ms === null ? NO_VALUE : { text: formatDuration(ms) }),
  ),
  {
    ...{ key: "concerned", label: "Money concerned", numeric: true },
    cell: ({ concerned }) => (concerned.length === 0 ? NO_VALUE : { text: formatChanges(concerned) }),
    value: ({ concerned }) => concerned.map(({ currency, change }) => `${change} ${currency}`).join(", "),
  },
];

const REPOSITORIES = buildCountColumn<RuleStatistics>(
  { key: "repositories", label: "Repositories" },
  ({ repositories }) => repositories,
);
