import type { QueuedPull } from "../github/head/merge-group.ts";
import { joinReports } from "../report/join.ts";
import { NO_CONTEXT } from "../report/model/context.ts";
import { UNREAD_ATTRIBUTES } from "../report/model/resource-attributes.ts";
import { computeDigest } from "../store/digest.ts";
import type { StoredEvaluation } from "../store/evaluations.ts";
import { addCodeOwners } from "./code-owners.ts";
import { parseOneShotBase } from "./comment-content.ts";
import { readConsents } from "./consent.ts";
import type { GroupExecutions } from "./group-executions.ts";
import type { CheckPolicy } from "./load-policy.ts";
import { makeDecision } from "./make-decision.ts";
import { refreshHead } from "./refresh-head.ts";
import type { GroupRun } from "./run/deps.ts";
import { getFindings } from "./stored-verdict.ts";

interface JobEntryQuery extends CheckPolicy, QueuedPull {
  readonly executions: GroupExecutions;
}

/**
 * Evaluates a queued pull request in a CI job, which has no evaluation of it: by the executions of the group, with its own approvals. It
 * passes where the check of exactly its queued head does, which another job wrote, no expected workspace is missing, and nobody objects to what
 * the group plans. Null: there is no such check.
 *
 * @throws TollgateError `github_failed`
 */
export async function evaluateJobEntry(
  { deps, key: { repositoryId }, fence, attempt, group }: GroupRun,
  { number, headSha, executions, checkName, ...query }: JobEntryQuery,
): Promise<StoredEvaluation | null> {
  const current = await refreshHead(deps, { key: { repositoryId, number }, fence, attempt });
  const check = current?.head.checks.find(
    ({ name, externalId }) =>
      name === checkName && parseOneShotBase(externalId) === computeDigest(group.base_ref),
  );
  if (current?.head.pull.headSha !== headSha || check?.status !== "completed") return null;
  const ended = executions.kind === "ended" ? executions : null;
  const { policy } = await addCodeOwners(current, { checkName, ...query });
  const { stored } = await makeDecision(current, {
    policy,
    checkName,
    facts: ended?.facts ?? { stages: [], refused: [], context: NO_CONTEXT },
    report: ended?.report ?? joinReports([]),
    attributes: UNREAD_ATTRIBUTES,
    consents: await readConsents(current, policy),
    shownFacts: null,
    attempts: new Map(),
    policyEdit: null,
  });
  const { situation } = stored.evaluation;
  const isPlanned = ended === null || situation.kind === "evaluated" || situation.kind === "nothing_expected";
  const isHeld = getFindings(stored).some(({ objections }) => objections !== undefined);
  const hasPassed = check.conclusion === "success" || check.conclusion === "neutral";
  const conclusion = hasPassed && isPlanned && !isHeld ? "success" : "failure";
  return { ...stored, evaluation: { ...stored.evaluation, check: { status: "completed", conclusion } } };
}
