import { absolute, compare, type Decimal, plus, sum, ZERO } from "../../kernel/money.ts";
import { byText } from "../model/order.ts";

/** What one part changes: one amount per column (a stage, or all of them together). */
export interface PartChange {
  /** Names from the outside in, e.g. `["web", "db"]`; of a part that nests nowhere just one. */
  readonly path: readonly string[];
  readonly cells: readonly Decimal[];
}

/** A part with everything inside it. */
export interface PartNode {
  readonly path: readonly string[];
  /** What it changes by itself, without what is inside it. */
  readonly own: readonly Decimal[];
  /** With everything inside it: `own` and the cells of `children`, column by column. */
  readonly cells: readonly Decimal[];
  /** Largest first. */
  readonly children: readonly PartNode[];
}

/** Parts as they nest, largest first on every level. What changes nothing is left out; a lone inner part stands for its outer one. */
export function buildPartTree(parts: readonly PartChange[]): readonly PartNode[] {
  const root = emptyNode([]);
  for (const part of parts) {
    if (isNothing(part.cells)) continue;
    const node = part.path.reduce(child, root);
    node.own = node.own === null ? part.cells : addCells(node.own, part.cells);
  }
  return childrenOf(root);
}

/** How much a part matters: of a gain in one column and a loss in another neither hides the other. */
export function computeWeight(cells: readonly Decimal[]): Decimal {
  const [only, ...more] = cells;
  return only !== undefined && more.length === 0 ? absolute(only) : sum(cells.map(absolute));
}

interface ModuleBranch {
  readonly path: readonly string[];
  own: readonly Decimal[] | null;
  readonly inner: Map<string, ModuleBranch>;
}

const emptyNode = (path: readonly string[]): ModuleBranch => ({ path, own: null, inner: new Map() });

function child(outer: ModuleBranch, name: string): ModuleBranch {
  const known = outer.inner.get(name);
  if (known !== undefined) return known;
  const made = emptyNode([...outer.path, name]);
  outer.inner.set(name, made);
  return made;
}

function childrenOf({ inner }: ModuleBranch): readonly PartNode[] {
  const weighed = [...inner.values()]
    .map(finished)
    .map((node) => ({ node, weight: computeWeight(node.cells) }));
  return weighed
    .sort((a, b) => compare(b.weight, a.weight) || byText(a.node.path.join("."), b.node.path.join(".")))
    .map(({ node }) => node);
}

function finished(growing: ModuleBranch): PartNode {
  const { path, own } = growing;
  const children = childrenOf(growing);
  const [only] = children;
  if (own === null && children.length === 1 && only !== undefined) return only;
  const parts = [...(own === null ? [] : [own]), ...children.map(({ cells }) => cells)];
  const cells = parts.reduce(addCells);
  return { path, own: own ?? cells.map(() => ZERO), cells, children };
}

const addCells = (a: readonly Decimal[], b: readonly Decimal[]): readonly Decimal[] =>
  a.map((cell, index) => plus(cell, b[index] ?? ZERO));

export const isNothing = (cells: readonly Decimal[]): boolean => cells.every((cell) => cell === ZERO);
