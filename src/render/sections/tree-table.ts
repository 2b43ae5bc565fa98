import { type Decimal, minus, sum, ZERO } from "../../kernel/money.ts";
import { isNothing, type PartNode } from "../../report/modules/module-tree.ts";
import type { CurrencyFigures } from "../format/figures.ts";
import type { Figure, MoneyStyle } from "../format/money.ts";
import { roundsAway } from "../format/rounding.ts";
import type { Cell } from "../markup/escape.ts";

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
  /** Null: nothing. */
  readonly cells: readonly (Cell | null)[];
}

export interface Tree {
  readonly lines: readonly TreeLine[];
  /** As they are rounded, the lines of some level do not add up to the line above them, or a line across. */
  readonly rounded: boolean;
}

/** Lines of a level: at first the outermost, then so many inside each. */
const OUTER = 10;
const INNER = 5;
/** Parts deeper than this are summed in the one that holds them. */
const DEPTH = 3;

/** The tree in at most `rows` parts, largest first. Exactly, the lines of every level add up to the line above them. */
export function buildTree(source: TreeSource, rows: number): Tree {
  const shown = choose(source, rows);
  const { nodes, unknown, totals } = source;
  const level = {
    path: [],
    depth: 0,
    own: null,
    nodes,
    unknown,
    inside: shown.get(null) ?? [],
    total: totals,
  };
  return levelOf({ figures: source.figures, shown }, level);
}

type VisibleNodes = ReadonlyMap<PartNode | null, readonly PartNode[]>;

/** Which parts are shown inside which (`null`: outermost): a whole level before the next one. */
function choose({ nodes }: TreeSource, rows: number): VisibleNodes {
  const shown = new Map<PartNode | null, readonly PartNode[]>();
  let level: readonly (PartNode | null)[] = [null];
  let left = rows;
  for (let depth = 0; depth < DEPTH && left > 0; depth += 1) {
    const next: PartNode[] = [];
    for (const outer of level) {
      const inside = outer?.children ?? nodes;
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
  /** Those of `nodes` that are shown. */
  readonly inside: readonly PartNode[];
  /** The line above this level; null: not known. */
  readonly total: readonly Decimal[] | null;
}

interface TreeInput {
  readonly figures: CurrencyFigures;
  readonly shown: VisibleNodes;
}

function levelOf(drawing: TreeInput, { path, depth, inside, total, ...level }: Level): Tree {
  if (inside.length === 0) return { lines: [], rounded: false };
  const own = level.own === null || isNothing(level.own) ? [] : [level.own];
  const named = [...inside.map(({ cells }) => cells), ...own];
  const rest = total === null ? null : named.reduce(without, total);
  const line = lineWriter(drawing.figures);
  const parts = inside.map((node) => partOf(drawing, node, depth));
  const count = level.nodes.length - inside.length + level.unknown;
  const isAll = count === 0 && rest !== null && isNothing(rest);
  return {
    lines: [
      ...parts.flatMap(({ lines }) => lines),
      ...own.map((cells) => line({ kind: "own", depth, path, count: 0 }, cells)),
      ...(isAll ? [] : [line({ kind: "others", depth, path, count }, rest)]),
    ],
    rounded:
      parts.some(({ rounded }) => rounded) ||
      isRounded(drawing.figures.style, rest === null ? named : [...named, rest], total),
  };
}

function partOf(drawing: TreeInput, node: PartNode, depth: number): Tree {
  const { path, own, cells, children: nodes } = node;
  const head = lineWriter(drawing.figures)({ kind: "part", depth, path, count: 0 }, cells);
  const inside = drawing.shown.get(node) ?? [];
  const below = levelOf(drawing, { path, depth: depth + 1, own, nodes, unknown: 0, inside, total: cells });
  return { lines: [head, ...below.lines], rounded: below.rounded };
}

const without = (whole: readonly Decimal[], part: readonly Decimal[]): readonly Decimal[] =>
  whole.map((cell, index) => minus(cell, part[index] ?? ZERO));

type TreePosition = Pick<TreeLine, "kind" | "depth" | "path" | "count">;

const lineWriter =
  ({ style }: CurrencyFigures) =>
  (place: TreePosition, cells: readonly Decimal[] | null): TreeLine => ({
    ...place,
    change: cells === null ? null : style.change(sum(cells)),
    cells:
      cells === null || cells.length === 1
        ? []
        : cells.map((cell) => (cell === ZERO ? null : style.change(cell))),
  });

/** Whether a line across does not add up as it is shown, or a column down to the line above it. */
function isRounded(
  { rounded }: MoneyStyle,
  lines: readonly (readonly Decimal[])[],
  total: readonly Decimal[] | null,
): boolean {
  const whole = (cells: readonly Decimal[]): Figure => rounded(sum(cells));
  if (lines.some((cells) => roundsAway(cells.map(rounded), whole(cells)))) return true;
  if (total === null) return false;
  const down = (cell: (cells: readonly Decimal[]) => Figure): boolean =>
    roundsAway(lines.map(cell), cell(total));
  return down(whole) || total.some((_, column) => down((cells) => rounded(cells[column] ?? ZERO)));
}
