import { type Decimal, minus, sum, ZERO } from "../../kernel/money.ts";
import { areCellsZero, type PartNode } from "../../report/module-tree.ts";
import type { Cell } from "../escape.ts";
import type { CurrencyFigures, Figure, MoneyStyle } from "../format.ts";
import { isRoundingVisible } from "../format.ts";

/** The tree of parts, and the totals of each column. */
export interface TreeSource {
  readonly figures: CurrencyFigures;
  readonly nodes: readonly PartNode[];
  /** The totals of all parts, column by column; null: unknown. */
  readonly totals: readonly Decimal[] | null;
  /** Number of parts with an unknown change. */
  readonly unknown: number;
}

/** One line. `own`: a part's own change; `others`: the `count` parts of its level that are not shown. */
export interface TreeLine {
  readonly kind: "part" | "own" | "others";
  /** 0 for the outermost parts. */
  readonly depth: number;
  readonly path: readonly string[];
  readonly count: number;
  /** The sum of all columns; null: unknown. */
  readonly change: Cell | null;
  /** A null cell is empty: no change. */
  readonly cells: readonly (Cell | null)[];
}

export interface Tree {
  readonly lines: readonly TreeLine[];
  /**
   * True: the rounded lines of some level do not add up to the line above, or the columns of a line to its
   * sum.
   */
  readonly rounded: boolean;
}

/** Largest number of lines of a level: the outermost one, and each inner one. */
const MAX_OUTER_LINES = 10;
const MAX_INNER_LINES = 5;
/** Deeper parts are summed in the part that contains them. */
const MAX_DEPTH = 3;

/**
 * Builds a tree of at most `rows` parts, largest first. The exact lines of every level add up to the line
 * above.
 */
export function buildTree(source: TreeSource, rows: number): Tree {
  const visible = chooseVisibleNodes(source, rows);
  const { nodes, unknown, totals } = source;
  const level = {
    path: [],
    depth: 0,
    ownCells: null,
    nodes,
    unknown,
    inside: visible.get(null) ?? [],
    total: totals,
  };
  return buildLevel({ figures: source.figures, visible }, level);
}

type VisibleNodes = ReadonlyMap<PartNode | null, readonly PartNode[]>;

/** Selects the visible children of each part (`null`: of the root), level by level. */
function chooseVisibleNodes({ nodes }: TreeSource, rows: number): VisibleNodes {
  const visible = new Map<PartNode | null, readonly PartNode[]>();
  let level: readonly (PartNode | null)[] = [null];
  let left = rows;
  for (let depth = 0; depth < MAX_DEPTH && left > 0; depth += 1) {
    const next: PartNode[] = [];
    for (const outer of level) {
      const inside = outer?.children ?? nodes;
      const some = inside.slice(0, Math.min(left, depth === 0 ? MAX_OUTER_LINES : MAX_INNER_LINES));
      left -= some.length;
      visible.set(outer, some);
      next.push(...some.filter(({ children }) => children.length > 0));
    }
    level = next;
  }
  return visible;
}

interface TreeLevel {
  readonly path: readonly string[];
  readonly depth: number;
  /** The own change of the enclosing part. */
  readonly ownCells: readonly Decimal[] | null;
  readonly nodes: readonly PartNode[];
  /** Number of parts beside `nodes` with an unknown change. */
  readonly unknown: number;
  /** The visible ones of `nodes`. */
  readonly inside: readonly PartNode[];
  /** The line above this level; null: unknown. */
  readonly total: readonly Decimal[] | null;
}

interface TreeInput {
  readonly figures: CurrencyFigures;
  readonly visible: VisibleNodes;
}

function buildLevel(drawing: TreeInput, { path, depth, inside, total, ...level }: TreeLevel): Tree {
  if (inside.length === 0) return { lines: [], rounded: false };
  const own = level.ownCells === null || areCellsZero(level.ownCells) ? [] : [level.ownCells];
  const named = [...inside.map(({ cells }) => cells), ...own];
  const rest = total === null ? null : named.reduce(subtractCells, total);
  const line = createLineWriter(drawing.figures);
  const parts = inside.map((node) => buildPart(drawing, node, depth));
  const count = level.nodes.length - inside.length + level.unknown;
  const isAll = count === 0 && rest !== null && areCellsZero(rest);
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

function buildPart(drawing: TreeInput, node: PartNode, depth: number): Tree {
  const { path, ownCells: own, cells, children: nodes } = node;
  const head = createLineWriter(drawing.figures)({ kind: "part", depth, path, count: 0 }, cells);
  const inside = drawing.visible.get(node) ?? [];
  const below = buildLevel(drawing, {
    path,
    depth: depth + 1,
    ownCells: own,
    nodes,
    unknown: 0,
    inside,
    total: cells,
  });
  return { lines: [head, ...below.lines], rounded: below.rounded };
}

const subtractCells = (whole: readonly Decimal[], part: readonly Decimal[]): readonly Decimal[] =>
  whole.map((cell, index) => minus(cell, part[index] ?? ZERO));

type TreePosition = Pick<TreeLine, "kind" | "depth" | "path" | "count">;

const createLineWriter =
  ({ style }: CurrencyFigures) =>
  (place: TreePosition, cells: readonly Decimal[] | null): TreeLine => ({
    ...place,
    change: cells === null ? null : style.change(sum(cells)),
    cells:
      cells === null || cells.length === 1
        ? []
        : cells.map((cell) => (cell === ZERO ? null : style.change(cell))),
  });

/** Whether a displayed line, or a displayed column and the line above it, do not add up. */
function isRounded(
  { rounded }: MoneyStyle,
  lines: readonly (readonly Decimal[])[],
  total: readonly Decimal[] | null,
): boolean {
  const whole = (cells: readonly Decimal[]): Figure => rounded(sum(cells));
  if (lines.some((cells) => isRoundingVisible(cells.map(rounded), whole(cells)))) return true;
  if (total === null) return false;
  const down = (cell: (cells: readonly Decimal[]) => Figure): boolean =>
    isRoundingVisible(lines.map(cell), cell(total));
  return down(whole) || total.some((_, column) => down((cells) => rounded(cells[column] ?? ZERO)));
}
