import type { ASTNode } from "@marcbachmann/cel-js";
import { serialize } from "@marcbachmann/cel-js";

/**
 * Expressions that list the elements that an expression found: for each `list.exists(x, …)` that can make it
 * true, `list.filter(x, …)`. Negated and nested searches list nothing.
 */
export function listSearches(node: ASTNode): readonly string[] {
  if (node.op === "||" || node.op === "&&") return node.args.flatMap(listSearches);
  const search = findSearch(node);
  return search === null ? [] : [search];
}

function findSearch(node: ASTNode): string | null {
  if (node.op !== "rcall") {
    const compared = COMPARISONS.has(node.op) ? findComparedList(node) : null;
    return compared === null ? null : serialize(compared);
  }
  const [name, list, args] = node.args;
  if (name !== "exists" && name !== "exists_one") return null;
  return `${serialize(list)}.filter(${args.map(serialize).join(", ")})`;
}

const COMPARISONS: ReadonlySet<string> = new Set([">", ">=", "!=", "=="]);

/** The list in `list.filter(…).size() > 3` and `size(list.filter(…)) > 3`. */
function findComparedList({ args }: ASTNode): ASTNode | null {
  const [left] = args as readonly ASTNode[]; // comparisons have two operands
  if (left?.op === "rcall" && left.args[0] === "size") return findFilter(left.args[1]);
  if (left?.op === "call" && left.args[0] === "size") return findFilter(left.args[1][0]);
  return null;
}

const findFilter = (node: ASTNode | undefined): ASTNode | null =>
  node?.op === "rcall" && node.args[0] === "filter" ? node : null;
