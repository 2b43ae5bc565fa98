import type { PullKey } from "../../../kernel/ids.ts";
import { parseDecimal } from "../../../kernel/money.ts";
import { createMoneyStyle, formatCount, formatUtcTime, SHA_DIGITS } from "../../../render/format.ts";
import { DECISION_KINDS, listDecisions } from "../../../store/audit/decisions.ts";
import { listTimeline, type TimelineEvaluation } from "../../../store/history/pull-history.ts";
import type { CostFigures } from "../../../store/history/readable.ts";
import { formatPullPath } from "../../page/address.ts";
import { renderChart } from "../../page/chart.ts";
import { buildCostCell, buildCostColumns, buildFileColumn, NO_VALUE, UNKNOWN } from "../../page/columns.ts";
import { formatAge, type Html, html, renderBox } from "../../page/html.ts";
import { type Column, createTable, type TableCell } from "../../page/table.ts";
import { renderDecisions } from "../decisions/decision-view.ts";
import { labelDecision, type PullSubject, type PullView } from "./pull-subject.ts";

/** Most evaluations, and most decisions of a kind, that are listed. */
const MAX_EVALUATIONS = 500;
const MAX_DECISIONS = 100;
/** Most points of the chart. */
const MAX_POINTS = 60;

/** The evaluations of a pull request with their cost, and what people decided about it. */
export async function renderHistory(subject: PullSubject): Promise<PullView> {
  const { db, repository, number, address, github, nowMs } = subject;
  const key = { repositoryId: repository.repositoryId, number };
  const [evaluations, decisions] = await Promise.all([
    listTimeline(db, key, MAX_EVALUATIONS),
    listPeoplesDecisions(subject, key),
  ]);
  const table = createTable({
    name: "",
    caption: "Evaluations",
    columns: listColumns(subject),
    rows: evaluations.toReversed(),
    empty: "No evaluation is kept.",
    currencyOf: ({ totals: [total] }) => total?.currency ?? null,
  });
  const chart = subject.evaluation.pull.figures ? await renderHistoryChart(evaluations) : null;
  const body = html`${
    chart !== null &&
    renderBox(
      "graph",
      "Change per month after each push",
      html`<figure class="box-body"><div class="scroll" tabindex="0" role="region" aria-label="Chart">${chart}</div></figure>`,
    )
  }${
    decisions.length > 0 &&
    renderBox(
      "people",
      "Approvals, overrides, merges and applies",
      renderDecisions(decisions, { github, nowMs, hasRepositories: false }),
    )
  }${renderBox("history", "Evaluations", await table.render(address), { count: formatCount(evaluations.length) })}`;
  return { body, tables: [table] };
}

/** Approvals, overrides, merges over a failing check, and applies, the newest first. */
async function listPeoplesDecisions({ db }: PullSubject, { repositoryId, number }: PullKey) {
  const nothing = { person: null, rule: null, fromMs: null, toMs: null };
  const filter = { repositoryIds: [repositoryId], number, ...nothing };
  const kinds = DECISION_KINDS.filter((kind) => kind !== "verdict");
  const pages = await Promise.all(
    kinds.map((kind) => listDecisions(db, { ...filter, kind }, { before: null, limit: MAX_DECISIONS })),
  );
  return pages.flatMap(({ decisions }) => decisions).sort((a, b) => b.atMs - a.atMs);
}

function listColumns(subject: PullSubject): readonly Column<TimelineEvaluation>[] {
  const { repository, number, nowMs, evaluationId } = subject;
  const path = formatPullPath(`${repository.owner}/${repository.name}`, number);
  return [
    {
      ...{ key: "at", label: "Evaluated", sortable: true },
      cell: (one) => ({
        text: formatAge(one.begunAt.getTime(), nowMs),
        note: formatUtcTime(one.begunAt.getTime()),
        href: one.endedAt === null ? path : `${path}/evaluations/${one.evaluationId}`,
        ...(one.evaluationId === evaluationId && { tone: "done" }),
      }),
      value: ({ begunAt }) => begunAt.toISOString(),
    },
    {
      ...{ key: "decision", label: "Result", sortable: true },
      cell: ({ decision, verdict }) => labelDecision(decision, verdict),
      value: ({ decision }) => decision,
    },
    ...(subject.evaluation.pull.figures ? COST_COLUMNS : []),
    {
      ...{ key: "commit", label: "Commit" },
      cell: ({ headSha }) => ({ text: headSha.slice(0, SHA_DIGITS), code: true }),
      value: ({ headSha }) => headSha,
    },
    { key: "rules", label: "Rules", cell: (one) => ({ text: describeRules(one) }), value: describeRules },
    buildFileColumn("id", (one) => one.evaluationId),
  ];
}

/** What the rules that did not pass did: "blocked: monthly-increase; approved: deletions". */
const describeRules = ({ rules }: TimelineEvaluation): string =>
  [...Map.groupBy(rules, ({ effect }) => effect)]
    .map(([effect, own]) => `${effect}: ${own.map(({ rule }) => rule).join(", ")}`)
    .join("; ");

/** The first total is the largest; amounts of further currencies are in their own evaluation. */
const COST_COLUMNS: readonly Column<TimelineEvaluation>[] = [
  ...buildCostColumns<TimelineEvaluation>(
    ({ totals: [total] }) => total,
    ({ totals: [total, ...more], cost }, side) => {
      if (total === undefined) return cost === "unknown" ? UNKNOWN : NO_VALUE;
      return { ...buildCostCell(side, total[side], total.currency), ...describeTotal(total, more.length) };
    },
  ),
  buildFileColumn("currency", ({ totals: [total] }) => total?.currency ?? null),
];

/** What an amount lacks. */
function describeTotal({ state }: CostFigures, more: number): Pick<TableCell, "note"> {
  if (more > 0) return { note: more === 1 ? "and another currency" : `and ${more} more currencies` };
  if (state === "known") return {};
  return { note: state === "partial" ? "partly unknown" : "unreliable" };
}

/** The change of cost after each push, in the newest currency; null: it is known of fewer than two pushes. */
async function renderHistoryChart(evaluations: readonly TimelineEvaluation[]): Promise<Html | null> {
  const currency = evaluations.findLast(({ totals }) => totals.length > 0)?.totals[0]?.currency;
  if (currency === undefined) return null;
  const pushes = [...new Map(evaluations.filter(hasCost).map((one) => [one.headSha, one])).values()];
  const points = pushes.slice(-MAX_POINTS);
  if (points.length < 2) return null;
  const values = points.map(({ totals }) => {
    const change = totals.find((total) => total.currency === currency)?.change ?? null;
    return change === null ? null : Number(change);
  });
  return renderChart({
    labels: points.map(({ headSha }) => headSha.slice(0, SHA_DIGITS)),
    series: [{ name: "Change per month", kind: "steps", values }],
    formatAxis: (value) => formatTick(value, currency),
    description: `The change of the monthly cost in ${currency} after each of ${points.length} pushes`,
  });
}

/** Ticks are round numbers, mostly without a fraction. */
function formatTick(value: number, currency: string): string {
  const amount = parseDecimal(value.toFixed(2));
  return amount === null ? String(value) : createMoneyStyle(currency).change(amount).replace(/\.00$/, "");
}

const hasCost = ({ totals }: TimelineEvaluation): boolean => totals.some(({ change }) => change !== null);
