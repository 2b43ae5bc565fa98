import { type Decimal, ZERO } from "../../../../kernel/money.ts";
import type { Finding } from "../../../../policy/model/finding.ts";
import { formatCount } from "../../../../render/format/count.ts";
import { formatPercent } from "../../../../render/format/percent.ts";
import type { PageSections } from "../../../../render/page/page-sections.ts";
import { hasLowerBounds } from "../../../../render/sections/stages.ts";
import type { ChangeCounts } from "../../../../report/model/facts.ts";
import type { CostState, TotalReport } from "../../../../report/model/report.ts";
import { Markdown } from "../../../page/markdown.ts";
import { buildTableView } from "../../../page/table.ts";
import { chooseTone } from "../subject/amounts.ts";
import { linkToView, type PullSubject, type PullView } from "../subject/pull-subject.ts";
import { buildApprovalTable } from "./approval-table.ts";
import { listResourceColumns } from "./resource-columns.ts";
import { buildStageTable } from "./stage-table.ts";

/** Resources on the overview; the others have their own view. */
const MAX_RESOURCES = 10;

/** The verdict with its reasons, the figures in short, every stage, and what drives the cost. */
export function buildOverview(subject: PullSubject): PullView {
  const { evaluation, address } = subject;
  const stages = buildStageTable(subject);
  const approvals = buildApprovalTable(subject);
  const section = (part: keyof PageSections): Markdown | null => {
    const text = subject.texts.renderSection(evaluation, part, subject.links);
    return text === "" ? null : new Markdown(text);
  };
  const { live, lapsed } = evaluation.approvals;
  const view = {
    nextStep: section("nextStep"),
    findings: section("findings"),
    afterMerge: section("afterMerge"),
    costNotes: section("costNotes"),
    planNotes: section("planNotes"),
    policyEdit: section("policyEdit"),
    provenance: section("provenance"),
    figures: evaluation.pull.figures,
    totals: evaluation.pull.figures
      ? evaluation.report.totals.map((total) => buildTotalView(subject, total))
      : [],
    changes: buildChangesView(evaluation.report.changes, evaluation.report.changesAreComplete),
    rules: buildRulesView(evaluation),
    stages: stages.view,
    resources: buildResourcesView(subject),
    approvals: live.length + lapsed.length === 0 ? null : approvals.view,
    links: {
      resources: linkToView(address, "resources"),
      rules: linkToView(address, "rules"),
      modules: linkToView(address, "modules"),
    },
  };
  return { template: "pull/overview", view, tables: [stages, approvals] };
}

const STATE_NOTES: Readonly<Record<CostState, string | null>> = {
  known: null,
  partial: "partly unknown",
  inconsistent: "the figures contradict each other",
  unknown: "not certain",
};

/** The total of a currency. A cost of which only a part is known is a lower bound, as in the comment; a zero says nothing then. */
function buildTotalView({ money }: PullSubject, total: TotalReport) {
  const { currency, percent, state } = total;
  const style = money(currency);
  const isAtLeast = hasLowerBounds(total);
  const toKnown = (amount: Decimal | null): Decimal | null => (isAtLeast && amount === ZERO ? null : amount);
  const formatCost = (amount: Decimal | null): string =>
    amount === null ? "unknown" : `${isAtLeast ? "at least " : ""}${style.amount(amount)}`;
  const change = toKnown(total.change);
  return {
    change: change === null ? "unknown" : style.change(change),
    isPartOfChange: isAtLeast && change !== null,
    tone: change === null ? null : chooseTone(change),
    percent: percent === null || state !== "known" ? null : formatPercent(percent),
    before: formatCost(toKnown(total.before)),
    after: formatCost(toKnown(total.after)),
    note: isAtLeast ? null : STATE_NOTES[state],
  };
}

const KINDS = [
  ["added", "diff-added", "success"],
  ["changed", "diff-modified", "attention"],
  ["deleted", "diff-removed", "danger"],
  ["drifted", "alert", "attention"],
] as const;

/** How many resources change; null: unknown. A replaced resource counts as deleted and as added. */
function buildChangesView(changes: ChangeCounts | null, isComplete: boolean) {
  if (changes === null) return null;
  const counts = KINDS.flatMap(([kind, icon, tone]) => {
    const count = changes[kind];
    return count === null || count === 0 ? [] : [{ kind, icon, tone, text: formatCount(count) }];
  });
  return { counts, replaced: changes.replaced ?? 0, isComplete };
}

/** How many rules there are by outcome; null: there is no verdict. */
function buildRulesView({ situation }: PullSubject["evaluation"]) {
  const findings = "verdict" in situation ? situation.verdict?.findings : undefined;
  if (findings === undefined) return null;
  const count = (isMeant: (finding: Finding) => boolean): number =>
    new Set(findings.filter(isMeant).map(({ rule }) => rule)).size;
  const isCovered = ({ approved, waiver }: Finding): boolean => approved || waiver !== null;
  return {
    all: count(({ outcome }) => outcome !== "not_applicable"),
    violated: count((finding) => finding.outcome === "violated" && !isCovered(finding)),
    covered: count((finding) => finding.outcome === "violated" && isCovered(finding)),
    undecided: count(({ outcome }) => outcome === "undecided"),
  };
}

/** The first resources: those with the largest change of cost. Null: there are none. */
function buildResourcesView(subject: PullSubject) {
  const lines = subject.read.resources;
  const rows = lines.slice(0, MAX_RESOURCES);
  if (rows.length === 0) return null;
  const table = buildTableView({
    caption: subject.evaluation.pull.figures ? "What drives it" : "What changes",
    columns: listResourceColumns(subject)
      .filter(({ isExportOnly }) => isExportOnly !== true)
      .map((column) => ({ ...column, sortable: false })),
    rows,
    ...{ total: rows.length, page: 1, pageSize: MAX_RESOURCES, order: null, empty: "" },
    address: { ...subject.address, query: { view: "resources" } },
  });
  return { table, count: lines.length, isAll: rows.length === lines.length };
}
