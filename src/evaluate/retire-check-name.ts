import type { Evaluation } from "../policy/model/evaluation.ts";
import { listFormerNames } from "../store/check-runs.ts";
import type { CheckPolicy } from "./load-policy.ts";
import { buildCheckTarget, type RetirementReason, retireCheck } from "./publish/check.ts";
import { buildPullUrl } from "./publish/comment-content.ts";
import { handlePublishOutcome } from "./publish/handle-outcome.ts";
import type { CurrentHead } from "./run/deps.ts";

/**
 * Fails the checks that this head has under former names, and the one by which people let it pass for a base branch that the
 * pull request has left, and any other one that it left by a change of its stack. Their approvals and overrides end with that, so nobody may merge by them after a way back. Fails them again where a
 * late request may have changed them since.
 */
export async function retireCheckName(
  { run, head, before }: CurrentHead,
  { checkName }: CheckPolicy,
): Promise<void> {
  const { headSha, baseRef } = head.pull;
  const last = before?.evaluation.pull.headSha === headSha ? before.evaluation : null;
  const former = new Set(await listFormerNames(run.deps.db, { ...run.key, headSha, baseRef, checkName }));
  if (last !== null && last.checkName !== checkName && last.pull.baseRef === baseRef)
    former.add(last.checkName);
  for (const name of former) await retire({ run, head }, name, "renamed");
  if (last === null || last.pull.baseRef === baseRef || last.checkName === checkName) return;
  if (last.pull.stack !== undefined || head.pull.stack !== null)
    await retire({ run, head }, last.checkName, "restacked");
  else if (passesByPeople(last)) await retire({ run, head }, last.checkName, "retargeted");
}

/**
 * Fails the check of a closed pull request that people let pass. Nobody evaluates it while it is closed, so a revocation would not show
 * when it is opened again.
 */
export async function retireClosedCheck({ run, head, before }: CurrentHead): Promise<void> {
  if (before === null || !passesByPeople(before.evaluation)) return;
  if (before.evaluation.pull.headSha !== head.pull.headSha) return;
  await retire({ run, head }, before.evaluation.checkName, "closed");
}

async function retire(
  { run, head }: Pick<CurrentHead, "run" | "head">,
  checkName: string,
  because: RetirementReason,
): Promise<void> {
  const { deps, attempt, key } = run;
  const { owner, name } = head.repository;
  const target = buildCheckTarget(run, head, checkName);
  const detailsUrl = buildPullUrl(deps, { repository: `${owner}/${name}`, number: key.number });
  const retired = await retireCheck(deps, target, { number: key.number, because, detailsUrl });
  // What is saved later replaces the former name. Before that, the retirement is retried as often as the queue allows.
  const tried = attempt.lastAttempt ? attempt : { attempt: 1 };
  handlePublishOutcome({ log: deps.log, attempt: tried }, retired);
}

const passesByPeople = ({ override, approvals }: Evaluation): boolean =>
  override !== undefined || approvals.live.length > 0;
