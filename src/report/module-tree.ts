import { absolute, compare, type Decimal, plus, sum, ZERO } from "../kernel/money.ts";
import { byText } from "./model/order.ts";

/** The change of one part: one amount per column (a stage, or all of them together). */
export interface PartChange {
  /**
   * Names from the outermost to the innermost, e.g. `["web", "db"]`; a single name for a part without
   * nesting.
   */
  readonly path: readonly string[];
  readonly cells: readonly Decimal[];
}

export interface PartNode {
  readonly path: readonly string[];
  /** Its own change, without nested parts. */
  readonly ownCells: readonly Decimal[];
  /** Its change with nested parts: `ownCells` plus the cells of `children`, column by column. */
  readonly cells: readonly Decimal[];
  /** Largest first. */
  readonly children: readonly PartNode[];
}

/**
 * Builds the tree of nested parts, largest first on every level. Parts without a change are omitted; a part
 * without an own change and with a single child is replaced by that child.
 */
export function buildPartTree(parts: readonly PartChange[]): readonly PartNode[] {
  const root = createBranch([]);
  for (const part of parts) {
    if (areCellsZero(part.cells)) continue;
    const node = part.path.reduce(getOrCreateChild, root);
    node.ownCells = node.ownCells === null ? part.cells : addCells(node.ownCells, part.cells);
  }
  return listChildren(root);
}

/**
 * The sum of the absolute amounts over the columns, so that an increase in one column does not cancel a
 * decrease in another.
 */
function computeWeight(cells: readonly Decimal[]): Decimal {
  const [only, ...more] = cells;
  return only !== undefined && more.length === 0 ? absolute(only) : sum(cells.map(absolute));
}

interface ModuleBranch {
  readonly path: readonly string[];
  ownCells: readonly Decimal[] | null;
  readonly inner: Map<string, ModuleBranch>;
}

const createBranch = (path: readonly string[]): ModuleBranch => ({ path, ownCells: null, inner: new Map() });

function getOrCreateChild(outer: ModuleBranch, name: string): ModuleBranch {
  const known = outer.inner.get(name);
  if (known !== undefined) return known;
  const made = createBranch([...outer.path, name]);
  outer.inner.set(name, made);
  return made;
}

function listChildren({ inner }: ModuleBranch): readonly PartNode[] {
  const weighed = [...inner.values()]
    .map(finishBranch)
    .map((node) => ({ node, weight: computeWeight(node.cells) }));
  return weighed
    .sort((a, b) => compare(b.weight, a.weight) || byText(a.node.path.join("."), b.node.path.join(".")))
    .map(({ node }) => node);
}

function finishBranch(growing: ModuleBranch): PartNode {
  const { path, ownCells: own } = growing;
  const children = listChildren(growing);
  const [only] = children;
  if (own === null && children.length === 1 && only !== undefined) return only;
  const parts = [...(own === null ? [] : [own]), ...children.map(({ cells }) => cells)];
  const cells = parts.reduce(addCells);
  return { path, ownCells: own ?? cells.map(() => ZERO), cells, children };
}

const addCells = (a: readonly Decimal[], b: readonly Decimal[]): readonly Decimal[] =>
  a.map((cell, index) => plus(cell, b[index] ?? ZERO));

export const areCellsZero = (cells: readonly Decimal[]): boolean => cells.every((cell) => cell === ZERO);
