import { once } from "node:events";
import type { HeadState } from "../github/head/head-state.ts";
import { TollgateError } from "../kernel/errors.ts";
import { describePolicyEdit } from "../policy/describe-edit.ts";
import type { PolicyEdit } from "../policy/model/evaluation.ts";
import type { PerformTask } from "../policy/task.ts";
import { listNewestEvaluations } from "../store/evaluations.ts";
import type { ConsentBasis } from "./consent-basis.ts";
import { toPolicyText } from "./load-policy.ts";
import { type CurrentHead, canShowFigures } from "./run/deps.ts";

/**
 * Longest time that a verdict waits for the evaluation of an edited policy, in ms. Meanwhile the check shows
 * the previous verdict, and the author of the edit determines how slow the evaluation is.
 */
const TRIAL_MS = 5_000;

/** Returns the effect of the head's own edit of the policy; null: it edits nothing. */
export async function tryPolicyEdit(
  { deps, key, head }: CurrentHead,
  { policy, report, context }: ConsentBasis,
): Promise<PolicyEdit | null> {
  const { repository, head: edited, organisation } = head.policy;
  if (policy.state !== "found" || !isEdit(repository, edited)) return null;
  const isShown = canShowFigures(deps.operator, head.repository);
  const past = isShown ? await listNewestEvaluations(deps.db, key) : [];
  const input = {
    base: policy.policy,
    owner: String(head.repository.id),
    headText: toPolicyText(edited),
    organisation: toPolicyText(organisation),
    report: isShown ? report : null,
    context,
    pastPulls: past
      // An evaluation whose figures readers could not see stays redacted.
      .filter(({ pull, report: pastReport }) => pull.figures && pastReport.stages.length > 0)
      .map(({ pull, report: pastReport, context: pastContext }) => ({
        number: pull.number,
        report: pastReport,
        context: pastContext,
      })),
  };
  return describePolicyEdit(input, performInTime(deps.policies.proposed));
}

/**
 * Whether the head edits the policy. Only a readable difference is an edit: a fork's branch may contain an
 * older file, which a merge does not restore.
 */
function isEdit(base: HeadState["policy"]["head"], edited: HeadState["policy"]["head"]): boolean {
  if (edited.state === "unreadable" || base.state === "unreadable") return false;
  const blob = (file: typeof base) => (file.state === "found" ? file.blob : null);
  return blob(base) !== blob(edited);
}

/**
 * Returns a performer that stops waiting for its tasks when the time of the trial is over. A late task continues within its own limits.
 *
 * @throws TollgateError `evaluation_busy` from then on
 */
function performInTime(perform: PerformTask): PerformTask {
  const signal = AbortSignal.timeout(TRIAL_MS);
  const late = once(signal, "abort").then((): never => {
    throw new TollgateError("evaluation_busy", "policies took too long to evaluate", { retryable: true });
  });
  late.catch(() => {}); // the caller may have stopped waiting for it
  return (task) => (signal.aborted ? late : Promise.race([perform(task), late]));
}
