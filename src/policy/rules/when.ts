import type { Report } from "../../report/model/report.ts";
import type { EvaluationContext } from "../model/context.ts";
import type { UndecidedReason } from "../model/finding.ts";
import { type CompiledCondition, compileCondition } from "../when/compile.ts";
import type { ConditionRun } from "../when/condition-run.ts";
import { CostExceededError, type CostMeter } from "../when/cost.ts";
import type { ConditionValues } from "../when/values.ts";
import { selectUniqueReasons, unknown } from "./doubts.ts";
import { listMissingFacts } from "./missing-facts.ts";
import type { Measurement, RuleKind } from "./rule-kind.ts";

/** A custom condition: the rule is violated where the condition is true. */
export const when: RuleKind<"when"> = {
  granularities: ["pull-request"],
  parts: ["modules", "types"],
  read: (report, { limit, context, conditions }) => {
    const because = selectUniqueReasons(
      limit.needs.flatMap((need) =>
        conditions.getMissing({ report, context, need }, () => listMissingFacts(need, report, context)),
      ),
    );
    if (because.length > 0) return [createUndecided(because)];
    const { expression } = limit;
    const read = conditions.evaluate(expression, (meter) =>
      readCondition(expression, { report, context, conditions, meter }),
    );
    return ["problem" in read ? createFailed(read.problem) : read];
  },
};

interface ConditionInput {
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly conditions: ConditionRun;
  readonly meter: CostMeter;
}

function readCondition(
  expression: string,
  { report, context, conditions, meter }: ConditionInput,
): Measurement {
  const compiled = compileCondition(expression);
  if (!compiled.ok) return createFailed(compiled.message);
  if (compiled.condition.hasNestedLoops && findLargestLength(report, context) > MAX_NESTED)
    return createUndecided([unknown("too_large")]);
  try {
    return evaluateCondition(compiled.condition, conditions.getValues(report, context), meter);
  } catch (error) {
    return createFailed(describeFailure(error));
  }
}

/** Largest number of elements for nested loops: above it, nearly every nested loop exceeds the step limit. */
const MAX_NESTED = 1_000;

const findLargestLength = (
  { stages, modules, resources, rows }: Report,
  { paths }: EvaluationContext,
): number => Math.max(...[stages, modules, resources, rows, paths].map(({ length }) => length));

const createUndecided = (because: readonly UndecidedReason[]): Measurement => ({
  subject: null,
  value: null,
  because,
});

const createFailed = (problem: string): Measurement =>
  createUndecided([{ kind: "condition_failed", problem }]);

function evaluateCondition(
  condition: CompiledCondition,
  values: ConditionValues,
  meter: CostMeter,
): Measurement {
  const holds = condition.isTrue(values, meter);
  const found = holds ? findItems(condition, values, meter) : [];
  const count = condition.hasCount && found !== null ? found.length : null;
  return {
    subject: null,
    value: { kind: "condition", isTrue: holds, count },
    because: [],
    items: found ?? [],
  };
}

/**
 * Lists the matching elements. A search that stopped at its first match may fail on a later element; the rule
 * is violated nevertheless.
 */
function findItems(
  condition: CompiledCondition,
  values: ConditionValues,
  meter: CostMeter,
): readonly string[] | null {
  try {
    return condition.listMatches(values, meter);
  } catch (error) {
    if (error instanceof CostExceededError) throw error;
    return null;
  }
}

/** The message of the CEL library, without the source line after it. */
function describeFailure(error: unknown): string {
  const { summary, message } = error as { readonly summary?: string; readonly message?: string }; // an error of the language or of ours
  return (summary ?? message ?? "it could not be evaluated").split("\n", 1)[0] ?? "";
}
