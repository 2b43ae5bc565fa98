import { type Decimal, minus, sum, ZERO } from "../../kernel/money.ts";
import { areCellsZero, type PartNode } from "../../report/module-tree.ts";
import type { Cell } from "../escape.ts";
import { type CurrencyFigures, type Figure, isTableRounded, type MoneyStyle } from "../format.ts";

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
interface TreeLine {
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
export function buildTree({ figures, nodes, unknown, totals }: TreeSource, rows: number): Tree {
  const visible = chooseVisibleNodes(nodes, rows);
  const root = { path: [], ownCells: null, nodes, unknown, inside: visible.get(null) ?? [], total: totals };
  return buildLevel({ style: figures.style, visible, depth: 0 }, root);
}

type VisibleNodes = ReadonlyMap<PartNode | null, readonly PartNode[]>;

/** Selects the visible children of each part (`null`: of the root), level by level. */
function chooseVisibleNodes(nodes: readonly PartNode[], rows: number): VisibleNodes {
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
  readonly style: MoneyStyle;
  readonly visible: VisibleNodes;
  readonly depth: number;
}

function buildLevel(input: TreeInput, { path, inside, total, ...level }: TreeLevel): Tree {
  if (inside.length === 0) return { lines: [], rounded: false };
  const own = level.ownCells === null || areCellsZero(level.ownCells) ? [] : [level.ownCells];
  const named = [...inside.map(({ cells }) => cells), ...own];
  const rest = total === null ? null : named.reduce(subtractCells, total);
  const parts = inside.map((node) => buildPart(input, node));
  const count = level.nodes.length - inside.length + level.unknown;
  const isAll = count === 0 && rest !== null && areCellsZero(rest);
  return {
    lines: [
      ...parts.flatMap(({ lines }) => lines),
      ...own.map((cells) => buildLine(input, { kind: "own", path, count: 0 }, cells)),
      ...(isAll ? [] : [buildLine(input, { kind: "others", path, count }, rest)]),
    ],
    rounded:
      parts.some(({ rounded }) => rounded) ||
      isRounded(input.style, rest === null ? named : [...named, rest], total),
  };
}

function buildPart(input: TreeInput, node: PartNode): Tree {
  const { path, ownCells, cells, children: nodes } = node;
  const inside = input.visible.get(node) ?? [];
  const level = { path, ownCells, nodes, unknown: 0, inside, total: cells };
  const below = buildLevel({ ...input, depth: input.depth + 1 }, level);
  const head = buildLine(input, { kind: "part", path, count: 0 }, cells);
  return { lines: [head, ...below.lines], rounded: below.rounded };
}

const subtractCells = (whole: readonly Decimal[], part: readonly Decimal[]): readonly Decimal[] =>
  whole.map((cell, index) => minus(cell, part[index] ?? ZERO));

const buildLine = (
  { style, depth }: TreeInput,
  line: Pick<TreeLine, "kind" | "path" | "count">,
  cells: readonly Decimal[] | null,
): TreeLine => ({
  ...line,
  depth,
  change: cells === null ? null : style.change(sum(cells)),
  cells:
    cells === null || cells.length === 1
      ? []
      : cells.map((cell) => (cell === ZERO ? null : style.change(cell))),
});

function isRounded(
  { rounded }: MoneyStyle,
  lines: readonly (readonly Decimal[])[],
  total: readonly Decimal[] | null,
): boolean {
  const round = (cells: readonly Decimal[]): readonly Figure[] => [...cells, sum(cells)].map(rounded);
  return isTableRounded(lines.map(round), total && round(total));
}
