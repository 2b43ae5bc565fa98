import { compare, type Decimal, decimal, minus, sum, toPlaces, ZERO } from "../../kernel/money.ts";
import type { Report, ResourceReport } from "../../report/report.ts";
import { type Cell, cellName } from "../escape.ts";
import { type CurrencyFigures, figuresOf } from "../figures.ts";
import { apportion } from "../format/apportion.ts";
import { vanishes } from "../format/money.ts";
import { type AttributesView, attributesView } from "./attributes.ts";
import { hasModules } from "./modules.ts";
import type { Section, Subject } from "./section.ts";
import { workspaceLabels } from "./workspace-label.ts";

interface LineView extends AttributesView {
  readonly label: Cell;
  readonly change: Cell;
  readonly action: ResourceReport["action"];
  readonly usageBased: boolean;
  readonly stage: Cell | null;
}

/** Sums what is not listed, so that the lines add up to the total. */
interface OthersView {
  readonly count: number;
  /** Null: not known. */
  readonly change: Cell | null;
  /** The smallest amount that is written, when the others come to less than that and not to nothing. */
  readonly under: Cell | null;
}

interface GroupView {
  readonly lines: readonly LineView[];
  readonly others: OthersView | null;
}

const RESOURCES = 50;
/** Up to this many resources are shown openly, more are folded away. */
const OPEN = 5;

/** Resources whose cost changes, largest first, with what happens to each. */
export function resourcesSection(subject: Subject): Section {
  const { report, pull } = subject.evaluation;
  const count = report.resources.length;
  const told = pull.figures && count > 0;
  const alone = !hasModules(subject) || !followsModules(subject);
  return {
    template: "resources",
    rows: told ? Math.min(RESOURCES, count) : 0,
    keep: false,
    view: (rows) => {
      const groups = told ? groupsOf(report, rows) : [];
      if (groups.length === 0) return null;
      const shown = groups.reduce((sum, { lines }) => sum + lines.length, 0);
      return { groups, alone, open: alone && count <= OPEN, some: shown < count, shown, count };
    },
  };
}

/** Right below the modules the resources need no heading of their own. */
function followsModules({ evaluation: { sections } }: Subject): boolean {
  if (sections === null) return true;
  return sections.includes("modules") && sections.indexOf("resources") === sections.indexOf("modules") + 1;
}

function groupsOf(report: Report, rows: number): readonly GroupView[] {
  const stage = workspaceLabels(report);
  let left = rows;
  const groups = figuresOf(report).map((figures) => {
    const own = report.resources.filter(({ currency }) => currency === figures.currency);
    const view = groupView({ figures, own, rows: left, stage });
    left -= view.lines.length;
    return view;
  });
  return groups.filter(({ lines }) => lines.length > 0);
}

interface Group {
  readonly figures: CurrencyFigures;
  /** Largest absolute change first. */
  readonly own: readonly ResourceReport[];
  readonly rows: number;
  readonly stage: (workspace: string) => string | null;
}

function groupView({ figures, own, rows, stage }: Group): GroupView {
  const changed = own.flatMap((resource) => {
    const { change } = resource;
    return change === null || compare(change, ZERO) === 0 ? [] : [{ resource, change }];
  });
  const still = own.filter(({ change }) => change === ZERO).length;
  const seen = changed.slice(0, Math.max(0, rows)).filter(({ change }) => !vanishes(change, figures.places));
  const { shown, rest, written } = settled(figures, seen);
  return {
    lines: shown.map(({ resource, change }, index) =>
      lineView(resource, figures.style.change(written.changes[index] ?? change), stage),
    ),
    others: othersView({ figures, count: own.length - still - shown.length, rest, written: written.rest }),
  };
}

interface Changed {
  readonly resource: ResourceReport;
  readonly change: Decimal;
}

interface Settled {
  readonly shown: readonly Changed[];
  /** What the total holds beyond them; null: not known. */
  readonly rest: Decimal | null;
  readonly written: { readonly changes: readonly Decimal[]; readonly rest: Decimal | null };
}

/** What is shown, as it is written. What rounding for the sum would show as no change is left to the rest. */
function settled(figures: CurrencyFigures, seen: readonly Changed[]): Settled {
  const exact = seen.map(({ change }) => change);
  const rest = figures.total.change === null ? null : minus(figures.total.change, sum(exact));
  const written = write(figures, exact, rest);
  const visible = seen.filter((_, index) => written.changes[index] !== ZERO);
  return visible.length === seen.length ? { shown: seen, rest, written } : settled(figures, visible);
}

function lineView(resource: ResourceReport, change: Cell, stage: Group["stage"]): LineView {
  const { address, workspace, action, usageBased, changedAttributes } = resource;
  const label = stage(workspace);
  return {
    label: cellName(address),
    change,
    action,
    usageBased,
    stage: label === null ? null : cellName(label),
    ...attributesView(changedAttributes, action),
  };
}

/** Rounds the lines and the rest so that they add up to the total as it is shown elsewhere. */
function write({ total, places }: CurrencyFigures, changes: readonly Decimal[], rest: Decimal | null) {
  if (rest === null || total.change === null) return { changes, rest };
  const rounded = apportion([...changes, rest], decimal(toPlaces(total.change, places)), places);
  return { changes: rounded.slice(0, -1), rest: rounded.at(-1) ?? rest };
}

interface Others {
  readonly figures: CurrencyFigures;
  readonly count: number;
  readonly rest: Decimal | null;
  readonly written: Decimal | null;
}

function othersView({ figures, count, rest, written }: Others): OthersView | null {
  const nothing = rest === null || rest === ZERO;
  if (count === 0 && nothing) return null;
  const tiny = !nothing && written === ZERO;
  return {
    count,
    change: written === null || tiny ? null : figures.style.change(written),
    under: tiny ? figures.style.amount(smallest(figures.places)) : null,
  };
}

const smallest = (places: number): Decimal => decimal(places === 0 ? "1" : `0.${"1".padStart(places, "0")}`);
