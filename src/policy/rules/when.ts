import type { Report } from "../../report/report.ts";
import type { JudgeContext } from "../context.ts";
import type { Undecided } from "../finding.ts";
import { type Condition, compileCondition, type Values } from "../when/compile.ts";
import { valuesOf } from "../when/values.ts";
import { unique, unknown } from "./because.ts";
import { missingFacts } from "./missing-facts.ts";
import type { Reading, RuleKind } from "./rule-kind.ts";

/** A condition of the team's own: the rule is violated where it holds. */
export const when: RuleKind<"when"> = {
  pers: ["pull-request"],
  parts: ["modules", "types"],
  read: (report, { limit, context }) => {
    const compiled = compileCondition(limit.expression);
    if (!compiled.ok) return [undecided([{ kind: "condition_failed", problem: compiled.message }])];
    const because = unique(limit.needs.flatMap((need) => missingFacts(need, report, context)));
    if (because.length > 0) return [undecided(because)];
    if (compiled.condition.nests && largestList(report, context) > MAX_NESTED)
      return [undecided([unknown("too_large")])];
    return [run(compiled.condition, valuesFor(report, context))];
  },
};

/** Comparing each thing with each other takes a second for a thousand, and a hundred times that for ten times as many. */
const MAX_NESTED = 1_000;

const largestList = ({ stages, modules, resources, rows }: Report, { paths }: JudgeContext): number =>
  Math.max(...[stages, modules, resources, rows, paths].map(({ length }) => length));

const undecided = (because: readonly Undecided[]): Reading => ({ subject: null, value: null, because });

function run(condition: Condition, values: Values): Reading {
  try {
    const holds = condition.holds(values);
    const found = holds ? foundBy(condition, values) : [];
    const count = condition.counts && found !== null ? found.length : null;
    return { subject: null, value: { kind: "condition", holds, count }, because: [], items: found ?? [] };
  } catch (error) {
    return undecided([{ kind: "condition_failed", problem: problemOf(error) }]);
  }
}

/** A search that stops at its first match may fail on a later element: the rule is violated all the same. */
function foundBy(condition: Condition, values: Values): readonly string[] | null {
  try {
    return condition.found(values);
  } catch {
    return null;
  }
}

/** The language's own words, without the source line that follows them. */
function problemOf(error: unknown): string {
  const { summary, message } = error as { readonly summary?: string; readonly message?: string }; // an error of the language or of ours
  return (summary ?? message ?? "it could not be run").split("\n", 1)[0] ?? "";
}

const VALUES = new WeakMap<Report, WeakMap<JudgeContext, Values>>();

/** Rules that look at the same report share what they see. */
function valuesFor(report: Report, context: JudgeContext): Values {
  const known = VALUES.get(report) ?? new WeakMap<JudgeContext, Values>();
  const values = known.get(context) ?? valuesOf(report, context);
  VALUES.set(report, known.set(context, values));
  return values;
}
