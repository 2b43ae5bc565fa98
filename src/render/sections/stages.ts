import { absolute, compare, type Decimal, sumKnown, ZERO } from "../../kernel/money.ts";
import type { CostDelta } from "../../report/model/facts.ts";
import type { CostLine, Report, StageReport, UsageCounts } from "../../report/model/report.ts";
import { createStageLabels } from "../../report/model/stage-label.ts";
import { sumUsage } from "../../report/usage.ts";
import { type Cell, formatCellName, formatLink } from "../escape.ts";
import type { MoneyStyle } from "../format.ts";
import {
  type CurrencyFigures,
  createDistinctStyle,
  type Figure,
  isRoundingVisible,
  listCurrencyFigures,
} from "../format.ts";
import { findExecutionAddress } from "./resources.ts";
import type { Section, Subject } from "./section.ts";

/** The displayed figures; null: unknown. */
interface FiguresView {
  readonly before: Cell | null;
  readonly after: Cell | null;
  readonly change: Cell | null;
  readonly usage: UsageView;
  /**
   * True: a part could not be estimated, so before and after are lower bounds, and the change covers only the
   * known part.
   */
  readonly isAtLeast: boolean;
}

interface StageLineView extends FiguresView {
  readonly label: Cell;
  readonly proven: boolean;
  /** True: the displayed cost is not the whole cost. */
  readonly isPartlyUnknown: boolean;
}

interface StageGroupView {
  readonly lines: readonly StageLineView[];
  readonly others: (FiguresView & { readonly count: number }) | null;
  readonly total: FiguresView | null;
  /** True: the rounded figures of the line do not add up. */
  readonly rounded: boolean;
}

/** Largest number of stages with a line of their own; the others are summed. */
const MAX_LINES = 12;

/** The section with the cost of each stage before and after, and one total per currency. */
export function buildStagesSection(subject: Subject): Section {
  const { report, pull } = subject.evaluation;
  const some = hasFigures(report);
  const isVisible = pull.figures && some;
  const lines = Math.min(MAX_LINES, report.stages.length);
  return {
    template: "stages",
    rows: isVisible ? lines : 0,
    isRequired: false,
    view: (rows) => (isVisible ? buildStagesView(subject, rows) : buildHiddenView(some)),
  };
}

/** Whether there is any amount that is shown or hidden. */
export const hasFigures = ({ stages }: Report): boolean =>
  stages.some(({ before, change, after }) => (before ?? change ?? after) !== null);

/** The view of hidden figures; null where there are no figures, because the notes state the reason. */
const buildHiddenView = (some: boolean): object | null => (some ? { isRedacted: true } : null);

interface StageGroup {
  /** Null for stages without a currency, whose source states no cost. */
  readonly figures: CurrencyFigures | null;
  readonly stages: readonly StageReport[];
}

function buildStagesView(subject: Subject, rows: number): object {
  const { report } = subject.evaluation;
  const labels = createStageLabels(report.stages);
  const label = (stage: StageReport): Cell =>
    formatLink(formatCellName(labels(stage)), findExecutionAddress(subject, stage.executionId));
  let left = rows;
  const groups = groupByCurrency(report).map((group) => {
    const view = buildStageGroupView(group, left, label);
    left -= view.lines.length;
    return view;
  });
  return { isRedacted: false, groups, rounded: groups.some((group) => group.rounded) };
}

/**
 * One group per currency. A stage of unknown currency belongs to the group of the only currency, else to a
 * last group.
 */
function groupByCurrency(report: Report): StageGroup[] {
  const groups: StageGroup[] = listCurrencyFigures(report).map((figures) => ({
    figures,
    stages: selectByCurrency(report, figures.currency),
  }));
  const [only] = groups;
  if (only !== undefined && groups.length === 1) return [{ ...only, stages: report.stages }];
  return [...groups, { figures: null, stages: selectByCurrency(report, null) }].filter(
    ({ stages }) => stages.length > 0,
  );
}

const selectByCurrency = ({ stages }: Report, currency: string | null): StageReport[] =>
  stages.filter((stage) => stage.currency === currency);

function buildStageGroupView(
  { figures, stages }: StageGroup,
  rows: number,
  label: (stage: StageReport) => Cell,
): StageGroupView {
  const { shown, folded } = selectShownStages(stages, rows);
  const others = folded.length === 0 ? null : sumStages(folded);
  const total = stages.length > 1 && figures !== null ? figures.total : null;
  const parts = [...shown, ...(others === null ? [] : [others])];
  const write = (amounts: UsedAmounts): FiguresView =>
    figures === null ? UNKNOWN_FIGURES : buildFiguresView(chooseStageStyle(figures, amounts), amounts);
  return {
    lines: shown.map((stage) => ({
      ...write({ ...stage, isAtLeast: hasLowerBounds(stage) }),
      label: label(stage),
      proven: stage.proven,
      isPartlyUnknown: stage.state === "partial",
    })),
    others: others === null ? null : { ...write(others), count: folded.length },
    total:
      total === null
        ? null
        : write({ ...total, isAtLeast: stages.some(hasLowerBounds) || hasLowerBounds(total) }),
    rounded: figures !== null && isRounded(figures, parts, total),
  };
}

type UsedAmounts = CostDelta & Pick<StageReport, "usage"> & { readonly isAtLeast?: boolean };

/**
 * The mark beside an amount for usage-based costs, which are in no amount: they are added, removed, or both.
 */
type UsageMark = "plus" | "minus" | "both" | null;
type UsageView = Readonly<Record<"before" | "after" | "change", UsageMark>>;

const NO_MARKS: UsageView = { before: null, after: null, change: null };

/** The usage marks of a line of amounts. */
function buildUsageView(usage: UsageCounts | undefined): UsageView {
  if (usage === undefined) return NO_MARKS;
  const { before, after, introduced, deleted } = usage;
  const moves = introduced > 0 ? (deleted > 0 ? "both" : "plus") : deleted > 0 ? "minus" : null;
  return { before: before > 0 ? "plus" : null, after: after > 0 ? "plus" : null, change: moves };
}

const UNKNOWN_FIGURES: FiguresView = {
  before: null,
  after: null,
  change: null,
  usage: NO_MARKS,
  isAtLeast: false,
};

/**
 * The stages with a line of their own: all in their order if they fit; else unknown ones first, then the
 * largest changes.
 */
function selectShownStages(stages: readonly StageReport[], rows: number) {
  if (stages.length <= rows) return { shown: stages, folded: [] };
  const order = [...stages].sort(byWeight);
  return { shown: order.slice(0, Math.max(0, rows)), folded: order.slice(Math.max(0, rows)) };
}

function byWeight(a: StageReport, b: StageReport): number {
  const doubt = Number(a.state === "known") - Number(b.state === "known");
  return doubt || compare(absolute(b.change ?? ZERO), absolute(a.change ?? ZERO));
}

const sumStages = (stages: readonly StageReport[]): UsedAmounts => ({
  before: sumKnown(stages.map(({ before }) => before)),
  after: sumKnown(stages.map(({ after }) => after)),
  change: sumKnown(stages.map(({ change }) => change)),
  percent: null,
  usage: sumUsage(stages),
  isAtLeast: stages.some(hasLowerBounds),
});

/**
 * Whether the cost exceeds the stated amount. False where an amount is not stated at all, because the other
 * amounts are then complete.
 */
export const hasLowerBounds = ({ state, because }: CostLine): boolean =>
  state === "partial" &&
  (because.length === 0 || because.some((reason) => reason !== "not_stated" && reason !== "not_compared"));

function buildFiguresView(style: MoneyStyle, amounts: UsedAmounts): FiguresView {
  const { before, change, after, usage, isAtLeast = false } = amounts;
  // Null where the value is unknown: also a zero that is only a lower bound.
  const formatValue = (value: Decimal | null, how: (value: Decimal) => Cell): Cell | null =>
    value === null || (isAtLeast && value === ZERO) ? null : how(value);
  return {
    before: formatValue(before, style.amount),
    after: formatValue(after, style.amount),
    change: formatValue(change, style.change),
    usage: buildUsageView(usage),
    isAtLeast,
  };
}

/** The format in which different amounts before and after are displayed differently. */
const chooseStageStyle = ({ currency, style }: CurrencyFigures, { before, after }: CostDelta): MoneyStyle =>
  before === null || after === null ? style : createDistinctStyle(currency, [before, after]);

/** Whether the displayed amounts of a line, or of a column and its total, do not add up. */
function isRounded(figures: CurrencyFigures, parts: readonly CostDelta[], total: CostDelta | null): boolean {
  const lines = parts.map((part) => roundLine(figures, part));
  const sums = total === null ? null : roundLine(figures, total);
  const all = sums === null ? lines : [...lines, sums];
  const across = all.some(({ before, change, after }) => hasRoundingGap([before, change], after));
  return (
    across ||
    (sums !== null &&
      COLUMNS.some((column) =>
        hasRoundingGap(
          lines.map((line) => line[column]),
          sums[column],
        ),
      ))
  );
}

const COLUMNS = ["before", "change", "after"] as const;
type RoundedLine = Readonly<Record<(typeof COLUMNS)[number], Figure | null>>;

function roundLine(figures: CurrencyFigures, amounts: CostDelta): RoundedLine {
  const { rounded } = chooseStageStyle(figures, amounts);
  const figure = (value: Decimal | null): Figure | null => (value === null ? null : rounded(value));
  return {
    before: figure(amounts.before),
    change: figure(amounts.change),
    after: figure(amounts.after),
  };
}

/**
 * Whether displayed parts do not add up to the displayed total. With an unknown amount there is nothing to
 * compare.
 */
function hasRoundingGap(parts: readonly (Figure | null)[], total: Figure | null): boolean {
  const known = parts.filter((part) => part !== null);
  return total !== null && known.length === parts.length && isRoundingVisible(known, total);
}
