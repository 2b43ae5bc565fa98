import { absolute, compare, type Decimal, sumKnown, ZERO } from "../../kernel/money.ts";
import type { CostDelta } from "../../report/model/facts.ts";
import type { CostLine, Report, StageReport } from "../../report/model/report.ts";
import { createStageLabels } from "../../report/model/stage-label.ts";
import { sumUsage } from "../../report/usage/usage-counts.ts";
import { type CurrencyFigures, listCurrencyFigures } from "../format/figures.ts";
import type { MoneyStyle } from "../format/money.ts";
import { type Cell, cellName, linked } from "../markup/escape.ts";
import { executionAddress } from "./addresses.ts";
import type { Section, Subject } from "./section.ts";
import { chooseStageStyle, isRounded } from "./stage-rounding.ts";
import { NO_MARKS, type UsageView, usageView } from "./usage-mark.ts";

/** Null: not known. */
interface FiguresView {
  readonly before: Cell | null;
  readonly after: Cell | null;
  readonly change: Cell | null;
  readonly usage: UsageView;
  /** Part of it could not be estimated: before and after are at least this, the change is what is known of it. */
  readonly leastOnly: boolean;
}

interface LineView extends FiguresView {
  readonly label: Cell;
  readonly proven: boolean;
  /** What is shown is not all of its cost. */
  readonly partly: boolean;
}

interface GroupView {
  readonly lines: readonly LineView[];
  readonly others: (FiguresView & { readonly count: number }) | null;
  readonly total: FiguresView | null;
  /** As they are rounded, its figures do not add up. */
  readonly rounded: boolean;
}

/** Stages that get a line of their own when there is room; the rest is summed. */
const LINES = 12;

/** What each stage costs before and after, with one total per currency. */
export function stagesSection(subject: Subject): Section {
  const { report, pull } = subject.evaluation;
  const some = hasFigures(report);
  const shown = pull.figures && some;
  const lines = Math.min(LINES, report.stages.length);
  return {
    template: "stages",
    rows: shown ? lines : 0,
    keep: false,
    view: (rows) => (shown ? stagesView(subject, rows) : hiddenView(some)),
  };
}

/** Whether there is any amount to be shown, or to be hidden. */
export const hasFigures = ({ stages }: Report): boolean =>
  stages.some(({ before, change, after }) => (before ?? change ?? after) !== null);

/** That there are figures and that they are hidden is said; where there are none, the notes say why. */
const hiddenView = (some: boolean): object | null => (some ? { hidden: true } : null);

interface Group {
  /** Null for stages whose source states no currency because it states nothing. */
  readonly figures: CurrencyFigures | null;
  readonly stages: readonly StageReport[];
}

function stagesView(subject: Subject, rows: number): object {
  const { report } = subject.evaluation;
  const labels = createStageLabels(report.stages);
  const label = (stage: StageReport): Cell =>
    linked(cellName(labels(stage)), executionAddress(subject, stage.executionId));
  let left = rows;
  const groups = groupByCurrency(report).map((group) => {
    const view = groupView(group, left, label);
    left -= view.lines.length;
    return view;
  });
  return { hidden: false, groups, rounded: groups.some((group) => group.rounded) };
}

/** One group per currency. A stage of unknown currency stands with the others of the only currency, else in a last group. */
function groupByCurrency(report: Report): Group[] {
  const groups: Group[] = listCurrencyFigures(report).map((figures) => ({
    figures,
    stages: ofCurrency(report, figures.currency),
  }));
  const [only] = groups;
  if (only !== undefined && groups.length === 1) return [{ ...only, stages: report.stages }];
  return [...groups, { figures: null, stages: ofCurrency(report, null) }].filter(
    ({ stages }) => stages.length > 0,
  );
}

const ofCurrency = ({ stages }: Report, currency: string | null): StageReport[] =>
  stages.filter((stage) => stage.currency === currency);

function groupView({ figures, stages }: Group, rows: number, label: (stage: StageReport) => Cell): GroupView {
  const { shown, folded } = pick(stages, rows);
  const others = folded.length === 0 ? null : sumStages(folded);
  const total = stages.length > 1 && figures !== null ? figures.total : null;
  const parts = [...shown, ...(others === null ? [] : [others])];
  const write = (amounts: UsedAmounts): FiguresView =>
    figures === null ? UNKNOWN : figuresView(chooseStageStyle(figures, amounts), amounts);
  return {
    lines: shown.map((stage) => ({
      ...write({ ...stage, leastOnly: isLeast(stage) }),
      label: label(stage),
      proven: stage.proven,
      partly: stage.state === "partial",
    })),
    others: others === null ? null : { ...write(others), count: folded.length },
    total: total === null ? null : write({ ...total, leastOnly: stages.some(isLeast) || isLeast(total) }),
    rounded: figures !== null && isRounded(figures, parts, total),
  };
}

type UsedAmounts = CostDelta & Pick<StageReport, "usage"> & { readonly leastOnly?: boolean };

const UNKNOWN: FiguresView = {
  before: null,
  after: null,
  change: null,
  usage: NO_MARKS,
  leastOnly: false,
};

/** All in their own order while they fit; else those that matter: first what is not known, then the largest changes. */
function pick(stages: readonly StageReport[], rows: number) {
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
  leastOnly: stages.some(isLeast),
});

/** Whether more costs than is stated; where an amount is not stated at all, the others are whole. */
const isLeast = ({ state, because }: CostLine): boolean =>
  state === "partial" && (because.length === 0 || because.some((reason) => reason !== "not_stated"));

function figuresView(style: MoneyStyle, amounts: UsedAmounts): FiguresView {
  const { before, change, after, usage, leastOnly = false } = amounts;
  // Of nothing that is known, and something that is not, nothing is known.
  const written = (value: Decimal | null, how: (value: Decimal) => Cell): Cell | null =>
    value === null || (leastOnly && value === ZERO) ? null : how(value);
  return {
    before: written(before, style.amount),
    after: written(after, style.amount),
    change: written(change, style.change),
    usage: usageView(usage),
    leastOnly,
  };
}
