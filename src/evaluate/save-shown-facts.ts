import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { buildReport } from "../report/build.ts";
import type { PullFacts } from "../report/model/pull-facts.ts";
import { completeEvaluation, type StoredEvaluation } from "../store/evaluations.ts";
import type { PullRun } from "./run/pull-run.ts";

interface More {
  readonly kept: StoredEvaluation;
  readonly policy: LoadedPolicy;
  /** All facts, with those that are only shown; null: there are none of these. */
  readonly facts: Promise<PullFacts> | null;
}

/** Puts into the evaluation what is shown and was not judged. The verdict rests on none of it, so it stays the same. */
export async function saveShownFacts({ deps, fence, attempt }: PullRun, more: More): Promise<void> {
  if (more.facts === null) return;
  const facts = await more.facts;
  if (attempt.signal.aborted) return;
  const { kept, policy } = more;
  const report = buildReport(facts, { stages: policy.state === "found" ? policy.policy.stages : [] });
  await completeEvaluation(deps.db, { ...kept, evaluation: { ...kept.evaluation, report } }, fence);
}
