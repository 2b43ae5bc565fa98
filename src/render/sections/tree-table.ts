import { type Decimal, decimal, minus, sum, toPlaces, ZERO } from "../../kernel/money.ts";
import { isNothing, type PartNode, weightOf } from "../../report/modules/module-tree.ts";
import type { Cell } from "../escape.ts";
import type { CurrencyFigures } from "../figures.ts";
import { apportion } from "../format/apportion.ts";
import { vanishes } from "../format/money.ts";

/** Parts as they nest, and what they come to in each column. */
export interface TreeSource {
  readonly figures: CurrencyFigures;
  readonly nodes: readonly PartNode[];
  /** Of all parts, column by column; null: not known. */
  readonly totals: readonly Decimal[] | null;
  /** Parts of which it is not known what they change. */
  readonly unknown: number;
}

/** One line. `own`: what a part changes by itself; `others`: the parts of its level that are not shown, `count` of them. */
export interface TreeLine {
  readonly kind: "part" | "own" | "others";
  /** 0 for the outermost parts. */
  readonly depth: number;
  readonly path: readonly string[];
  readonly count: number;
  /** All columns together; null: not known. */
  readonly change: Cell | null;
  /** The smallest amount that is written, when this comes to less than that and not to nothing. */
  readonly under: Cell | null;
  /** Null: nothing. */
  readonly cells: readonly (Cell | null)[];
}

/** Lines of a level: at first the outermost, then so many inside each. */
const OUTER = 10;
const INNER = 5;
/** Parts deeper than this are summed in the one that holds them. */
const DEPTH = 3;

/** The tree in at most `rows` parts, largest first; the lines of every level add up to the line above them. */
export function treeLines(source: TreeSource, rows: number): readonly TreeLine[] {
  const shown = choose(source, rows);
  const outer = shown.get(null) ?? [];
  if (outer.length === 0) return [];
  const { nodes, unknown } = source;
  return levelLines({ source, shown }, { path: [], depth: 0, own: null, nodes, unknown, parent: null });
}

type Shown = ReadonlyMap<PartNode | null, readonly PartNode[]>;

/** Which parts are shown inside which (`null`: outermost): a whole level before the next one. */
function choose({ nodes, figures }: TreeSource, rows: number): Shown {
  const isSeen = ({ cells }: PartNode): boolean => !vanishes(weightOf(cells), figures.places);
  const shown = new Map<PartNode | null, readonly PartNode[]>();
  let level: readonly (PartNode | null)[] = [null];
  let left = rows;
  for (let depth = 0; depth < DEPTH && left > 0; depth += 1) {
    const next: PartNode[] = [];
    for (const outer of level) {
      const inside = (outer?.children ?? nodes).filter(isSeen);
      const some = inside.slice(0, Math.min(left, depth === 0 ? OUTER : INNER));
      left -= some.length;
      shown.set(outer, some);
      next.push(...some.filter(({ children }) => children.length > 0));
    }
    level = next;
  }
  return shown;
}

interface Level {
  readonly path: readonly string[];
  readonly depth: number;
  /** What the part around this level changes by itself. */
  readonly own: readonly Decimal[] | null;
  readonly nodes: readonly PartNode[];
  /** Parts beside `nodes` of which it is not known what they change. */
  readonly unknown: number;
  /** Null: outermost. */
  readonly parent: WrittenNode | null;
}

/** A part with its cells as they are written. */
interface WrittenNode {
  readonly node: PartNode;
  readonly written: readonly Decimal[];
}

interface Drawing {
  readonly source: TreeSource;
  readonly shown: Shown;
}

function levelLines(drawing: Drawing, level: Level): readonly TreeLine[] {
  const { source, shown } = drawing;
  const { inside, own, rest, written } = settled(source, level, shown.get(level.parent?.node ?? null) ?? []);
  if (inside.length === 0) return [];
  const { depth, path } = level;
  const line = lineWriter(source.figures);
  const parts = inside.flatMap((node, index) =>
    partLines(drawing, { node, written: written.named[index] ?? node.cells }, depth),
  );
  const ownLines = own.map((cells) =>
    line({ kind: "own", depth, path, count: 0 }, written.named.at(-1) ?? cells),
  );
  const count = level.nodes.length - inside.length + level.unknown;
  const others = othersLine({ depth, path, count, exact: rest, written: written.rest }, source.figures);
  return [...parts, ...ownLines, ...others];
}

/** The parts of a level, as they are written. What rounding for the sum would show as no change is left to the rest. */
function settled(source: TreeSource, level: Level, inside: readonly PartNode[]): Settled {
  const own = level.own === null || isNothing(level.own) ? [] : [level.own];
  const named = [...inside.map(({ cells }) => cells), ...own];
  const exact = level.parent === null ? source.totals : level.parent.node.cells;
  const rest = exact === null ? null : named.reduce(without, exact);
  const written = write(source, { named, rest, total: level.parent?.written ?? roundedTotals(source) });
  const visible = inside.filter((_, index) => !isNothing(written.named[index] ?? []));
  return visible.length === inside.length ? { inside, own, rest, written } : settled(source, level, visible);
}

interface Settled {
  readonly inside: readonly PartNode[];
  /** What the part around them changes by itself; empty: nothing. */
  readonly own: readonly (readonly Decimal[])[];
  readonly rest: readonly Decimal[] | null;
  readonly written: Pick<Exact, "named" | "rest">;
}

function partLines(drawing: Drawing, { node, written }: WrittenNode, depth: number): readonly TreeLine[] {
  const { path, own, children: nodes } = node;
  const head = lineWriter(drawing.source.figures)({ kind: "part", depth, path, count: 0 }, written);
  const below = { path, depth: depth + 1, own, nodes, unknown: 0, parent: { node, written } };
  return [head, ...levelLines(drawing, below)];
}

const without = (whole: readonly Decimal[], part: readonly Decimal[]): readonly Decimal[] =>
  whole.map((cell, index) => minus(cell, part[index] ?? ZERO));

/** The columns' totals as they are written: together they are the total of the headline. */
function roundedTotals({ figures, totals }: TreeSource): readonly Decimal[] | null {
  if (totals === null) return null;
  return apportion(totals, decimal(toPlaces(sum(totals), figures.places)), figures.places);
}

interface Exact {
  readonly named: readonly (readonly Decimal[])[];
  readonly rest: readonly Decimal[] | null;
  readonly total: readonly Decimal[] | null;
}

/** Rounds each column so that its lines add up; where the total is not known, each amount by itself. */
function write({ figures }: TreeSource, { named, rest, total }: Exact) {
  if (rest === null || total === null) return { named, rest };
  const lines = [...named, rest];
  const columns = total.map((cell, column) =>
    apportion(
      lines.map((line) => line[column] ?? ZERO),
      cell,
      figures.places,
    ),
  );
  const written = lines.map((_, index) => columns.map((column) => column[index] ?? ZERO));
  return { named: written.slice(0, -1), rest: written.at(-1) ?? null };
}

type Place = Pick<TreeLine, "kind" | "depth" | "path" | "count">;

const lineWriter =
  ({ style }: CurrencyFigures) =>
  (place: Place, cells: readonly Decimal[]): TreeLine => ({
    ...place,
    change: style.change(sum(cells)),
    under: null,
    cells: cells.length > 1 ? cells.map((cell) => (cell === ZERO ? null : style.change(cell))) : [],
  });

interface Others {
  readonly depth: number;
  readonly path: readonly string[];
  readonly count: number;
  readonly exact: readonly Decimal[] | null;
  readonly written: readonly Decimal[] | null;
}

function othersLine({ exact, written, ...place }: Others, figures: CurrencyFigures): readonly TreeLine[] {
  if (place.count === 0 && exact !== null && isNothing(exact)) return [];
  const kind = "others" as const;
  if (exact === null || written === null) {
    return [{ ...place, kind, change: null, under: null, cells: [] }];
  }
  const line = lineWriter(figures)({ ...place, kind }, written);
  const isTiny = isNothing(written) && !isNothing(exact);
  return [isTiny ? { ...line, change: null, under: figures.style.amount(smallest(figures.places)) } : line];
}

const smallest = (places: number): Decimal => decimal(places === 0 ? "1" : `0.${"1".padStart(places, "0")}`);
