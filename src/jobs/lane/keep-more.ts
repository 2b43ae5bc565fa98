import { buildReport } from "../../report/build.ts";
import type { PullFacts } from "../../report/pull-facts.ts";
import { completeEvaluation, type KeptEvaluation } from "../../store/evaluations.ts";
import type { LoadedPolicy } from "./judge/policy.ts";
import type { PullRun } from "./pull-run.ts";

interface More {
  readonly kept: KeptEvaluation;
  readonly policy: LoadedPolicy;
  /** All facts, with those that are only shown; null: there are none of these. */
  readonly facts: Promise<PullFacts> | null;
}

/** Puts into the evaluation what is shown and was not judged. The verdict rests on none of it, so it stays the same. */
export async function keepMore({ deps, fence, attempt }: PullRun, more: More): Promise<void> {
  if (more.facts === null) return;
  const facts = await more.facts;
  if (attempt.signal.aborted) return;
  const { kept, policy } = more;
  const report = buildReport(facts, { stages: policy.state === "found" ? policy.policy.stages : [] });
  await completeEvaluation(deps.db, { ...kept, evaluation: { ...kept.evaluation, report } }, fence);
}
