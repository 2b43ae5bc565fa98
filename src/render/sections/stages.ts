import { absolute, compare, type Decimal, sumKnown, toPlaces, ZERO } from "../../kernel/money.ts";
import type { Amounts } from "../../report/facts.ts";
import type { Report, StageReport } from "../../report/report.ts";
import { stageLabels } from "../../report/stages/stage-label.ts";
import { type Cell, cellName } from "../escape.ts";
import { type CurrencyFigures, figuresOf } from "../figures.ts";
import { addUpFrom, type Row, type Table } from "../format/add-up.ts";
import { type MoneyStyle, moneyStyle } from "../format/money.ts";
import type { Section, Subject } from "./section.ts";

/** Null: not known. */
interface FiguresView {
  readonly previous: Cell | null;
  readonly current: Cell | null;
  readonly change: Cell | null;
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
  /** A figure was rounded otherwise than by itself, so that the lines add up. */
  readonly rounded: boolean;
}

/** Stages that get a line of their own when there is room; the rest is summed. */
const LINES = 12;

/** What each stage costs before and after, with one total per currency; the lines add up to it. */
export function stagesSection({ evaluation }: Subject): Section {
  const { report, pull } = evaluation;
  const some = hasFigures(report);
  const shown = pull.figures && some;
  const lines = Math.min(LINES, report.stages.length);
  return {
    template: "stages",
    rows: shown ? lines : 0,
    keep: false,
    view: (rows) => (shown ? stagesView(report, rows) : hiddenView(some)),
  };
}

/** Whether there is any amount to be shown, or to be hidden. */
export const hasFigures = ({ stages }: Report): boolean =>
  stages.some(({ previous, change, current }) => (previous ?? change ?? current) !== null);

/** That there are figures and that they are hidden is said; where there are none, the notes say why. */
const hiddenView = (some: boolean): object | null => (some ? { hidden: true } : null);

interface Group {
  /** Null for stages whose source states no currency because it states nothing. */
  readonly figures: CurrencyFigures | null;
  readonly stages: readonly StageReport[];
}

function stagesView(report: Report, rows: number): object {
  const label = stageLabels(report.stages);
  let left = rows;
  const groups = groupsOf(report).map((group) => {
    const view = groupView(group, left, label);
    left -= view.lines.length;
    return view;
  });
  return { hidden: false, groups, rounded: groups.some((group) => group.rounded) };
}

/** One group per currency. A stage of unknown currency stands with the others of the only currency, else in a last group. */
function groupsOf(report: Report): Group[] {
  const groups: Group[] = figuresOf(report).map((figures) => ({
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

function groupView(
  { figures, stages }: Group,
  rows: number,
  label: (stage: StageReport) => string,
): GroupView {
  const { shown, folded } = pick(stages, rows);
  const others = folded.length === 0 ? null : sumOf(folded);
  const written = write(figures, shown, others);
  return {
    lines: shown.map((stage, index) => ({
      ...(written.lines[index] ?? UNKNOWN),
      label: cellName(label(stage)),
      proven: stage.proven,
      partly: stage.state === "partial",
    })),
    others: folded.length === 0 ? null : { ...written.others, count: folded.length },
    total: stages.length > 1 && figures !== null ? written.total : null,
    rounded: written.rounded,
  };
}

const UNKNOWN: FiguresView = { previous: null, current: null, change: null };

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

const sumOf = (stages: readonly Amounts[]): Amounts => ({
  previous: sumKnown(stages.map(({ previous }) => previous)),
  current: sumKnown(stages.map(({ current }) => current)),
  change: sumKnown(stages.map(({ change }) => change)),
  percent: null,
});

interface Written {
  readonly lines: readonly FiguresView[];
  readonly others: FiguresView;
  readonly total: FiguresView;
  readonly rounded: boolean;
}

/** Writes the lines so that they add up; where the exact figures do not (something is unknown or contradicts itself), each by itself. */
function write(
  figures: CurrencyFigures | null,
  stages: readonly StageReport[],
  others: Amounts | null,
): Written {
  if (figures === null) {
    return { lines: stages.map(() => UNKNOWN), others: UNKNOWN, total: UNKNOWN, rounded: false };
  }
  const { total, places } = figures;
  const proven = stages.filter((stage) => stage.proven);
  const parts = [...proven, ...(others === null ? [] : [others])];
  const table = completeTable(parts, total);
  const added = table === null ? null : addUpFrom(table, places);
  const style = added === null ? figures.style : moneyStyle(figures.currency, added.places);
  const rounded = new Map<Amounts, Row>(
    parts.flatMap((part, index) => entry(part, added?.table.rows[index])),
  );
  const view = (amounts: Amounts): FiguresView => figuresView(style, rounded.get(amounts) ?? amounts);
  return {
    lines: stages.map(view),
    others: others === null ? UNKNOWN : view(others),
    total: figuresView(style, added?.table.total ?? total),
    rounded: table !== null && added !== null && differs(table, added.table, added.places),
  };
}

function differs(exact: Table, shown: Table, places: number): boolean {
  const texts = ({ rows, total }: Table): string =>
    [...rows, total]
      .map((row) => [row.previous, row.change, row.current].map((v) => toPlaces(v, places)).join())
      .join();
  return texts(exact) !== texts(shown);
}

const entry = (part: Amounts, row: Row | undefined): [Amounts, Row][] =>
  row === undefined ? [] : [[part, row]];

function completeTable(parts: readonly Amounts[], total: Amounts): { rows: Row[]; total: Row } | null {
  const rows = parts.flatMap(completeRow);
  const [sum] = completeRow(total);
  return sum === undefined || rows.length < parts.length ? null : { rows, total: sum };
}

function completeRow({ previous, change, current }: Amounts): Row[] {
  return previous === null || change === null || current === null ? [] : [{ previous, change, current }];
}

function figuresView(
  style: MoneyStyle,
  { previous, change, current }: Omit<Amounts, "percent">,
): FiguresView {
  const written = (value: Decimal | null, how: (value: Decimal) => Cell): Cell | null =>
    value === null ? null : how(value);
  return {
    previous: written(previous, style.amount),
    current: written(current, style.amount),
    change: written(change, style.change),
  };
}
