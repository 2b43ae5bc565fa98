import type { Evaluation } from "../policy/model/evaluation.ts";
import { listUnansweredNames } from "../store/check-runs.ts";
import type { CheckPolicy } from "./load-policy.ts";
import { type RetirementReason, retireCheck } from "./publish/check.ts";
import { buildCheckTarget } from "./publish/check-target.ts";
import { buildPullUrl } from "./publish/details.ts";
import { handlePublishOutcome } from "./publish/handle-outcome.ts";
import type { CurrentHead } from "./run/pull-run.ts";

/**
 * Fails the check that this head has under an old name: the policy renamed it, or people let it pass for a base branch that the pull
 * request has left. Their approvals and overrides end with that, so nobody may merge by them after a way back. Fails it again where a late
 * request may have changed it since.
 */
export async function retireCheckName(
  { run, head, before }: CurrentHead,
  { checkName }: CheckPolicy,
): Promise<void> {
  if (before === null || before.evaluation.pull.headSha !== head.pull.headSha) return;
  const { evaluation } = before;
  const isRenamed = evaluation.pull.baseRef === head.pull.baseRef;
  if (evaluation.checkName !== checkName && (isRenamed || passesByPeople(evaluation)))
    await retire({ run, head }, evaluation, isRenamed ? "renamed" : "retargeted");
  const { headSha } = head.pull;
  for (const name of await listUnansweredNames(run.deps.db, { ...run.key, headSha }))
    if (name !== checkName) await retire({ run, head }, { ...evaluation, checkName: name }, "renamed");
}

/**
 * Fails the check of a closed pull request that people let pass. Nobody evaluates it while it is closed, so a revocation would not show
 * when it is opened again.
 */
export async function retireClosedCheck({ run, head, before }: CurrentHead): Promise<void> {
  if (before === null || !passesByPeople(before.evaluation)) return;
  if (before.evaluation.pull.headSha !== head.pull.headSha) return;
  await retire({ run, head }, before.evaluation, "closed");
}

async function retire(
  { run, head }: Pick<CurrentHead, "run" | "head">,
  { pull, checkName }: Evaluation,
  because: RetirementReason,
): Promise<void> {
  const { deps, attempt } = run;
  const retired = await retireCheck(deps, buildCheckTarget(run, head, checkName), {
    number: pull.number,
    because,
    detailsUrl: buildPullUrl(deps, pull),
  });
  // What is saved later replaces the old name. Before that, the retirement is retried as often as the queue allows.
  const tried = attempt.lastAttempt ? attempt : { attempt: 1 };
  handlePublishOutcome({ log: deps.log, attempt: tried }, retired);
}

const passesByPeople = ({ override, approvals }: Evaluation): boolean =>
  override !== undefined || approvals.live.length > 0;
