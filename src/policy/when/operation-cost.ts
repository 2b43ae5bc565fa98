import { ConditionAmount } from "./amount.ts";
import { type CostMeter, MAX_LIST, MAX_TEXT } from "./cost.ts";
import type { Patterns } from "./patterns.ts";

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

/** Charges operations before they start, so that no operation processes unbounded operands. */
export class OperationCost {
  readonly #calls: ReadonlyMap<string, Charge>;

  constructor(patterns: Patterns) {
    const matchCost: Charge = ([text, pattern], meter) => {
      if (typeof text === "string" && typeof pattern === "string")
        meter.charge(Math.ceil((text.length * patterns.getSize(pattern)) / INSTRUCTIONS_PER_STEP));
    };
    this.#calls = new Map([...CALLS, ["like", matchCost]]);
  }

  chargeOperator(operator: string, operands: Operands, meter: CostMeter): void {
    (OPERATORS.get(operator) ?? chargeWeights)(operands, meter);
  }

  chargeCall(name: string, args: Operands, meter: CostMeter): void {
    (this.#calls.get(name) ?? chargeWeights)(args, meter);
  }
}

const chargeWeights: Charge = (operands, meter) => {
  for (const operand of operands) meter.charge(computeValueWeight(operand));
};

const OPERATORS: ReadonlyMap<string, Charge> = new Map<string, Charge>([
  ["==", ([left], meter) => chargeDeep(left, meter)],
  ["!=", ([left], meter) => chargeDeep(left, meter)],
  ["in", ([, list], meter) => chargeDeep(list, meter)],
  ["+", ([left, right], meter) => chargeSum(left, right, meter)],
  ["*", ([left, right], meter) => meter.charge(computeProductCost(left, right))],
]);

const chargeSearch: Charge = ([text, searched], meter) => meter.charge(computeSearchCost(text, searched));

const CALLS: ReadonlyMap<string, Charge> = new Map<string, Charge>([
  ["contains", chargeSearch],
  ["indexOf", chargeSearch],
  ["lastIndexOf", chargeSearch],
  ["split", ([text, by], meter) => meter.charge(computeSearchCost(text, by) + countSplitParts(text, by))],
  ["join", ([list, by], meter) => chargeJoin(list, by, meter)],
  ["sum", ([list], meter) => chargeAll(list, ADDITION_STEPS, meter)],
  ["size", ([value], meter) => meter.charge(typeof value === "string" ? value.length : 0)],
  ["startsWith", ([, start], meter) => meter.charge(computeValueWeight(start))],
  ["endsWith", ([, end], meter) => meter.charge(computeValueWeight(end))],
]);

/** Steps for walking over or copying a value once, without the contents of its elements. */
export function computeValueWeight(value: unknown): number {
  if (typeof value === "string") return Math.ceil(value.length / CHARACTERS_PER_STEP);
  if (value instanceof ConditionAmount) return Math.ceil(value.value.length / CHARACTERS_PER_STEP);
  if (Array.isArray(value)) return value.length;
  return isMap(value) ? Object.keys(value).length : 0;
}

/** Whether a value is a map literal; elements of the report have their own classes. */
const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/**
 * Charges the comparison of a value. Shared lists count once per occurrence, because they are compared at
 * each.
 */
function chargeDeep(value: unknown, meter: CostMeter): void {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    meter.charge(1 + computeValueWeight(one));
    for (const element of getElements(one)) open.push(element);
  }
}

function getElements(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isMap(value) ? Object.values(value) : [];
}

function chargeSum(left: unknown, right: unknown, meter: CostMeter): void {
  if (typeof left === "string" && typeof right === "string") limitText(left.length + right.length, meter);
  if (Array.isArray(left) && Array.isArray(right)) limitList(left.length + right.length, meter);
  meter.charge(computeValueWeight(left) + computeValueWeight(right));
}

function limitText(length: number, meter: CostMeter): void {
  if (length > MAX_TEXT)
    meter.refuse(
      `it builds a text of more than ${MAX_TEXT.toLocaleString("en")} characters; build a shorter one`,
    );
}

function limitList(length: number, meter: CostMeter): void {
  if (length > MAX_LIST)
    meter.refuse(
      `it builds a list of more than ${MAX_LIST.toLocaleString("en")} elements; build a shorter one`,
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
  const between = typeof separator === "string" ? separator.length * list.length : 0;
  const length = list.reduce<number>(
    (sum, one: unknown) => sum + (typeof one === "string" ? one.length : 0),
    between,
  );
  limitText(length, meter);
  meter.charge(Math.ceil(length / CHARACTERS_PER_STEP));
}
