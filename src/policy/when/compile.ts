import type { Environment, ParseResult } from "@marcbachmann/cel-js";
import type { FactName } from "../model/fact-names.ts";
import { adviseOn } from "./advice.ts";
import type { CostMeter } from "./cost.ts";
import { createEnvironment } from "./environment.ts";
import { countLoopDepth, findRefusal } from "./find-refusal.ts";
import { listSearches } from "./list-searches.ts";
import { createMeteredEvaluation, type EvaluateMetered } from "./metered-evaluation.ts";
import { listNeededFacts } from "./needs.ts";
import { Patterns } from "./patterns.ts";
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
  /** `offset`: characters from the start of the expression. */
  | { readonly ok: false; readonly message: string; readonly offset: number };

/** Longest expression, in characters. */
export const MAX_EXPRESSION = 4_000;

/** Checks an expression without evaluating it: its types, its names, and its possible cost. */
export function compileCondition(text: string): CompileResult {
  const language = sharedLanguage();
  const parsed = parseExpression(language.environment, text);
  if (!("ast" in parsed)) return parsed;
  const checked = parsed.check();
  if (!checked.valid) return { ok: false, ...adviseOn(text, checked.error) };
  if (checked.type !== "bool")
    return { ok: false, message: `is a ${checked.type}; expected something true or false`, offset: 0 };
  const refusal = findRefusal(parsed.ast);
  if (refusal !== null) return { ok: false, ...refusal };
  return { ok: true, condition: createCondition(language, parsed) };
}

function createCondition({ environment, evaluate }: Language, parsed: ParseResult): CompiledCondition {
  const searches = listSearches(parsed.ast).map((source) => checkTypes(environment.parse(source)));
  return {
    needs: listNeededFacts(parsed.ast),
    hasCount: searches.length > 0,
    hasNestedLoops: countLoopDepth(parsed.ast) > 1,
    isTrue: (values, meter) => {
      const holds = evaluate(parsed, values, meter) === true;
      // Some operators of the language continue after an error in an operand.
      if (meter.exceeded !== null) throw meter.exceeded;
      return holds;
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

function checkTypes(parsed: ParseResult): ParseResult {
  parsed.check();
  return parsed;
}

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
const sharedLanguage = memoize((): Language => {
  const patterns = new Patterns();
  const environment = createEnvironment(patterns);
  return { environment, evaluate: createMeteredEvaluation(environment, patterns) };
});

function memoize<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
