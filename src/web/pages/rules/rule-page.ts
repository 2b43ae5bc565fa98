import type { Hono } from "hono";
import { formatLimit } from "../../../policy/suggest.ts";
import { findDocsAddress, findRuleAddress } from "../../../render/addresses.ts";
import { formatCount, formatDuration, formatUtcDay } from "../../../render/format.ts";
import { listNewestEvaluations } from "../../../store/evaluations.ts";
import { listPoliciesInForce, type PolicyInForce } from "../../../store/history/policies.ts";
import { countReadableRepositories } from "../../../store/history/readable.ts";
import {
  countWeeks,
  listViolations,
  type OutcomeSelection,
  type Prevented,
  type RuleStatistics,
  type RuleViolation,
  readRuleStatistics,
} from "../../../store/history/rule-outcomes.ts";
import { createBearerLimiter } from "../../bearer-limiter.ts";
import { formatRepositoryPath, readAddress } from "../../page/address.ts";
import { renderFigure } from "../../page/chart.ts";
import {
  buildAgeColumn,
  buildFigureColumn,
  buildFileColumn,
  buildPullColumns,
  formatAmounts,
  formatChanges,
  NO_VALUE,
  NOT_SHOWN,
  UNKNOWN,
} from "../../page/columns.ts";
import { type Html, html, icon, renderBox } from "../../page/html.ts";
import { answerFile, answerNotFound, type PageDeps, type PageEnv } from "../../page/page.ts";
import { createTable, MAX_FILE_ROWS, type Table, type TableCell } from "../../page/table.ts";
import { getReaderKey } from "../../reader.ts";
import { findPeriodSpan, PERIOD_NAMES, readPeriod, renderPeriods } from "../period.ts";
import { answerTab, createScopePages, type PageScope, renderHiddenFigures } from "../scope.ts";
import { listMissing, splitCurrencies } from "../sums.ts";

/** What is counted of a rule, the deciding counts first. */
export const RULE_COUNTS = [
  { key: "violated", label: "Violated" },
  { key: "blocked", label: "Blocked" },
  { key: "overridden", label: "Overridden" },
  { key: "approved", label: "Approved" },
  { key: "waived", label: "Waived" },
  { key: "warned", label: "Warned" },
] as const;

/** What was prevented, per month. */
export function buildPreventedCell({ amounts, unknown, hidden }: Prevented): TableCell {
  const text = formatAmounts(amounts.map(({ currency, change: amount }) => ({ currency, amount })));
  if (text !== "") return { text: `${unknown > 0 ? "at least " : ""}${text}` };
  return unknown > 0 ? UNKNOWN : hidden > 0 ? NOT_SHOWN : NO_VALUE;
}

/** How often a reader's pages read the policy files from GitHub. */
const FILES_PER_MINUTE = 30;
/** Most rows that the page goes through; files have more. */
const MAX_ROWS = 500;

/** `GET /r/{owner}/{repo}/rules/{rule}` and `GET /o/{owner}/rules/{rule}`: one rule, its numbers and its history. */
export function createRulePages(deps: PageDeps): Hono<PageEnv> {
  const mayReadFiles = createBearerLimiter(deps.clock, FILES_PER_MINUTE);
  return createScopePages(deps, "/rules/:rule", async (context, scope) => {
    const { repositoryIds, name } = scope;
    const rule = context.req.param("rule") ?? "";
    const address = readAddress(context.req.url);
    const period = readPeriod(address.query["period"], PERIOD_NAMES);
    const selection = { repositoryIds, span: findPeriodSpan(period, deps), rule };
    const history = createHistoryTable(deps, selection);
    const { rules } = await readRuleStatistics(deps.db, selection);
    const inForce = (await listPoliciesInForce(deps.db, repositoryIds)).flatMap(({ policy, ...place }) =>
      policy.rules.filter(({ id }) => id === rule).map((own) => ({ ...place, ...own })),
    );
    if (rules.length + inForce.length === 0) return answerNotFound(context);
    const file = await answerFile(context, [history], () => `${name}-${rule}`);
    if (file !== null) return file;
    const { hidden } = await countReadableRepositories(deps.db, repositoryIds);
    const [statistics] = rules;
    const isWithinRate = mayReadFiles(getReaderKey(context.var.reader));
    const body = html`<div class="heading">
<h1>${icon("law")} <bdi>${rule}</bdi></h1>
<p>What this rule did in <bdi>${name}</bdi>.</p>
</div>
${renderPeriods(period, address)}
${renderHiddenFigures(scope, hidden)}
${statistics && renderStatistics(statistics)}
${renderBox("file-code", "What it says now", (await renderText(deps, context.var, { scope, rule, isWithinRate })) ?? renderPlaces(inForce, rule))}
${statistics && renderBox("graph", "Violated and blocked per week", await renderWeeks(deps.db, selection))}
${renderBox("git-pull-request", "Pull requests that violated it", await history.render(address))}`;
    return answerTab(context, { ...scope, inside: rule }, "rules", body);
  });
}

function renderStatistics(statistics: RuleStatistics): Html {
  const { prevented, medianResolutionMs: median, pulls } = statistics;
  const tile = (label: string, value: string, note = "") => html`<li><span>${label}</span>
<strong>${value}</strong>${note && html`<small>${note}</small>`}</li>
`;
  return html`<ul class="stats" aria-label="Pull requests">
${tile("Prevented a month", buildPreventedCell(prevented).text, listMissing(prevented).join(" · "))}
${tile("Time to resolve", median === null ? "–" : formatDuration(median), "median")}
${RULE_COUNTS.filter(({ key }) => key === "violated" || statistics[key] > 0).map(({ key, label }) =>
  tile(label, formatCount(statistics[key]), key === "violated" ? `of ${formatCount(pulls)} evaluated` : ""),
)}</ul>`;
}

/** The rule's entry in its policy file as it is on GitHub; null: the reader cannot read it, or it is not there. */
async function renderText(
  { db, github, policies }: PageDeps,
  { reader }: PageEnv["Variables"],
  { scope, rule, isWithinRate }: Readonly<{ scope: PageScope; rule: string; isWithinRate: boolean }>,
): Promise<Html | null> {
  const [repository] = scope.repositories;
  if (scope.kind === "organisation" || repository === undefined) return null;
  const [newest] = await listNewestEvaluations(db, repository, 1);
  const line = newest && findRuleAddress(newest, { github }, rule);
  const docs = newest && findDocsAddress(newest, rule);
  const files = isWithinRate ? await policies.readFiles(repository) : null;
  const id = files?.organisationRepositoryId ?? null;
  const readable = [
    files?.repository,
    id !== null && (await reader.canRead(id)) ? files?.organisation : undefined,
  ];
  const [text = null] = readable.flatMap((one) =>
    one?.state === "found" ? (cutEntry(one.text, rule) ?? []) : [],
  );
  if (text === null && !line && !docs) return null;
  return html`${text && html`<pre tabindex="0"><code>${text}</code></pre>`}
<p class="below">${line && html`<a href="${line}">${icon("mark-github")} Its line in the policy file</a>`}${docs && html`<a href="${docs}">${icon("link-external")} Its explanation</a>`}<a href="${scope.path}/policy">${icon("pencil")} Try another limit</a></p>`;
}

/** Cuts the entry of a list with this `id` out of a policy file, its lines moved to the left; null: there is none. */
function cutEntry(text: string, rule: string): string | null {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => /^[^#]*?(?:^|[\s{,])id:\s*["']?([\w.-]+)/.exec(line)?.[1] === rule);
  const start = lines.findLastIndex((line, place) => place <= at && /^\s*- /.test(line));
  const [first, ...rest] = lines.slice(Math.max(start, 0));
  if (start < 0 || first === undefined) return null;
  const indent = first.search(/\S/);
  const length = rest.findIndex((line) => line.trim() !== "" && line.search(/\S/) <= indent);
  const own = [first, ...(length < 0 ? rest : rest.slice(0, length))];
  return own
    .map((line) => line.slice(indent))
    .join("\n")
    .trimEnd();
}

type RuleInForce = Omit<PolicyInForce, "policy"> & PolicyInForce["policy"]["rules"][number];

/** The limits in the policies of the newest evaluations, by repository and base branch. */
const renderPlaces = (places: readonly RuleInForce[], rule: string): Html =>
  places.length === 0
    ? html`<p class="blank">No policy in force has it any more.</p>`
    : html`<ul class="rows">
${places.map(({ repository, baseRef, limit, enforce, figures }) => {
  // As in a comment: the amount may be in a file that the reader cannot read.
  const shown = figures || "count" in limit ? html`<code>${formatLimit(limit)}</code>` : "not shown";
  return html`<li><a href="${formatRepositoryPath(repository)}/rules/${encodeURIComponent(rule)}">${repository}</a> <bdi>${baseRef}</bdi> ${shown} ${enforce}s</li>
`;
})}</ul>`;

async function renderWeeks(db: PageDeps["db"], selection: OutcomeSelection): Promise<Html> {
  const weeks = await countWeeks(db, selection);
  return renderFigure("Violated and blocked per week", {
    labels: weeks.map(({ week }) => formatUtcDay(week.getTime()).replace(/ \d{4}$/, "")),
    series: [
      { name: "first violated", kind: "bars", values: weeks.map(({ violated }) => violated) },
      { name: "first blocked", kind: "bars", values: weeks.map(({ blocked }) => blocked) },
    ],
    description: "Pull requests that the rule first violated, and first blocked, per week.",
    formatAxis: (value) => (Number.isInteger(value) ? formatCount(value) : ""),
  });
}

const createHistoryTable = ({ db, clock }: PageDeps, selection: OutcomeSelection): Table =>
  createTable<RuleViolation>({
    ...{ name: "violations", caption: "Pull requests that violated it", pageSize: 15 },
    empty: "No pull request violated it in this time.",
    rows: async (isFile) => {
      const found = await listViolations(db, selection, isFile ? MAX_FILE_ROWS : MAX_ROWS);
      return isFile ? found.flatMap(splitCurrencies) : found;
    },
    columns: [
      ...buildPullColumns<RuleViolation>(),
      {
        ...{ key: "resolution", label: "How it ended" },
        cell: (row) => RESOLUTIONS[findResolution(row)],
        value: findResolution,
      },
      {
        ...{ key: "change", label: "Monthly change", numeric: true },
        cell: ({ totals, figures }) => {
          if (totals.length === 0) return figures ? NO_VALUE : NOT_SHOWN;
          const isPartial = totals.some(({ state }) => state !== "known");
          return { text: formatChanges(totals, isPartial), ...(isPartial && { note: "not fully known" }) };
        },
        value: ({ totals: [total] }) => total?.change ?? null,
      },
      buildFileColumn("currency", ({ totals: [total] }) => total?.currency ?? null),
      buildFigureColumn(
        { key: "resolution_ms", label: "Time to resolve" },
        ({ resolutionMs: ms }) => ms,
        ({ resolutionMs: ms }) => (ms === null ? NO_VALUE : { text: formatDuration(ms) }),
      ),
      buildAgeColumn(
        { key: "violated_at", label: "First violated" },
        ({ violatedAt }) => violatedAt,
        clock.now(),
      ),
      buildFileColumn("blocked_at", ({ blockedAt }) => blockedAt?.toISOString() ?? null),
      buildFileColumn("state", ({ state }) => state),
    ],
  });

const RESOLUTIONS = {
  changed: { text: "Fixed", icon: "check-circle", tone: "success" },
  approved: { text: "Approved", icon: "person", tone: "done" },
  waived: { text: "Waived", icon: "check-circle", tone: "done" },
  removed: { text: "Rule removed", icon: "skip", tone: "muted" },
  merged: { text: "Merged anyway", icon: "unlock", tone: "danger" },
  merged_with_warning: { text: "Merged with the warning", icon: "git-merge", tone: "attention" },
  closed: { text: "Closed", icon: "git-pull-request-closed", tone: "muted" },
  open: { text: "Open", icon: "git-pull-request", tone: "attention" },
} as const satisfies Readonly<Record<string, TableCell>>;

/** How a violation ended. A rule that only warned has no resolution of its own. */
function findResolution({ resolution, effect, passedAt, state }: RuleViolation): keyof typeof RESOLUTIONS {
  if (resolution !== null) return resolution;
  if (effect === "approved" || effect === "waived") return effect;
  if (passedAt !== null) return "changed";
  return state === "merged" ? "merged_with_warning" : state;
}
