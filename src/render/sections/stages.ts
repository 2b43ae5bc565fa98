import { absolute, compare, type Decimal, ZERO } from "../../kernel/money.ts";
import type { CostDelta } from "../../report/model/facts.ts";
import type { CostLine, Report, StageReport, UsageCounts } from "../../report/model/report.ts";
import { createStageLabels } from "../../report/model/stage-label.ts";
import { sumDeltas } from "../../report/totals.ts";
import { sumUsage } from "../../report/usage.ts";
import { findExecutionAddress } from "../addresses.ts";
import { type Cell, formatCellName, formatLink } from "../escape.ts";
import {
  type CurrencyFigures,
  createDistinctStyle,
  type Figure,
  isTableRounded,
  listCurrencyFigures,
  type MoneyStyle,
} from "../format.ts";
import type { Section, SectionSource } from "./section.ts";

/** Largest number of stages with a line of their own; the others are summed. */
const MAX_LINES = 12;

/** The section with the cost of each stage before and after, and one total per currency. */
export function buildStagesSection({ evaluation: { report, pull } }: SectionSource): Section {
  const isKnown = hasFigures(report);
  const isVisible = pull.figures && isKnown;
  return {
    template: "stages",
    rows: isVisible ? Math.min(MAX_LINES, report.stages.length) : 0,
    view: (rows) => {
      if (isVisible) return buildStagesView(report, rows);
      return isKnown ? { isRedacted: true } : null; // without figures, the notes state the reason
    },
  };
}

/** Whether there is any amount that is shown or hidden. */
export const hasFigures = ({ stages }: Report): boolean =>
  stages.some(({ before, change, after }) => (before ?? change ?? after) !== null);

function buildStagesView(report: Report, rows: number) {
  const labels = createStageLabels(report.stages);
  const label = (stage: StageReport): Cell =>
    formatLink(formatCellName(labels(stage)), findExecutionAddress(report, stage.executionId));
  let left = rows;
  const groups = groupByCurrency(report).map((group) => {
    const view = buildStageGroupView(group, left, label);
    left -= view.lines.length;
    return view;
  });
  return { isRedacted: false, groups, rounded: groups.some((group) => group.rounded) };
}

interface StageGroup {
  /** Null for stages without a currency, whose source states no cost. */
  readonly figures: CurrencyFigures | null;
  readonly stages: readonly StageReport[];
}

/**
 * One group per currency. A stage of unknown currency belongs to the group of the only currency, else to a
 * last group.
 */
function groupByCurrency(report: Report): readonly StageGroup[] {
  const [only, ...more] = listCurrencyFigures(report);
  if (only !== undefined && more.length === 0) return [{ figures: only, stages: report.stages }];
  return [...listCurrencyFigures(report), null]
    .map((figures) => ({
      figures,
      stages: report.stages.filter(({ currency }) => currency === (figures?.currency ?? null)),
    }))
    .filter(({ stages }) => stages.length > 0);
}

function buildStageGroupView(
  { figures, stages }: StageGroup,
  rows: number,
  label: (stage: StageReport) => Cell,
) {
  const { shown, folded } = selectShownStages(stages, rows);
  const others =
    folded.length === 0 ? null : toAmountLine({ ...sumDeltas(folded), usage: sumUsage(folded) }, folded);
  const total =
    stages.length > 1 && figures !== null ? toAmountLine(figures.total, [...stages, figures.total]) : null;
  const write = (line: AmountLine) => buildFiguresView(figures, line);
  return {
    lines: shown.map((stage) => ({
      ...write(toAmountLine(stage, [stage])),
      label: label(stage),
      proven: stage.proven,
      isPartlyUnknown: stage.state === "partial",
    })),
    others: others && { ...write(others), count: folded.length },
    total: total && write(total),
    rounded: figures !== null && isRounded(figures, [...shown, ...(others === null ? [] : [others])], total),
  };
}

/** Amounts of a line. `isAtLeast`: a part could not be estimated, so they are lower bounds, and the change covers only the known part. */
type AmountLine = CostDelta & Pick<CostLine, "usage"> & { readonly isAtLeast: boolean };

/** The amounts of a line that is the sum of these parts. */
export const toAmountLine = (
  amounts: Omit<AmountLine, "isAtLeast">,
  parts: readonly CostLine[],
): AmountLine => ({
  ...amounts,
  isAtLeast: parts.some(hasLowerBounds),
});

/**
 * The stages with a line of their own: all in their order if they fit; else unknown ones first, then the
 * largest changes.
 */
function selectShownStages(stages: readonly StageReport[], rows: number) {
  if (stages.length <= rows) return { shown: stages, folded: [] };
  const order = stages.toSorted(
    (a, b) =>
      Number(a.state === "known") - Number(b.state === "known") ||
      compare(absolute(b.change ?? ZERO), absolute(a.change ?? ZERO)),
  );
  return { shown: order.slice(0, Math.max(0, rows)), folded: order.slice(Math.max(0, rows)) };
}

/**
 * Whether the cost exceeds the stated amount. False where an amount is not stated at all, because the other
 * amounts are then complete.
 */
export const hasLowerBounds = ({ state, because }: CostLine): boolean =>
  state === "partial" &&
  (because.length === 0 || because.some((reason) => reason !== "not_stated" && reason !== "not_compared"));

/** The displayed amounts; null: unknown. */
export function buildFiguresView(figures: CurrencyFigures | null, line: AmountLine) {
  const { before, change, after, usage, isAtLeast } = line;
  if (figures === null)
    return { before: null, after: null, change: null, usage: buildUsageView(undefined), isAtLeast: false };
  const style = chooseStageStyle(figures, line);
  // A zero that is only a lower bound is unknown too.
  const formatValue = (value: Decimal | null, format: (value: Decimal) => Cell): Cell | null =>
    value === null || (isAtLeast && value === ZERO) ? null : format(value);
  return {
    before: formatValue(before, style.amount),
    after: formatValue(after, style.amount),
    change: formatValue(change, style.change),
    usage: buildUsageView(usage),
    isAtLeast,
  };
}

/** The marks beside amounts for usage-based costs, which are in no amount: they are added, removed, or both; null: none. */
function buildUsageView(usage: UsageCounts = { before: 0, after: 0, introduced: 0, deleted: 0 }) {
  const { before, after, introduced, deleted } = usage;
  const moves = introduced > 0 ? (deleted > 0 ? "both" : "plus") : deleted > 0 ? "minus" : null;
  return { before: before > 0 ? "plus" : null, after: after > 0 ? "plus" : null, change: moves };
}

/** The format in which different amounts before and after are displayed differently. */
const chooseStageStyle = ({ currency, style }: CurrencyFigures, { before, after }: CostDelta): MoneyStyle =>
  before === null || after === null ? style : createDistinctStyle(currency, [before, after]);

const COLUMNS = ["before", "change", "after"] as const;

/** Whether displayed amounts do not add up. */
export function isRounded(
  figures: CurrencyFigures,
  parts: readonly CostDelta[],
  total: CostDelta | null,
): boolean {
  const round = (amounts: CostDelta): readonly (Figure | null)[] => {
    const { rounded } = chooseStageStyle(figures, amounts);
    return COLUMNS.map((column) => amounts[column] && rounded(amounts[column]));
  };
  const sums = total && round(total);
  return isTableRounded(parts.map(round), sums) || (sums !== null && isTableRounded([sums], null));
}
