import { type Decimal, ZERO } from "../../../kernel/money.ts";
import type { Finding } from "../../../policy/model/finding.ts";
import { parseLinkTarget } from "../../../render/escape.ts";
import type { MoneyStyle } from "../../../render/format.ts";
import { formatCount, formatPercent } from "../../../render/format.ts";
import type { PageSections } from "../../../render/page-sections.ts";
import { hasLowerBounds } from "../../../render/sections/stages.ts";
import type { ChangeCounts } from "../../../report/model/facts.ts";
import type { CostState, StageReport, TotalReport } from "../../../report/model/report.ts";
import { createStageLabels } from "../../../report/model/stage-label.ts";
import { buildAmountCell, buildChangeCell, buildPercentCell } from "../../page/columns.ts";
import { type Html, html, icon, plural } from "../../page/html.ts";
import { renderMarkdown } from "../../page/markdown.ts";
import { type Column, createTable, renderRows, type Table, type TableCell } from "../../page/table.ts";
import {
  getDecisionLabel,
  linkToView,
  type PullSubject,
  type PullView,
  renderProvenance,
} from "./pull-subject.ts";
import { listResourceColumns } from "./resources.ts";
import { createApprovalTable } from "./rules.ts";

/** Resources on the overview; the others have their own view. */
const MAX_RESOURCES = 10;

/** The verdict with its reasons, the figures in short, every stage, and what drives the cost. */
export async function renderPullOverview(subject: PullSubject): Promise<PullView> {
  const { evaluation, address, texts, links } = subject;
  const stages = createStageTable(subject);
  const approvals = createApprovalTable(subject);
  const { live, lapsed } = evaluation.approvals;
  const section = (part: keyof PageSections, wrap: (text: Html) => Html): Html | null => {
    const text = texts.renderSection(evaluation, part, links);
    return text === "" ? null : wrap(renderMarkdown(text));
  };
  const label = getDecisionLabel(evaluation);
  const body = html`<section class="box verdict ${label.tone}">
<h2 class="box-title">${icon(label.icon)}<span>${texts.describeVerdict(evaluation)}</span></h2>
${section("nextStep", (text) => html`<div class="box-body markdown">${text}</div>`)}
</section>
${section("afterMerge", (text) => html`<div class="flash markdown">${icon("git-merge")}<div>${text}</div></div>`)}
<ul class="stats">
${renderTotals(subject)}
<li><span class="muted">Resources</span>
${renderChanges(evaluation.report)}
</li>
${renderRuleCounts(evaluation)}
</ul>
${section(
  "findings",
  (text) => html`<section class="box"><div class="box-body markdown">${text}
<p><a href="${linkToView(address, "rules")}">All rules with what they measured</a></p></div></section>`,
)}
${
  live.length + lapsed.length > 0 &&
  html`<section class="box">
<h2 class="box-title">${icon("people")}Approvals</h2>
${await approvals.render(address)}
</section>`
}
<section class="box">
<h2 class="box-title">${icon("stopwatch")}Cost per month by stage</h2>
${await stages.render(address)}
${section("costNotes", (text) => html`<div class="box-body markdown">${text}</div>`)}
</section>
${renderFirstResources(subject)}
${section("planNotes", (text) => html`<section class="box"><div class="box-body markdown">${text}</div></section>`)}
${section("policyEdit", (text) => html`<section class="box"><div class="box-body markdown">${text}</div></section>`)}
${renderProvenance(subject)}`;
  return { body, tables: [stages, approvals] };
}

function renderTotals(subject: PullSubject): Html | readonly Html[] {
  const { pull, report } = subject.evaluation;
  return pull.figures
    ? report.totals.map((total) => renderTotal(subject, total))
    : html`<li><span class="muted">Change per month</span><strong>${icon("lock")} not shown</strong><small>Not everyone who reads this repository may see amounts.</small></li>`;
}

const TOTAL_NOTES: Readonly<Record<CostState, string | null>> = {
  known: null,
  partial: "partly unknown",
  inconsistent: "the figures contradict each other",
  unknown: "not certain",
};

/** The total of a currency. A cost of which only a part is known is a lower bound, as in the comment; a zero says nothing then. */
function renderTotal({ money }: PullSubject, total: TotalReport): Html {
  const { currency, percent, state } = total;
  const style = money(currency);
  const isAtLeast = hasLowerBounds(total);
  const toKnown = (amount: Decimal | null): Decimal | null => (isAtLeast && amount === ZERO ? null : amount);
  const formatCost = (amount: Decimal | null): string =>
    amount === null ? "unknown" : `${isAtLeast ? "at least " : ""}${style.amount(amount)}`;
  const change = toKnown(total.change);
  const { text, tone } = change === null ? { text: "unknown", tone: "" } : buildChangeCell(change, style);
  const note = isAtLeast ? null : TOTAL_NOTES[state];
  const isPercentKnown = percent !== null && state === "known";
  return html`<li><span class="muted">Change per month</span><strong${tone && html` class="${tone}"`}>${text}${
    isPercentKnown && html` <small class="inline">${formatPercent(percent)}</small>`
  }${isAtLeast && change !== null && html` <small class="inline">known, the rest unknown</small>`}</strong><small>${formatCost(toKnown(total.before))} → ${formatCost(toKnown(total.after))}${note !== null && `, ${note}`}</small></li>
`;
}

/** With the words of the comment. */
const KINDS = [
  ["added", "added", "diff-added", "success"],
  ["changed", "changed", "diff-modified", "attention"],
  ["deleted", "deleted", "diff-removed", "danger"],
  ["imported", "imported", "download", "accent"],
  ["removed", "no longer managed", "skip", "attention"],
  ["drifted", "drifted", "alert", "attention"],
] as const;

/** How many resources change. A replaced resource counts as deleted and as added. */
function renderChanges({ changes, changesAreComplete, rows }: PullSubject["evaluation"]["report"]): Html {
  if (changes === null)
    return html`<strong>unknown</strong><small>No plan says which resources change.</small>`;
  const counts = KINDS.flatMap(([kind, word, mark, tone]) => {
    const count = changes[kind];
    return count === 0 ? [] : [{ word, mark, tone, text: formatCount(count) }];
  });
  const marks = counts.map(
    ({ word, mark, tone, text }) => html`<span class="${tone}">${icon(mark, word)}${text}</span> `,
  );
  const moved = rows.filter(({ change }) => change === "moved").length;
  const words = [
    ...counts.map(({ word, text }) => `${text} ${word}`),
    ...(moved === 0 ? [] : [`${formatCount(moved)} moved`]),
  ].join(", ");
  const replaced = changes.replaced ?? 0;
  const none = changesAreComplete ? "no change" : "no change as far as is known";
  return html`<strong class="kinds">${marks.length > 0 ? marks : none}</strong>
<small>${words}${!changesAreComplete && marks.length > 0 && " (at least)"}${
    replaced > 0 &&
    `. Of these, ${formatCount(replaced)} ${plural(replaced, "is", "are")} replaced (deleted and created again).`
  }</small>`;
}

/** How many rules there are by outcome; null: there is no verdict. */
function renderRuleCounts({ situation }: PullSubject["evaluation"]): Html | null {
  const findings = "verdict" in situation ? situation.verdict?.findings : undefined;
  if (findings === undefined) return null;
  const count = (isMeant: (finding: Finding) => boolean): number =>
    new Set(findings.filter(isMeant).map(({ rule }) => rule)).size;
  const isCovered = ({ approved, waiver }: Finding): boolean => approved || waiver !== null;
  const all = count(({ outcome }) => outcome !== "not_applicable");
  const violated = count((finding) => finding.outcome === "violated" && !isCovered(finding));
  const covered = count((finding) => finding.outcome === "violated" && isCovered(finding));
  const undecided = count(({ outcome }) => outcome === "undecided");
  const ends = [
    ...(covered > 0 ? [`; ${formatCount(covered)} approved or waived`] : []),
    ...(undecided > 0 ? [`; ${formatCount(undecided)} not evaluated`] : []),
  ];
  return html`<li><span class="muted">Rules</span>
<strong${violated > 0 && html` class="danger"`}>${describeRules({ all, violated, undecided })}</strong>
<small>of ${formatCount(all)} ${plural(all, "rule", "rules")} that apply${ends}</small></li>`;
}

function describeRules({
  all,
  violated,
  undecided,
}: Readonly<Record<"all" | "violated" | "undecided", number>>): string {
  if (violated > 0) return `${formatCount(violated)} violated`;
  if (undecided > 0) return `${formatCount(undecided)} not evaluated`;
  return all > 0 ? "all met" : "none";
}

/** The first resources: those with the largest change of cost. Null: there are none. */
function renderFirstResources(subject: PullSubject): Html | null {
  const { address, read, evaluation } = subject;
  const { figures } = evaluation.pull;
  const rows = read.resources.slice(0, MAX_RESOURCES);
  if (rows.length === 0) return null;
  const caption = figures ? "What drives it" : "What changes";
  const all = formatCount(read.resources.length);
  const isAll = rows.length === read.resources.length;
  return html`<section class="box">
<h2 class="box-title">${icon("graph")}${caption}<span class="counter">${all}</span></h2>
${renderRows({ caption, columns: listResourceColumns(subject), rows })}
<p class="below"><a href="${linkToView(address, "resources")}">${isAll ? "With price components and changed attributes" : `All ${all} resources`}</a>${figures && html` · <a href="${linkToView(address, "modules")}">By module</a>`}</p>
</section>`;
}

/** Every stage with its cost and its changes. */
function createStageTable(subject: PullSubject): Table {
  const { report, pull } = subject.evaluation;
  const columns = [
    ...listNameColumns(subject),
    ...(pull.figures ? listCostColumns(subject) : []),
    ...COUNTS.map(toCountColumn),
    toFileColumn("imported", ({ counts }) => counts?.imported ?? null),
    toFileColumn("removed", ({ counts }) => counts?.removed ?? null),
  ];
  return createTable({
    name: "",
    caption: "Stages",
    columns,
    rows: report.stages,
    empty: "No execution belongs to this commit.",
    currencyOf: ({ currency }) => currency,
  });
}

function listNameColumns({ evaluation, texts }: PullSubject): readonly Column<StageReport>[] {
  const label = createStageLabels(evaluation.report.stages);
  return [
    {
      key: "stage",
      label: "Stage",
      sortable: true,
      cell: (stage) => buildStageCell(stage, label(stage), texts.describeSource(stage.source)),
      value: label,
    },
    toFileColumn("org", ({ org }) => org),
    toFileColumn("project", ({ project }) => project),
    toFileColumn("workspace", ({ workspace }) => workspace),
    toFileColumn("execution", ({ executionId }) => executionId),
    toFileColumn("status", ({ status }) => status),
    toFileColumn("proven", ({ proven }) => proven),
  ];
}

const toFileColumn = (key: string, value: Column<StageReport>["value"]): Column<StageReport> => ({
  key,
  label: key,
  value,
});

const STATUS_ICONS = {
  succeeded: { icon: "check-circle", iconLabel: "Succeeded" },
  failed: { icon: "x-circle", iconLabel: "Failed" },
  pending: { icon: "hourglass", iconLabel: "Still running" },
  unknown: { icon: "question", iconLabel: "Status unknown" },
} as const;

function buildStageCell(stage: StageReport, label: string, source: string): TableCell {
  const { icon, iconLabel } = STATUS_ICONS[stage.status];
  const href = stage.executionPage === undefined ? null : parseLinkTarget(stage.executionPage);
  const name = `execution ${stage.executionId}, ${source}`;
  return {
    text: label,
    icon,
    iconLabel,
    note: stage.proven ? name : `${name}; not proven`,
    ...(href !== null && { href }),
  };
}

function listCostColumns({ money }: PullSubject): readonly Column<StageReport>[] {
  const amount = (key: "before" | "after", label: string): Column<StageReport> => ({
    key,
    label,
    numeric: true,
    sortable: true,
    cell: (stage) => buildTotalCell(stage, key, money(stage.currency ?? "")),
    value: (stage) => stage[key],
  });
  return [
    {
      key: "change",
      label: "Change",
      numeric: true,
      sortable: true,
      cell: (stage) => markState(stage, buildStageChangeCell(stage, money(stage.currency ?? ""))),
      value: ({ change }) => change,
    },
    amount("before", "Before"),
    amount("after", "After"),
    {
      key: "percent",
      label: "%",
      numeric: true,
      sortable: true,
      cell: ({ percent, state }) => buildPercentCell(state === "known" ? percent : null),
      value: ({ percent }): Decimal | null => percent,
    },
    toFileColumn("currency", ({ currency }) => currency),
    toFileColumn("state", ({ state }) => state),
  ];
}

/** A cost of which only a part is known is a lower bound, as in the comment; a zero says nothing then. */
function buildTotalCell(stage: StageReport, key: "before" | "after", style: MoneyStyle): TableCell {
  const amount = stage[key];
  if (!hasLowerBounds(stage) || amount === null) return markState(stage, buildAmountCell(amount, style));
  return amount === ZERO ? buildAmountCell(null, style) : { text: `at least ${style.amount(amount)}` };
}

/** A change of zero says nothing where only a part of the cost is known. */
const buildStageChangeCell = (stage: StageReport, style: MoneyStyle): TableCell =>
  buildChangeCell(hasLowerBounds(stage) && stage.change === ZERO ? null : stage.change, style);

/** An amount that is not the whole one says so. */
function markState({ state }: StageReport, cell: TableCell): TableCell {
  if (state === "known" || cell.text === "unknown") return cell;
  return { ...cell, note: STATE_NOTES[state] };
}

const STATE_NOTES = {
  partial: "partly unknown",
  inconsistent: "contradictory",
  unknown: "not certain",
} as const;

const COUNTS = [
  ["added", "Added"],
  ["changed", "Changed"],
  ["deleted", "Deleted"],
  ["replaced", "Replaced"],
  ["drifted", "Drifted"],
] as const;

const toCountColumn = ([key, label]: (typeof COUNTS)[number]): Column<StageReport> => ({
  key,
  label,
  numeric: true,
  sortable: true,
  cell: ({ counts }) => buildCountCell(counts, key),
  value: ({ counts }) => counts?.[key] ?? null,
});

function buildCountCell(counts: ChangeCounts | null, key: keyof ChangeCounts): TableCell {
  const count = counts?.[key] ?? null;
  if (count === null) return { text: "unknown", tone: "muted" };
  return count === 0 ? { text: "0", tone: "muted" } : { text: formatCount(count) };
}
