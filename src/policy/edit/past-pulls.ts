import type { Report } from "../../report/model/report.ts";
import type { EvaluationContext } from "../model/context.ts";
import type { PastOutcomes } from "../model/evaluation.ts";
import type { Verdict } from "../model/finding.ts";
import type { Policy } from "../model/policy.ts";
import type { PerformTask } from "../tasks/task.ts";
import { COST_LIMITS } from "../when/cost.ts";

/** A pull request at its last evaluation. */
export interface PastPull {
  readonly number: number;
  readonly report: Report;
  readonly context: EvaluationContext;
}

/** The inputs for evaluating past pull requests. */
export interface PastEvaluationInput {
  readonly base: Policy;
  readonly edited: Policy;
  readonly owner: string;
  readonly perform: PerformTask;
}

/**
 * Evaluates each under both policies, so that differences come from the edit alone. All of them
 * together may cost as much as one evaluation; pull requests beyond that are not counted.
 */
export async function evaluatePastPulls(
  { base, edited, owner, perform }: PastEvaluationInput,
  past: readonly PastPull[],
): Promise<PastOutcomes> {
  const outcomes: PullOutcome[] = [];
  let left = COST_LIMITS.file;
  for (const { number, report, context } of past) {
    const limits = { rule: COST_LIMITS.rule, file: left };
    const input = { report, context, base, edited };
    const { from, to, steps, isCutOff } = await perform({ kind: "compare", input, owner, limits });
    if (isCutOff) break;
    outcomes.push({ number, from, to });
    left -= steps;
  }
  return groupOutcomes(outcomes);
}

interface PullOutcome {
  readonly number: number;
  readonly from: Verdict["kind"];
  readonly to: Verdict["kind"];
}

function groupOutcomes(outcomes: readonly PullOutcome[]): PastOutcomes {
  const changed = Map.groupBy(
    outcomes.filter(({ from, to }) => from !== to),
    ({ from, to }) => `${from} ${to}`,
  );
  return {
    compared: outcomes.length,
    changed: [...changed.values()].flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : [{ from: first.from, to: first.to, pulls: [first, ...others].map(({ number }) => number) }],
    ),
  };
}
