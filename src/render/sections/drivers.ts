import { compare, type Decimal, minus, sum, ZERO } from "../../kernel/money.ts";
import type { ModuleReport, Report, ResourceReport } from "../../report/report.ts";
import { type Cell, cellName } from "../escape.ts";
import { type CurrencyFigures, figuresOf } from "../figures.ts";
import { addUp, type Row } from "../format/add-up.ts";
import { countText } from "../format/count.ts";
import { vanishes } from "../format/money.ts";
import type { Section, Subject } from "./section.ts";
import { workspaceLabels } from "./workspace-label.ts";

/** A part of the change: a module or a resource. `others` sums what is not listed, so that the lines add up to the total. */
interface LineView {
  readonly label: Cell;
  readonly change: Cell;
  readonly action: string | null;
  readonly stage: Cell | null;
  /** What cannot be laid at any module's door. */
  readonly unattributed: boolean;
}

interface OthersView {
  readonly count: number;
  readonly countText: Cell;
  /** Null: not known. */
  readonly change: Cell | null;
  /** The smallest amount that is written, when the others come to less than that and not to nothing. */
  readonly under: Cell | null;
}

interface GroupView {
  readonly lines: readonly LineView[];
  readonly others: OthersView | null;
}

interface Part {
  readonly currency: string | null;
  readonly change: Decimal | null;
}

const MODULES = 10;
const RESOURCES = 50;
/** Up to this many resources are shown openly, more are folded away. */
const OPEN = 5;

export function modulesSection({ evaluation: { report, pull } }: Subject): Section {
  const parts = modulesOf(report);
  const told = pull.figures && parts.length > 1;
  const because =
    pull.figures && report.totals.length > 0 ? report.modulesBecause.map((reason) => ({ reason })) : [];
  const line = ({ module, unattributed }: ModuleReport): Omit<LineView, "change"> => ({
    label: cellName(module),
    action: null,
    stage: null,
    unattributed,
  });
  return {
    template: "modules",
    rows: told ? Math.min(MODULES, parts.length) : 0,
    keep: false,
    view: (rows) => {
      const table = told ? tableView({ report, parts, line }, rows) : null;
      return table === null && because.length === 0 ? null : { groups: table?.groups ?? [], because };
    },
  };
}

/** Without the rest that belongs to no module, where it is not known how large it is. */
const modulesOf = ({ modules }: Report): readonly ModuleReport[] =>
  modules.filter(({ unattributed, change }) => !unattributed || change !== null);

export function resourcesSection({ evaluation: { report, pull } }: Subject): Section {
  const told = pull.figures && report.resources.length > 0;
  const stage = workspaceLabels(report);
  const line = (resource: ResourceReport): Omit<LineView, "change"> => {
    const label = stage(resource.workspace);
    return {
      label: cellName(resource.address),
      action: resource.action,
      stage: label === null ? null : cellName(label),
      unattributed: false,
    };
  };
  const alone = modulesOf(report).length <= 1;
  const open = alone && report.resources.length <= OPEN;
  return {
    template: "resources",
    rows: told ? Math.min(RESOURCES, report.resources.length) : 0,
    keep: false,
    view: (rows) => {
      const table = told ? tableView({ report, parts: report.resources, line }, rows) : null;
      if (table === null) return null;
      const shown = table.groups.reduce((count, { lines }) => count + lines.length, 0);
      const all = report.resources.length;
      return { ...table, alone, open, some: shown < all, shown, count: all };
    },
  };
}

interface Source<P extends Part> {
  readonly report: Report;
  /** Largest absolute change first. */
  readonly parts: readonly P[];
  readonly line: (part: P) => Omit<LineView, "change">;
}

function tableView<P extends Part>(source: Source<P>, rows: number): { groups: readonly GroupView[] } | null {
  let left = rows;
  const groups = figuresOf(source.report).map((figures) => {
    const view = groupView(source, figures, left);
    left -= view.lines.length;
    return view;
  });
  const told = groups.filter(({ lines }) => lines.length > 0);
  return told.length === 0 ? null : { groups: told };
}

function groupView<P extends Part>(source: Source<P>, figures: CurrencyFigures, rows: number): GroupView {
  const own = source.parts.filter(({ currency }) => currency === figures.currency);
  const known = own.flatMap((part) => (part.change === null ? [] : [{ part, change: part.change }]));
  const changed = known.filter(({ change }) => compare(change, ZERO) !== 0);
  const shown = changed.slice(0, Math.max(0, rows)).filter(({ change }) => !vanishes(change, figures.places));
  const count = changed.length - shown.length + own.length - known.length;
  const changes = shown.map(({ change }) => change);
  const rest = figures.total.change === null ? null : minus(figures.total.change, sum(changes));
  const written = write(figures, changes, rest);
  return {
    lines: shown.map(({ part, change }, index) => ({
      ...source.line(part),
      change: written.changes[index] ?? figures.style.change(change),
    })),
    others: othersView({ figures, count, rest, written: written.rest }),
  };
}

/** Rounds the lines and the rest so that they add up to the total as it is shown elsewhere. */
function write(figures: CurrencyFigures, changes: readonly Decimal[], rest: Decimal | null) {
  const total = figures.total.change;
  const table =
    rest === null || total === null
      ? null
      : addUp({ rows: [...changes, rest].map(onlyChange), total: onlyChange(total) }, figures.places);
  const rounded = table?.rows.map(({ change }) => change);
  return {
    changes: (rounded?.slice(0, -1) ?? changes).map(figures.style.change),
    rest: rounded?.at(-1) ?? rest,
  };
}

const onlyChange = (change: Decimal): Row => ({ previous: ZERO, change, current: change });

interface Others {
  readonly figures: CurrencyFigures;
  readonly count: number;
  readonly rest: Decimal | null;
  readonly written: Decimal | null;
}

function othersView({ figures, count, rest, written }: Others): OthersView | null {
  const nothing = rest === null || compare(rest, ZERO) === 0;
  if (count === 0 && nothing) return null;
  const tiny = !nothing && written !== null && compare(written, ZERO) === 0;
  return {
    count,
    countText: countText(count),
    change: written === null || tiny ? null : figures.style.change(written),
    under: tiny ? figures.style.amount(smallest(figures.places)) : null,
  };
}

const smallest = (places: number): Decimal =>
  (places === 0 ? "1" : `0.${"1".padStart(places, "0")}`) as Decimal; // written canonically
