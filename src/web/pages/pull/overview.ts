import { type Decimal, ZERO } from "../../../kernel/money.ts";
import { type ApplyResult, selectDifferences } from "../../../policy/model/apply.ts";
import type { Finding } from "../../../policy/model/finding.ts";
import { describeResult } from "../../../render/apply-result.ts";
import { parseLinkTarget } from "../../../render/escape.ts";
import { formatCount, formatMoney, formatPercent, SHA_DIGITS, shortenId } from "../../../render/format.ts";
import type { PageSections } from "../../../render/page-sections.ts";
import { hasLowerBounds } from "../../../render/sections/stages.ts";
import type {
  CostLine,
  CostState,
  Report,
  StageReport,
  TagReport,
  TotalReport,
} from "../../../report/model/report.ts";
import { createStageLabels } from "../../../report/model/stage-label.ts";
import { type ListedApply, listApplies } from "../../../store/after-merge/applies.ts";
import {
  buildAgeColumn,
  buildChangeCell,
  buildCostCell,
  buildCostColumns,
  buildFigureColumn,
  buildFileColumn,
  buildPercentCell,
  buildTextColumn,
  UNKNOWN,
} from "../../page/columns.ts";
import { type Html, html, icon, type Label, plural, renderBox } from "../../page/html.ts";
import { renderMarkdown } from "../../page/markdown.ts";
import { type Column, createTable, renderRows, type Table, type TableCell } from "../../page/table.ts";
import { buildTagCell, formatTagChoice } from "../tag-choice.ts";
import {
  getDecisionLabel,
  linkToView,
  type PullSubject,
  type PullView,
  type ReportSubject,
  renderProvenance,
} from "./pull-subject.ts";
import { listResourceColumns, renderUnstated } from "./resources.ts";
import { createApprovalTable } from "./rules.ts";
import { createSavingsTable } from "./savings.ts";

/** Resources on the overview; the others have their own view. */
const MAX_RESOURCES = 10;

/** The verdict with its reasons, the figures in short, every stage, and what drives the cost. */
export async function renderPullOverview(subject: PullSubject): Promise<PullView> {
  const { evaluation, address, texts, links } = subject;
  const stages = createStageTable(subject, ({ executionId, source, proven }) => {
    const name = `execution ${shortenId(executionId)}, ${texts.describeSource(source)}`;
    return proven ? name : `${name}; not proven`;
  });
  const tags = createTagTable(subject);
  const approvals = createApprovalTable(subject);
  const savings = createSavingsTable(subject);
  const key = { repositoryId: subject.repository.repositoryId, number: subject.number };
  const applied = await listApplies(subject.db, key);
  const applies = createApplyTable(subject, applied);
  const { live, lapsed } = evaluation.approvals;
  const section = (part: keyof PageSections, wrap: (text: Html) => Html): Html | null => {
    const text = texts.renderSection(evaluation, part, links);
    return text === "" ? null : wrap(renderMarkdown(text));
  };
  const label = getDecisionLabel(evaluation);
  const body = html`<section class="box verdict ${label.tone}">
<h2 class="box-title">${icon(label.icon)}<span>${texts.describeVerdict(evaluation)}</span></h2>
${!subject.isEnded && section("nextStep", (text) => html`<div class="box-body markdown">${text}</div>`)}
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
${live.length + lapsed.length > 0 && renderBox("people", "Approvals", await approvals.render(address))}
${applied.length > 0 && renderBox("shield-check", applies.caption, await applies.render(address))}
${renderBox("stopwatch", "Cost per month by stage", [
  await stages.render(address),
  section("costNotes", (text) => html`<div class="box-body markdown">${text}</div>`),
])}
${tags !== null && renderBox("tag", tags.caption, await tags.render(address))}
${renderFirstResources(subject)}
${await savings.box()}
${section("planNotes", (text) => html`<section class="box"><div class="box-body markdown">${text}</div></section>`)}
${section("policyEdit", (text) => html`<section class="box"><div class="box-body markdown">${text}</div></section>`)}
${renderProvenance(subject)}`;
  return { body, tables: [stages, ...(tags === null ? [] : [tags]), approvals, applies, savings.table] };
}

export function renderTotals(subject: ReportSubject): Html | readonly Html[] {
  const { pull, report } = subject.evaluation;
  return pull.figures
    ? report.totals.map(renderTotal)
    : html`<li><span class="muted">Change per month</span><strong>${icon("lock")} not shown</strong><small>Not everyone who reads this repository may see amounts.</small></li>`;
}

const TOTAL_NOTES: Readonly<Record<CostState, string | null>> = {
  known: null,
  partial: "partly unknown",
  inconsistent: "the figures contradict each other",
  unknown: "unreliable",
};

/** The total of a currency. A cost of which only a part is known is a lower bound, as in the comment; a zero says nothing then. */
function renderTotal(total: TotalReport): Html {
  const { currency, percent, state } = total;
  const isAtLeast = hasLowerBounds(total);
  const toKnown = (amount: Decimal | null): Decimal | null => (isAtLeast && amount === ZERO ? null : amount);
  const formatCost = (amount: Decimal | null): string =>
    amount === null ? "unknown" : `${isAtLeast ? "at least " : ""}${formatMoney({ amount, currency })}`;
  const change = toKnown(total.change);
  const { text, tone } = change === null ? { text: "unknown", tone: "" } : buildChangeCell(change, currency);
  const note = isAtLeast ? null : TOTAL_NOTES[state];
  const isPercentKnown = percent !== null && state === "known";
  return html`<li><span class="muted">Change per month</span><strong${tone && html` class="${tone}"`}>${text}${
    isPercentKnown && html` <small class="inline">${formatPercent(percent)}</small>`
  }${isAtLeast && change !== null && html` <small class="inline">known, the rest unknown</small>`}</strong><small>${formatCost(toKnown(total.before))} → ${formatCost(toKnown(total.after))}${note !== null && `, ${note}`}</small></li>
`;
}

/** With the words of the comment. */
const KINDS = [
  ["added", "created", "diff-added", "success"],
  ["changed", "changed", "diff-modified", "attention"],
  ["deleted", "deleted", "diff-removed", "danger"],
  ["imported", "imported", "download", "accent"],
  ["removed", "no longer managed", "skip", "attention"],
  ["drifted", "drifted", "alert", "attention"],
] as const;

/** How many resources change. A replaced resource counts as deleted and as added. */
export function renderChanges({ changes, changesAreComplete, rows }: Report): Html {
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
export function renderFirstResources(subject: ReportSubject): Html | null {
  const { address, indexed, evaluation } = subject;
  const { figures } = evaluation.pull;
  const rows = indexed.resources.slice(0, MAX_RESOURCES);
  if (rows.length === 0) return null;
  const caption = figures ? "What drives it" : "What changes";
  const all = formatCount(indexed.resources.length);
  const isAll = rows.length === indexed.resources.length;
  return renderBox(
    "graph",
    caption,
    [
      renderRows({ caption, columns: listResourceColumns(subject), rows }),
      renderUnstated(subject, rows),
      html`<p class="below"><a href="${linkToView(address, "resources")}">${isAll ? "With price components and changed attributes" : `All ${all} resources`}</a>${figures && html` · <a href="${linkToView(address, "modules")}">By module</a>`}</p>`,
    ],
    { count: all },
  );
}

/** Every stage with its cost and its changes. `describe`: what stands below a stage's name; empty: nothing. */
export function createStageTable(
  { evaluation }: Pick<ReportSubject, "evaluation">,
  describe: (stage: StageReport) => string,
): Table {
  const { report, pull } = evaluation;
  const label = createStageLabels(report.stages);
  return createTable<StageReport>({
    ...{ name: "", caption: "Stages", empty: "No execution belongs to this commit.", rows: report.stages },
    columns: [
      {
        ...{ key: "stage", label: "Stage", sortable: true },
        cell: (stage) => buildStageCell(stage, label(stage), describe(stage)),
        value: label,
      },
      buildFileColumn("org", ({ org }) => org),
      buildFileColumn("project", ({ project }) => project),
      buildFileColumn("workspace", ({ workspace }) => workspace),
      buildFileColumn("execution", ({ executionId }) => executionId),
      buildFileColumn("status", ({ status }) => status),
      buildFileColumn("proven", ({ proven }) => proven),
      ...(pull.figures ? COST_COLUMNS : []),
      ...COUNTS.map(([key, text]) =>
        buildFigureColumn<StageReport>(
          { key, label: text },
          ({ counts }) => counts?.[key] ?? null,
          ({ counts }) => buildCountCell(counts?.[key] ?? null),
        ),
      ),
      buildFileColumn("imported", ({ counts }) => counts?.imported ?? null),
      buildFileColumn("removed", ({ counts }) => counts?.removed ?? null),
    ],
    currencyOf: ({ currency }) => currency,
  });
}

export const STATUS_LABELS: Readonly<Record<StageReport["status"], Label>> = {
  failed: { text: "Failed", icon: "x-circle", tone: "danger" },
  pending: { text: "Still running", icon: "hourglass", tone: "accent" },
  unknown: { text: "Status unknown", icon: "question", tone: "attention" },
  succeeded: { text: "Succeeded", icon: "check-circle", tone: "success" },
};

function buildStageCell(stage: StageReport, label: string, note: string): TableCell {
  const { icon, text: iconLabel } = STATUS_LABELS[stage.status];
  const href = stage.executionPage === undefined ? null : parseLinkTarget(stage.executionPage);
  return {
    text: label,
    icon,
    iconLabel,
    note,
    ...(href !== null && { href }),
  };
}

const COST_COLUMNS: readonly Column<StageReport>[] = [
  ...buildCostColumns<StageReport>((stage) => stage, buildLineCostCell),
  buildFigureColumn(
    { key: "percent", label: "%" },
    ({ percent }) => percent,
    ({ percent, state }) => buildPercentCell(state === "known" ? percent : null),
  ),
  buildFileColumn("currency", ({ currency }) => currency),
  buildFileColumn("state", ({ state }) => state),
];

/** The cost by the tag that the policy chooses; null: it chooses none, or readers may not see figures. */
function createTagTable({ address, evaluation: { pull, report } }: PullSubject): Table | null {
  if (report.byTag === undefined || !pull.figures) return null;
  const { key, lines } = report.byTag;
  return createTable<TagReport>({
    ...{ name: "tags", caption: `Cost per ${key}`, empty: "No cost is known.", rows: lines, pageSize: 10 },
    columns: [
      {
        ...{ key: "tag", label: key, sortable: true },
        cell: (line) => ({
          ...buildTagCell(line),
          ...(line.kind !== "unattributed" && {
            href: linkToView(address, "resources", { tag: formatTagChoice(line) }),
          }),
        }),
        value: ({ value }) => value,
      },
      buildFileColumn("tag_kind", ({ kind }) => kind),
      ...buildCostColumns<TagReport>((line) => line, buildLineCostCell),
      buildFileColumn("currency", ({ currency }) => currency),
      buildFileColumn("state", ({ state }) => state),
    ],
    currencyOf: ({ currency }) => currency,
  });
}

/** An amount that is not the whole one says so. */
function markState({ state }: CostLine, cell: TableCell): TableCell {
  if (state === "known" || cell.text === "unknown") return cell;
  return { ...cell, note: STATE_NOTES[state] };
}

const STATE_NOTES = {
  partial: "partly unknown",
  inconsistent: "contradictory",
  unknown: "unreliable",
} as const;

const COUNTS = [
  ["added", "Created"],
  ["changed", "Changed"],
  ["deleted", "Deleted"],
  ["replaced", "Replaced"],
  ["drifted", "Drifted"],
] as const;

function buildCountCell(count: number | null): TableCell {
  if (count === null) return UNKNOWN;
  return count === 0 ? { text: "0", tone: "muted" } : { text: formatCount(count) };
}

/** A cost of which only a part is known is a lower bound, as in the comment; a zero says nothing then. */
function buildLineCostCell(line: CostLine, key: "before" | "after" | "change"): TableCell {
  const { currency } = line;
  const isAtLeast = hasLowerBounds(line);
  const amount = isAtLeast && line[key] === ZERO ? null : line[key];
  const cell = buildCostCell(key, amount, currency ?? "");
  if (!isAtLeast || key === "change" || amount === null) return markState(line, cell);
  return { text: `at least ${cell.text}` };
}

/** Most differences of one apply that the page names. */
const MAX_DIFFERENCES = 5;

/** What the apply gate answered about the pull request. */
function createApplyTable(
  { github, repository, nowMs }: PullSubject,
  applies: readonly ListedApply[],
): Table {
  const root = `${github}/${repository.owner}/${repository.name}/commit/`;
  return createTable<ListedApply>({
    ...{ name: "applies", caption: "Applies", empty: "No apply was verified.", rows: applies },
    columns: [
      {
        ...{ key: "result", label: "Result" },
        cell: ({ result }) => ({ ...RESULTS[result.kind], note: describeShortly(result) }),
        value: ({ result }) => result.kind,
      },
      buildTextColumn({ key: "workspace", label: "Workspace" }, ({ workspace }) => workspace),
      {
        ...{ key: "sha", label: "Commit" },
        cell: ({ sha }) => ({ text: sha.slice(0, SHA_DIGITS), href: root + sha, code: true }),
        value: ({ sha }) => sha,
      },
      buildTextColumn({ key: "actor", label: "By" }, ({ actor }) => actor),
      buildAgeColumn({ key: "at", label: "When" }, ({ atMs }) => new Date(atMs), nowMs),
      buildFileColumn("pulls", ({ pulls }) => pulls.join(" ")),
      buildFileColumn("details", ({ result }) => describeResult(result).join("; ")),
    ],
  });
}

const RESULTS: Readonly<Record<ApplyResult["kind"], TableCell>> = {
  within: { text: "Accepted", icon: "check-circle", tone: "success" },
  exceeds: { text: "Refused", icon: "x-circle-fill", tone: "danger" },
  undecided: { text: "Not accepted", icon: "question", tone: "attention" },
};

const describeShortly = (result: ApplyResult): string =>
  describeResult(selectDifferences(result, (all) => all.slice(0, MAX_DIFFERENCES))).join("; ");
