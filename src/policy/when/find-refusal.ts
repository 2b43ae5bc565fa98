import type { ASTNode } from "@marcbachmann/cel-js";
import { patternProblem } from "./patterns.ts";

/** Something in an expression that is refused although it is CEL; offsets are in characters. */
export interface ExpressionProblem {
  readonly message: string;
  readonly offset: number;
}

const LOOPS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "map", "filter"]);
/** Over lists of thousands, three loops in one another take minutes. */
const MAX_LOOPS = 2;

/** What in an expression could run long or never match; null: nothing. */
export function findRefusal(node: ASTNode, loops = 0): ExpressionProblem | null {
  const isLoop = node.op === "rcall" && LOOPS.has(node.args[0]);
  const depth = isLoop ? loops + 1 : loops;
  const message = depth > MAX_LOOPS ? "loops can be nested two deep at most" : findProblem(node);
  if (message !== null) return { message, offset: node.range.start };
  for (const child of listChildren(node)) {
    // The list that is looped over is made once, before.
    const isList = isLoop && child === node.args[1];
    const found = findRefusal(child, isList ? loops : depth);
    if (found !== null) return found;
  }
  return null;
}

/** How deep loops stand in one another. */
export function countLoopDepth(node: ASTNode): number {
  const isLoop = node.op === "rcall" && LOOPS.has(node.args[0]);
  const depths = listChildren(node).map((child) =>
    isLoop && child !== node.args[1] ? countLoopDepth(child) + 1 : countLoopDepth(child),
  );
  return Math.max(isLoop ? 1 : 0, ...depths);
}

function findProblem(node: ASTNode): string | null {
  if (node.op === "call") {
    const [name] = node.args;
    if (name === "dyn") return "dyn() is not available; types are checked when the file is read";
    return FUNCTIONS.has(name) ? null : `${name}() is not available`;
  }
  return node.op === "rcall" ? callProblem(node.args[0], node.args[2]) : null;
}

/** Functions and methods of the language that a condition can use; the others are about bytes, dates and JSON, and some take long. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  "bool",
  "double",
  "has",
  "int",
  "size",
  "string",
  "sum",
  "type",
]);
const METHODS: ReadonlySet<string> = new Set([
  ...LOOPS,
  "bind",
  "contains",
  "endsWith",
  "indexOf",
  "join",
  "lastIndexOf",
  "like",
  "lowerAscii",
  "size",
  "split",
  "startsWith",
  "substring",
  "trim",
  "upperAscii",
]);

function callProblem(name: string, args: readonly ASTNode[]): string | null {
  if (name === "matches") return "matches() is not available; use like(), which takes RE2's patterns";
  if (!METHODS.has(name)) return `${name}() is not available`;
  if (name !== "like") return null;
  const [pattern] = args;
  if (pattern?.op !== "value" || typeof pattern.args !== "string")
    return "like() takes a pattern written out in quotes";
  const problem = patternProblem(pattern.args);
  return problem === null ? null : `the pattern ${problem}`;
}

/** The nodes that a node is made of. */
export const listChildren = ({ args }: ASTNode): readonly ASTNode[] => nodesIn(args);

function nodesIn(value: unknown): readonly ASTNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return isNode(value) ? [value] : [];
}

const isNode = (value: unknown): value is ASTNode =>
  typeof value === "object" && value !== null && "op" in value && "args" in value;
