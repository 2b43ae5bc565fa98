import type { ASTNode, Environment, ParseResult } from "@marcbachmann/cel-js";
import { serialize } from "@marcbachmann/cel-js";
import { suggestChoice } from "../../kernel/suggest.ts";
import type { FactName } from "../model/policy.ts";
import { listNeededFacts } from "./condition-run.ts";
import type { CostMeter } from "./cost-meter.ts";
import { createEnvironment, TYPES, VARIABLES } from "./environment.ts";
import { countLoopDepth, type ExpressionProblem, findRefusal, listChildren } from "./find-refusal.ts";
import { createMeteredEvaluation, type EvaluateMetered } from "./metered-evaluation.ts";
import type { ConditionValues } from "./values.ts";

/** A compiled condition. */
export interface CompiledCondition {
  readonly needs: readonly FactName[];
  /**
   * Whether the condition is true. Throws evaluation errors, e.g. an index out of range, and `CostExceededError`.
   */
  isTrue(values: ConditionValues, meter: CostMeter): boolean;
  /** Whether the condition searches for elements that can be counted. */
  readonly hasCount: boolean;
  /** Whether the condition has nested loops. */
  readonly hasNestedLoops: boolean;
  /**
   * Addresses and names of the elements that the expression found, without duplicates; empty if it does not
   * search.
   */
  listMatches(values: ConditionValues, meter: CostMeter): readonly string[];
}

export type CompileResult =
  | { readonly ok: true; readonly condition: CompiledCondition }
  | ({ readonly ok: false } & ExpressionProblem);

/** Longest expression, in characters. */
const MAX_EXPRESSION = 4_000;

/** Checks an expression without evaluating it: its types, its names, and its possible cost. */
export function compileCondition(text: string): CompileResult {
  const { environment } = getLanguage();
  const parsed = parseExpression(environment, text);
  if (!("ast" in parsed)) return parsed;
  checkKeyTests(parsed.ast);
  const checked = parsed.check();
  if (!checked.valid) return { ok: false, ...adviseOn(text, checked.error) };
  if (checked.type !== "bool")
    return { ok: false, message: `is a ${checked.type}; expected something true or false`, offset: 0 };
  const refusal = findRefusal(parsed.ast);
  if (refusal !== null) return { ok: false, ...refusal };
  return { ok: true, condition: createCondition(getLanguage(), parsed) };
}

/** The library's `has()`, which is no part of its type declarations. */
interface KeyTest {
  readonly meta: {
    readonly macro?: {
      typeCheck(checker: TypeChecker, macro: { readonly args: readonly ASTNode[] }, scope: unknown): unknown;
    };
  };
}

interface TypeChecker {
  check(node: ASTNode | undefined, scope: unknown): unknown;
}

/** Has the checker look at what `has()` asks for: the library looks only at the variable. */
function checkKeyTests(node: ASTNode): void {
  const { macro } = (node as unknown as KeyTest).meta;
  if (node.op === "call" && node.args[0] === "has" && macro !== undefined) {
    const { typeCheck } = macro;
    macro.typeCheck = (checker, own, scope) => {
      const type = typeCheck(checker, own, scope);
      checker.check(own.args[0], scope);
      return type;
    };
  }
  for (const child of listChildren(node)) checkKeyTests(child);
}

function createCondition({ environment, evaluate }: Language, parsed: ParseResult): CompiledCondition {
  const searches = listSearches(parsed.ast).map((source) => {
    const search = environment.parse(source);
    search.check();
    return search;
  });
  return {
    needs: listNeededFacts(parsed.ast),
    hasCount: searches.length > 0,
    hasNestedLoops: countLoopDepth(parsed.ast) > 1,
    isTrue: (values, meter) => {
      const isTrue = evaluate(parsed, values, meter) === true;
      // Some operators of the language continue after an error in an operand.
      if (meter.exceeded !== null) throw meter.exceeded;
      return isTrue;
    },
    listMatches: (values, meter) => {
      const names = searches.flatMap((search) => listElementNames(evaluate(search, values, meter)));
      meter.charge(names.length * NAME_STEPS);
      return [...new Set(names)];
    },
  };
}

/** Steps for each name that is found, stored and shown. */
const NAME_STEPS = 50;

/**
 * The names of elements: a resource's address, a stage's name, a module's path, a suggested rule's
 * description, a text itself.
 */
function listElementNames(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.map((element: unknown) => {
    if (typeof element !== "object" || element === null) return String(element);
    const { address, path, workspace, description, name, currency } = element as Readonly<
      Record<string, unknown>
    >; // one of TYPES
    return String(address ?? path ?? workspace ?? description ?? name ?? currency);
  });
}

function parseExpression(
  environment: Environment,
  text: string,
): ParseResult | Extract<CompileResult, { ok: false }> {
  if (text.length > MAX_EXPRESSION)
    return { ok: false, message: `is longer than ${MAX_EXPRESSION} characters`, offset: 0 };
  try {
    return environment.parse(text);
  } catch (error) {
    return { ok: false, ...adviseOn(text, error) };
  }
}

interface Language {
  readonly environment: Environment;
  readonly evaluate: EvaluateMetered;
}

/** Shared, because creating it takes milliseconds. */
function getLanguage(): Language {
  if (language === null) {
    const environment = createEnvironment();
    language = { environment, evaluate: createMeteredEvaluation(environment) };
  }
  return language;
}

let language: Language | null = null;

/** An error of the CEL library for an invalid expression. */
interface LibraryError {
  readonly summary?: string;
  readonly message?: string;
  readonly range?: { readonly start: number };
  /** The invalid part; of a member access, `args[0]` is the accessed object. */
  readonly node?: { readonly args?: unknown };
}

/** Describes a problem by the probable intention: first syntax of other languages, then known names. */
function adviseOn(text: string, error: unknown): ExpressionProblem {
  const { summary, message, range, node } = error as LibraryError; // thrown by the library, or made by the engine
  const words = (summary ?? message ?? "cannot be read").split("\n", 1)[0] ?? "";
  return findForeignToken(text) ?? { message: addHint(words, node), offset: range?.start ?? 0 };
}

/** Quoted texts, and syntax of other languages that CEL writes differently. */
const TOKENS =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b(?:and|or|not|AND|OR|NOT)\b(?=[\s(])|===|<>|(?<![=!<>])=(?!=)|(?<!&)&(?!&)|(?<!\|)\|(?!\|)|(?<![[(,\w.] *)\b\d{1,3}(?:,\d{3})+\b|\b\d+(?:\.\d+)? +(?!AND|NOT)[A-Z]{3}\b/g;

const CEL_EQUIVALENTS: Readonly<Record<string, string>> = {
  and: "&&",
  "&": "&&",
  or: "||",
  "|": "||",
  not: "!",
  "=": "==",
  "===": "==",
  "<>": "!=",
};

/** The first syntax of another language; null: none. */
function findForeignToken(text: string): ExpressionProblem | null {
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const meant = CEL_EQUIVALENTS[token.toLowerCase()];
    if (meant !== undefined) return { message: `found "${token}", write ${meant}`, offset: index };
    if (/^\d+,/.test(token))
      return {
        message: `found "${token}", write ${token.replaceAll(",", "")}: no thousands separators`,
        offset: index,
      };
    if (/^\d/.test(token)) return { message: describeCurrencyAdvice(token), offset: index };
  }
  return null;
}

function describeCurrencyAdvice(token: string): string {
  const [amount = "", currency = ""] = token.split(/ +/);
  return `found "${token}", write ${amount}, and ask for the currency with .currency == "${currency}"`;
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [/: amount \/|\/ amount$/, "amounts are never divided; multiply the other side"],
  [
    /amount [<>=!]+ string|string [<>=!]+ amount|amount in list<string>/,
    "an amount is compared with a number, such as 500 or 0.5; what happens to a resource is in .action",
  ],
  [/list\.sum\(\)$/, "write sum(list), of amounts"],
  [/^List index must be int/, "a list has no members; ask its elements, as in list.exists(x, x.change > 0)"],
];

function addHint(words: string, node: LibraryError["node"]): string {
  const [, complaint = "", name = ""] = /^([^:]+): (\S+)$/.exec(words) ?? [];
  if (complaint === "Unknown variable")
    return describeUnknownName(name, "is no variable", Object.keys(VARIABLES));
  if (complaint === "No such key") return describeUnknownMember(name, node);
  const hint = HINTS.find(([pattern]) => pattern.test(words))?.[1];
  return hint === undefined ? words : `${words} (${hint})`;
}

function describeUnknownMember(name: string, node: LibraryError["node"]): string {
  const [accessed] = Array.isArray(node?.args) ? node.args : [];
  const type: unknown = (accessed as { readonly checkedType?: { readonly name?: unknown } } | undefined)
    ?.checkedType?.name; // the type that the checker assigned to the part
  const members =
    typeof type === "string" && Object.hasOwn(TYPES, type) ? TYPES[type as keyof typeof TYPES] : null;
  if (type === "amount")
    return `"${name}" is no member of an amount; the attributes of a resource are in attributes_before and attributes_after`;
  if (members === null) return `"${name}" is no member of this`;
  if (name === "change" && "action" in members)
    return `"change" is no member of ${String(type)}: write action, for what happens to the resource`;
  return describeUnknownName(name, `is no member of ${String(type)}`, Object.keys(members));
}

function describeUnknownName(name: string, complaint: string, known: readonly string[]): string {
  const meant = suggestChoice(name, known);
  return `"${name}" ${complaint}${meant === null ? "" : ` (did you mean ${meant}?)`}; there are ${known.join(", ")}`;
}

/**
 * Expressions that list the elements that an expression found: for each `list.exists(x, …)` that can make it
 * true, `list.filter(x, …)`. Negated and nested searches list nothing.
 */
function listSearches(node: ASTNode): readonly string[] {
  if (node.op === "||" || node.op === "&&") return node.args.flatMap(listSearches);
  const search = findSearch(node);
  return search === null ? [] : [search];
}

function findSearch(node: ASTNode): string | null {
  if (node.op !== "rcall") {
    const compared = COMPARISONS.has(node.op) ? findComparedList(node) : null;
    return compared === null || isOfAttributes(compared.args[1]) ? null : serialize(compared);
  }
  const [name, list, args] = node.args;
  if (name !== "exists" && name !== "exists_one") return null;
  if (isOfAttributes(list)) return null;
  return `${serialize(list)}.filter(${args.map(serialize).join(", ")})`;
}

/** Whether a list may hold values of attributes, which are in no finding. */
const isOfAttributes = (list: ASTNode): boolean => listNeededFacts(list).includes("attributes");

const COMPARISONS: ReadonlySet<string> = new Set([">", ">=", "!=", "=="]);

/** The list in `list.filter(…).size() > 3` and `size(list.filter(…)) > 3`. */
function findComparedList({ args }: ASTNode): MethodCall | null {
  const [left] = args as readonly ASTNode[]; // comparisons have two operands
  if (left?.op === "rcall" && left.args[0] === "size") return findFilter(left.args[1]);
  if (left?.op === "call" && left.args[0] === "size") return findFilter(left.args[1][0]);
  return null;
}

type MethodCall = Extract<ASTNode, { readonly op: "rcall" }>;

const findFilter = (node: ASTNode | undefined): MethodCall | null =>
  node?.op === "rcall" && node.args[0] === "filter" ? node : null;
