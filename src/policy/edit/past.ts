import type { Report } from "../../report/model/report.ts";
import type { EvaluationContext } from "../model/context.ts";
import type { PastOutcomes } from "../model/evaluation.ts";
import type { Verdict } from "../model/finding.ts";
import type { Policy } from "../model/policy.ts";
import type { PerformTask } from "../tasks/task.ts";
import { COST_LIMITS } from "../when/cost.ts";

/** A pull request as it was last looked at. */
export interface PastPull {
  readonly number: number;
  readonly report: Report;
  readonly context: EvaluationContext;
}

/** What evaluates the pull requests of before. */
export interface Trial {
  readonly base: Policy;
  readonly edited: Policy;
  readonly owner: string;
  readonly perform: PerformTask;
}

/**
 * Evaluates each under both policies: what differs is the edit's doing, and not what else has changed since. All of them
 * together may cost as much as one evaluation; those that are not come to are not counted.
 */
export async function pastUnder(
  { base, edited, owner, perform }: Trial,
  past: readonly PastPull[],
): Promise<PastOutcomes> {
  const outcomes: Outcome[] = [];
  let left = COST_LIMITS.file;
  for (const { number, report, context } of past) {
    const limits = { rule: COST_LIMITS.rule, file: left };
    const given = { report, context, base, edited };
    const { from, to, steps, isCutOff } = await perform({ kind: "compare", given, owner, limits });
    if (isCutOff) break;
    outcomes.push({ number, from, to });
    left -= steps;
  }
  return outcomesOf(outcomes);
}

interface Outcome {
  readonly number: number;
  readonly from: Verdict["kind"];
  readonly to: Verdict["kind"];
}

function outcomesOf(outcomes: readonly Outcome[]): PastOutcomes {
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
