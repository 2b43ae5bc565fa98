import type { ASTNode } from "@marcbachmann/cel-js";
import { suggestChoice } from "../../kernel/suggest.ts";
import { KNOWN_APPS } from "../model/context.ts";
import { findPatternProblem, WORDS } from "./environment.ts";

/** A problem of an expression, in Tollgate's words; `offset` in characters from its start. */
export interface ExpressionProblem {
  readonly message: string;
  readonly offset: number;
}

const LOOPS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "map", "filter"]);
/** Largest nesting of loops: over lists of thousands of elements, three nested loops take minutes. */
const MAX_LOOPS = 2;

/** Finds a part of an expression that could take too long or never match; null: none. */
export function findRefusal(node: ASTNode, loops = 0): ExpressionProblem | null {
  const isLoop = node.op === "rcall" && LOOPS.has(node.args[0]);
  const depth = isLoop ? loops + 1 : loops;
  const message = depth > MAX_LOOPS ? "loops can be nested two deep at most" : findProblem(node);
  if (message !== null) return { message, offset: node.range.start };
  for (const child of listChildren(node)) {
    // The list of a loop is evaluated once, before the loop.
    const isList = isLoop && child === node.args[1];
    const found = findRefusal(child, isList ? loops : depth);
    if (found !== null) return found;
  }
  return null;
}

/** The depth of nested loops. */
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
    if (name === "has") return findKeyTestProblem(node.args[1][0]);
    if (name === "dyn") return "dyn() is not available; types are checked when the file is read";
    return FUNCTIONS.has(name) ? null : `${name}() is not available`;
  }
  if (node.op === "rcall") return findCallProblem(node.args[0], node.args[2]);
  return node.op === "==" || node.op === "!=" || node.op === "in" ? findWordProblem(node.args) : null;
}

/** Only maps may lack what `has()` asks for. */
function findKeyTestProblem(asked: ASTNode | undefined): string | null {
  const [accessed] = asked?.op === "." ? asked.args : [];
  const { checkedType } = (accessed ?? {}) as { readonly checkedType?: { readonly kind?: unknown } }; // assigned by the checker
  return checkedType?.kind === "map" || checkedType?.kind === "dyn"
    ? null
    : "has() asks for a key of tags or attributes, as in has(r.tags.team): every other member always exists";
}

/** A comparison of a member that has a fixed set of words with a text that is none of them; null: none. */
function findWordProblem([left, right]: readonly ASTNode[]): string | null {
  if (left === undefined || right === undefined) return null;
  const texts = [left, right].flatMap(listTexts);
  const member = findWordMember(left) ?? findWordMember(right);
  if (member === "Pull.author") return findAuthorProblem(texts);
  const words = WORDS[member ?? ""];
  if (member === null || words === undefined) return null;
  const wrong = texts.find((text) => !words.includes(text));
  if (wrong === undefined) return null;
  if (wrong === "moved")
    return '"moved" is no value of action here: a move alone changes no resource; a moved resource that changes has the action of that change';
  const meant = suggestChoice(wrong, words);
  const known = words.map((word) => JSON.stringify(word)).join(", ");
  return `"${wrong}" is no value of ${member.slice(member.indexOf(".") + 1)} here${meant === null ? "" : ` (did you mean ${meant}?)`}; there are ${known}`;
}

function findAuthorProblem(logins: readonly string[]): string | null {
  const wrong = logins.find((login) => KNOWN_APPS.has(login.toLowerCase()) || login !== login.toLowerCase());
  if (wrong === undefined) return null;
  const meant = wrong.toLowerCase();
  const why = KNOWN_APPS.has(meant)
    ? `the App is "${meant}[bot]"`
    : `logins are in lower case, write "${meant}"`;
  return `"${wrong}" is no author here: ${why}`;
}

/** The type and name of an accessed member, such as `Row.action`; null: the node is no member of a known type. */
function findWordMember(node: ASTNode): string | null {
  if (node.op !== "." && node.op !== ".?") return null;
  const [accessed, name] = node.args;
  const { checkedType } = accessed as { readonly checkedType?: { readonly name?: unknown } }; // assigned by the checker
  return `${String(checkedType?.name)}.${name}`;
}

/** The texts written out in a node: itself, or the elements of a list. */
function listTexts(node: ASTNode): readonly string[] {
  if (node.op === "value") return typeof node.args === "string" ? [node.args] : [];
  return node.op === "list" ? node.args.flatMap(listTexts) : [];
}

/**
 * Functions and methods of the language that a condition can use. The others handle bytes, dates and JSON, or
 * can take long.
 */
const FUNCTIONS: ReadonlySet<string> = new Set(["bool", "double", "int", "size", "string", "sum", "type"]);
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

function findCallProblem(name: string, args: readonly ASTNode[]): string | null {
  if (name === "matches") return "matches() is not available; use like(), which takes RE2's patterns";
  if (!METHODS.has(name)) return `${name}() is not available`;
  if (name !== "like") return null;
  const [pattern] = args;
  if (pattern?.op !== "value" || typeof pattern.args !== "string")
    return "like() takes a pattern written out in quotes";
  const problem = findPatternProblem(pattern.args);
  return problem === null ? null : `the pattern ${problem}`;
}

/** The child nodes of a node. */
export const listChildren = ({ args }: ASTNode): readonly ASTNode[] => collectNodes(args);

function collectNodes(value: unknown): readonly ASTNode[] {
  if (Array.isArray(value)) return value.flatMap(collectNodes);
  return isNode(value) ? [value] : [];
}

const isNode = (value: unknown): value is ASTNode =>
  typeof value === "object" && value !== null && "op" in value && "args" in value;
