import type { Environment, ParseResult } from "@marcbachmann/cel-js";
import { adviseOn } from "./advice.ts";
import { createEnvironment } from "./environment.ts";
import type { FactName } from "./facts.ts";
import { loopsIn, refusalIn } from "./guard.ts";
import { matchesOf } from "./matches.ts";
import { needsOf } from "./needs.ts";

/** A condition made ready. */
export interface Condition {
  readonly needs: readonly FactName[];
  /** Throws what goes wrong while it runs, e.g. an index out of range. */
  holds(values: Values): boolean;
  /** Whether it looks for things that can be counted. */
  readonly counts: boolean;
  /** Whether it has a loop within a loop. */
  readonly nests: boolean;
  /** Addresses and names of the elements that the expression found, each once; empty where it looks for none. */
  found(values: Values): readonly string[];
}

export type Values = Readonly<Record<string, unknown>>;

export type Compiled =
  | { readonly ok: true; readonly condition: Condition }
  /** `offset`: characters from the expression's start. */
  | { readonly ok: false; readonly message: string; readonly offset: number };

/** Longest expression, in characters. */
export const MAX_EXPRESSION = 4_000;

/** Reads an expression as if it ran, without running it: its types, its names, and what it could cost. */
export function compileCondition(text: string): Compiled {
  const environment = sharedEnvironment();
  const parsed = parse(environment, text);
  if (!("ast" in parsed)) return parsed;
  const checked = parsed.check();
  if (!checked.valid) return { ok: false, ...adviseOn(text, checked.error) };
  if (checked.type !== "bool")
    return { ok: false, message: `is a ${checked.type}; expected something true or false`, offset: 0 };
  const refusal = refusalIn(parsed.ast);
  if (refusal !== null) return { ok: false, ...refusal };
  return { ok: true, condition: conditionOf(environment, parsed) };
}

function conditionOf(environment: Environment, parsed: ParseResult): Condition {
  const searches = matchesOf(parsed.ast).map((source) => environment.parse(source));
  return {
    needs: needsOf(parsed.ast),
    counts: searches.length > 0,
    nests: loopsIn(parsed.ast) > 1,
    holds: (values) => parsed(values) === true,
    found: (values) => [...new Set(searches.flatMap((search) => namesOf(search(values))))],
  };
}

/** What to call an element: a resource by its address, a stage by its name, a module by its path, a suggested rule by its description, a text by itself. */
function namesOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.map((element: unknown) => {
    if (typeof element !== "object" || element === null) return String(element);
    const { address, path, workspace, description, name, currency } = element as Readonly<
      Record<string, unknown>
    >; // one of TYPES
    return String(address ?? path ?? workspace ?? description ?? name ?? currency);
  });
}

function parse(environment: Environment, text: string): ParseResult | Extract<Compiled, { ok: false }> {
  if (text.length > MAX_EXPRESSION)
    return { ok: false, message: `is longer than ${MAX_EXPRESSION} characters`, offset: 0 };
  try {
    return environment.parse(text);
  } catch (error) {
    return { ok: false, ...adviseOn(text, error) };
  }
}

/** Making it takes milliseconds, and it never changes afterwards. */
const sharedEnvironment = once(createEnvironment);

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
