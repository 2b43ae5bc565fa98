import type { Environment, ParseResult } from "@marcbachmann/cel-js";
import { ConditionAmount } from "./amount.ts";
import type { CostMeter } from "./cost-meter.ts";
import { getPatternSize } from "./environment.ts";
import { requireKnown } from "./unknown-values.ts";
import type { ConditionValues } from "./values.ts";

/**
 * A part of an expression in the library's evaluator. The library's type declarations omit it; its version is
 * pinned, and a test verifies that each kind of part is counted.
 */
interface ExpressionPart {
  readonly op: string;
  readonly args: readonly unknown[];
  readonly meta: { readonly alternate?: ExpressionPart };
  evaluate(evaluator: Evaluator, part: ExpressionPart, scope: unknown): unknown;
  /** The operation of the part on its evaluated operands. */
  handle?: (...args: readonly unknown[]) => unknown;
  /** Set by this module: the operations of the part are counted. */
  isMetered?: true;
}

interface Evaluator {
  run(part: ExpressionPart, scope: unknown): unknown;
  tryEval(part: ExpressionPart, scope: unknown): unknown;
  debugTypeDeep(value: unknown): unknown;
}

interface MeteredEvaluator extends Evaluator {
  meter: CostMeter;
}

/**
 * Evaluates a checked expression. Charges each part before its evaluation and each operation before its
 * start.
 */
export type EvaluateMetered = (parsed: ParseResult, values: ConditionValues, meter: CostMeter) => unknown;

/**
 * Creates a counting evaluation. The library evaluates every part by its evaluator's `run` or `tryEval`, so a
 * counting evaluator replaces it. The replacement is obtained through a constant expression, whose evaluation
 * evaluates the actual one.
 */
export function createMeteredEvaluation(environment: Environment): EvaluateMetered {
  const carrier = environment.parse("true");
  const root = carrier.ast as unknown as ExpressionPart;
  carrier.check();
  let metered: MeteredEvaluator | null = null;
  return (parsed, values, meter) => {
    root.evaluate = (evaluator, _part, scope) => {
      metered ??= createMetered(evaluator, meter);
      metered.meter = meter;
      return metered.run(parsed.ast as unknown as ExpressionPart, scope);
    };
    return carrier(values);
  };
}

function createMetered(evaluator: Evaluator, meter: CostMeter): MeteredEvaluator {
  const own = {
    meter,
    run(this: MeteredEvaluator, part: ExpressionPart, scope: unknown): unknown {
      this.meter.charge(1);
      if (part.isMetered === undefined) meterOperations(part);
      const value = part.evaluate(this, part, scope);
      requireKnown(value);
      return value;
    },
    tryEval(this: MeteredEvaluator, part: ExpressionPart, scope: unknown): unknown {
      try {
        return this.run(part, scope);
      } catch (error) {
        return error;
      }
    },
    // This method reads private members, which only the library's own object has.
    debugTypeDeep: (value: unknown) => evaluator.debugTypeDeep(value),
  };
  return Object.assign(Object.create(evaluator), own);
}

/**
 * Charges the operations of a part and of its alternate before they start, so that no operation processes unbounded operands. `run` does
 * not evaluate a part that replaces another one, such as a loop.
 */
function meterOperations(whole: ExpressionPart): void {
  whole.isMetered = true;
  for (const part of [whole, whole.meta.alternate]) {
    const handle = part?.handle;
    if (part === undefined || handle === undefined) continue;
    const { op } = part;
    if (OPERATORS.has(op)) {
      // Operators receive two operands, the part and the evaluator.
      const charge = OPERATOR_COSTS[op] ?? chargeWeights;
      part.handle = (left, right, own, evaluator) => {
        charge([left, right], (evaluator as MeteredEvaluator).meter);
        return handle(left, right, own, evaluator);
      };
    }
    if (op === "." || op === "[]") {
      // Before the language complains of the type of an unknown value.
      part.handle = (left, right, ...rest) => {
        if (isMap(left) && typeof right === "string" && Object.hasOwn(left, right)) requireKnown(left[right]);
        return handle(left, right, ...rest);
      };
    }
    if (op === "call" || op === "rcall") {
      // Functions receive a list of arguments, the part and the evaluator; methods the list, the evaluator and the part.
      const charge = CALL_COSTS[String(part.args[0])] ?? chargeWeights;
      part.handle = (operands, ...rest) => {
        const evaluator = rest[op === "call" ? 1 : 0];
        charge(Array.isArray(operands) ? operands : [], (evaluator as MeteredEvaluator).meter);
        return handle(operands, ...rest);
      };
    }
  }
}

const OPERATORS: ReadonlySet<string> = new Set("== != in + - * / % < <= > >=".split(" "));

/** Number of characters that are compared or copied per step. */
const CHARACTERS_PER_STEP = 16;
/** Number of pairs of characters that a text search compares per step in the worst case. */
const PAIRS_PER_STEP = 128;
/** Number of characters times pattern instructions that are matched per step in the worst case. */
const INSTRUCTIONS_PER_STEP = 8;
/** Number of pairs of digits that are multiplied per step in a product of two amounts. */
const DIGIT_PAIRS_PER_STEP = 16;
/** Steps of one addition of two amounts. */
const ADDITION_STEPS = 8;

/** Operands of an operator, arguments of a function, or a method's receiver and arguments. */
type Operands = readonly unknown[];
type Charge = (operands: Operands, meter: CostMeter) => void;

const chargeWeights: Charge = (operands, meter) => {
  for (const operand of operands) meter.charge(computeValueWeight(operand));
};

type Charges = { readonly [operation: string]: Charge | undefined };

const OPERATOR_COSTS: Charges = {
  "==": chargeAllDeep,
  "!=": chargeAllDeep,
  // A map has a key or not, whatever its values are.
  in: ([value, list], meter) => chargeAllDeep(isMap(list) ? [value] : [value, list], meter),
  "+": ([left, right], meter) => chargeSum(left, right, meter),
  "*": ([left, right], meter) => meter.charge(computeProductCost(left, right)),
};

const chargeSearch: Charge = ([text, searched], meter) => meter.charge(computeSearchCost(text, searched));

/** Of functions and methods by name: only those that a condition can use. */
const CALL_COSTS: Charges = {
  contains: chargeSearch,
  indexOf: chargeSearch,
  lastIndexOf: chargeSearch,
  like: ([text, pattern], meter) => {
    if (typeof text === "string" && typeof pattern === "string")
      meter.charge(Math.ceil((text.length * getPatternSize(pattern)) / INSTRUCTIONS_PER_STEP));
  },
  split: ([text, by], meter) => meter.charge(computeSearchCost(text, by) + countSplitParts(text, by)),
  join: ([list, by], meter) => chargeJoin(list, by, meter),
  sum: ([list], meter) => chargeAll(list, ADDITION_STEPS, meter),
  size: ([value], meter) => meter.charge(typeof value === "string" ? value.length : 0),
  startsWith: ([, start], meter) => meter.charge(computeValueWeight(start)),
  endsWith: ([, end], meter) => meter.charge(computeValueWeight(end)),
};

/** Steps for walking over or copying a value once, without the contents of its elements. */
function computeValueWeight(value: unknown): number {
  if (typeof value === "string") return Math.ceil(value.length / CHARACTERS_PER_STEP);
  if (value instanceof ConditionAmount) return Math.ceil(value.value.length / CHARACTERS_PER_STEP);
  if (Array.isArray(value)) return value.length;
  return isMap(value) ? Object.keys(value).length : 0;
}

/** Whether a value is a map; elements of the report have their own classes. */
const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function chargeAllDeep(values: Operands, meter: CostMeter): void {
  for (const value of values) chargeDeep(value, meter);
}

/**
 * Charges the comparison of a value, which is unknown where a part of it is. Shared lists count once per occurrence, because they are compared at
 * each.
 */
function chargeDeep(value: unknown, meter: CostMeter): void {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    requireKnown(one);
    meter.charge(1 + computeValueWeight(one));
    for (const element of getElements(one)) open.push(element);
  }
}

function getElements(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isMap(value) ? Object.values(value) : [];
}

function chargeSum(left: unknown, right: unknown, meter: CostMeter): void {
  if (typeof left === "string" && typeof right === "string")
    limitSize(left.length + right.length, "text", meter);
  if (Array.isArray(left) && Array.isArray(right)) limitSize(left.length + right.length, "list", meter);
  meter.charge(computeValueWeight(left) + computeValueWeight(right));
}

function limitSize(size: number, what: "text" | "list", meter: CostMeter): void {
  if (size <= MAX_SIZE) return;
  const unit = what === "text" ? "characters" : "elements";
  meter.refuse(
    `it builds a ${what} of more than ${MAX_SIZE.toLocaleString("en")} ${unit}; build a shorter one`,
  );
}

const countDigits = (value: unknown): number => (value instanceof ConditionAmount ? value.value.length : 20);

const computeProductCost = (left: unknown, right: unknown): number =>
  left instanceof ConditionAmount || right instanceof ConditionAmount
    ? Math.ceil((countDigits(left) * countDigits(right)) / DIGIT_PAIRS_PER_STEP)
    : 0;

function computeSearchCost(text: unknown, searched: unknown): number {
  if (typeof text !== "string" || typeof searched !== "string") return 0;
  return computeValueWeight(text) + Math.ceil((text.length * searched.length) / PAIRS_PER_STEP);
}

function countSplitParts(text: unknown, separator: unknown): number {
  if (typeof text !== "string" || typeof separator !== "string") return 0;
  return Math.ceil((2 * text.length) / Math.max(1, separator.length));
}

function chargeAll(list: unknown, each: number, meter: CostMeter): void {
  if (!Array.isArray(list)) return;
  meter.charge(list.length * each);
  for (const element of list) meter.charge(computeValueWeight(element));
}

function chargeJoin(list: unknown, separator: unknown, meter: CostMeter): void {
  if (!Array.isArray(list)) return;
  meter.charge(list.length);
  list.forEach(requireKnown);
  const between = typeof separator === "string" ? separator.length * list.length : 0;
  const length = list.reduce<number>(
    (sum, one: unknown) => sum + (typeof one === "string" ? one.length : 0),
    between,
  );
  limitSize(length, "text", meter);
  meter.charge(Math.ceil(length / CHARACTERS_PER_STEP));
}

/**
 * Longest text and list that a condition may build, in characters and elements. Building a much longer list at once would end the whole
 * process, not only the thread.
 */
const MAX_SIZE = 1_000_000;
