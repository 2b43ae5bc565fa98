import type { Environment, ParseResult } from "@marcbachmann/cel-js";
import type { CostMeter } from "./cost.ts";
import { OperationCost } from "./operation-cost.ts";
import type { Patterns } from "./patterns.ts";
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
export function createMeteredEvaluation(environment: Environment, patterns: Patterns): EvaluateMetered {
  const cost = new OperationCost(patterns);
  const carrier = environment.parse("true");
  const root = carrier.ast as unknown as ExpressionPart;
  carrier.check();
  let metered: MeteredEvaluator | null = null;
  return (parsed, values, meter) => {
    root.evaluate = (evaluator, _part, scope) => {
      metered ??= createMetered(evaluator, cost, meter);
      metered.meter = meter;
      return metered.run(parsed.ast as unknown as ExpressionPart, scope);
    };
    return carrier(values);
  };
}

function createMetered(evaluator: Evaluator, cost: OperationCost, meter: CostMeter): MeteredEvaluator {
  const run = function run(this: MeteredEvaluator, part: ExpressionPart, scope: unknown): unknown {
    this.meter.charge(1);
    if (part.isMetered === undefined) meterOperations(part, cost);
    return part.evaluate(this, part, scope);
  };
  const own = {
    meter,
    run,
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
 * Counts the operations of a part and of its alternate: `run` does not evaluate a part that replaces another
 * one, such as a loop.
 */
function meterOperations(part: ExpressionPart, cost: OperationCost): void {
  part.isMetered = true;
  for (const one of [part, part.meta.alternate]) if (one !== undefined) meterHandle(one, cost);
}

function meterHandle(part: ExpressionPart, cost: OperationCost): void {
  const { op, handle } = part;
  if (handle === undefined) return;
  const name = String(part.args[0]);
  if (OPERATORS.has(op))
    part.handle = (...args: CallArguments) => {
      cost.chargeOperator(op, args, getMeter(args, 3));
      return handle(...args);
    };
  if (op === "call")
    part.handle = (...args: CallArguments) => {
      cost.chargeCall(name, getArguments(args), getMeter(args, 2));
      return handle(...args);
    };
  if (op === "rcall")
    part.handle = (...args: CallArguments) => {
      cost.chargeCall(name, getArguments(args), getMeter(args, 1));
      return handle(...args);
    };
}

/**
 * Operators receive two operands, the part and the evaluator; functions a list of arguments, the part and the
 * evaluator; methods the list, the evaluator and the part.
 */
type CallArguments = readonly unknown[];

const getMeter = (args: CallArguments, at: number): CostMeter => (args[at] as MeteredEvaluator).meter; // the position of the evaluator, see `CallArguments`
const getArguments = ([list]: CallArguments): readonly unknown[] => (Array.isArray(list) ? list : []);

const OPERATORS: ReadonlySet<string> = new Set([
  "==",
  "!=",
  "in",
  "+",
  "-",
  "*",
  "/",
  "%",
  "<",
  "<=",
  ">",
  ">=",
]);
