import {
  type AllReadAttempts,
  CONTEXT_READS,
  canStillBeRead,
  type FactReadAttempts,
  isOutage,
  listUnreadContext,
} from "../policy/decide/read-attempts.ts";
import { selectWantedFacts } from "../policy/decide/wanted-facts.ts";
import { holdsCheck } from "../policy/model/finding.ts";
import { getVerdict } from "../policy/model/situation.ts";
import { formatLaneKey } from "../queue/names.ts";
import { enqueueLane } from "../queue/queue.ts";
import { hasChanges, saveApprovalChanges } from "../store/approvals/approvals.ts";
import type { VerdictRecord } from "../store/audit/decision-record.ts";
import { appendDecision } from "../store/audit/decisions.ts";
import { forgetCheckDigests } from "../store/check-runs.ts";
import { retryCommentsNow } from "../store/comment-problems.ts";
import { distrustComments } from "../store/comments.ts";
import { formatDecision, type StoredEvaluation, saveDecision } from "../store/evaluations.ts";
import { savePolicy } from "../store/history/write-evaluation.ts";
import { countAttempt, forgetAttempt, forgetAttempts, type ReadKey } from "../store/pulls.ts";
import { enqueueBudgetPulls, savePlans } from "./budgets.ts";
import type { Decision, DecisionBasis, GatheredFacts } from "./make-decision.ts";
import type { CurrentHead } from "./run/deps.ts";

/** Saves the facts that later evaluations need: the costs before the plans, and how often each unread fact was tried. */
export async function recordFacts(current: CurrentHead, gathered: GatheredFacts): Promise<DecisionBasis> {
  const { deps, key } = current;
  if (await savePlans(current, gathered)) await enqueueBudgetPulls(deps, key);
  return { ...gathered, attempts: await countUnread(current, gathered) };
}

/** Counts an attempt for each ended execution with unknown facts, and for the context facts that rules need. */
async function countUnread(current: CurrentHead, gathered: GatheredFacts): Promise<AllReadAttempts> {
  const made = new Map<string, FactReadAttempts>();
  const unread = gathered.facts.stages.filter(canStillBeRead);
  for (const { org, project, executionId, cost, modules, counts } of unread) {
    const before = made.get(executionId);
    const outage = before?.outage === true || [cost, modules, counts].some(isOutage);
    const tries = before ?? (await countRead(current, { org, project, executionId }));
    made.set(executionId, { ...tries, outage });
  }
  const contextAttempts = await countContextRead(current, gathered);
  if (contextAttempts !== null) made.set(CONTEXT_READS, contextAttempts);
  return made;
}

/**
 * Counts an attempt for the context facts. Null: every context fact that rules need is known, so the count
 * starts again with the next outage.
 */
async function countContextRead(
  current: CurrentHead,
  { policy, facts }: GatheredFacts,
): Promise<FactReadAttempts | null> {
  if (selectWantedFacts(policy).required.length === 0) return null;
  const reads = { org: "", project: "", executionId: CONTEXT_READS };
  if (listUnreadContext(policy, facts).length > 0)
    return { ...(await countRead(current, reads)), outage: true };
  await forgetAttempt(current.deps.db, buildReadKey(current, reads));
  return null;
}

type ExecutionReads = Pick<ReadKey, "org" | "project" | "executionId">;

const countRead = (current: CurrentHead, reads: ExecutionReads) =>
  countAttempt(current.deps.db, buildReadKey(current, reads), new Date(current.deps.clock.now()));

const buildReadKey = ({ head }: CurrentHead, reads: ExecutionReads): ReadKey => ({
  repositoryId: head.repository.id,
  headSha: head.pull.headSha,
  ...reads,
});

/**
 * Saves and audits a decision before anything is published, so that everything that GitHub shows is on
 * record. `superseded`: a later evaluation of the lane has started. `overtaken`: budgets changed, so the decision must be made again.
 */
export async function recordDecision(
  current: CurrentHead,
  decision: Decision,
): Promise<"saved" | "superseded" | "overtaken"> {
  const { deps, key, fence, attempt } = current;
  const { stored, budgetVersion } = decision;
  if (attempt.signal.aborted) return "superseded";
  const now = new Date(deps.clock.now());
  const saved = await saveDecision(deps.db, stored, { fence, now, budgetVersion });
  if (saved.state !== "saved") return saved.state;
  const isDecided = stored.evaluation.check.status !== "none";
  if (isDecided && !(await appendDecision(deps.db, buildVerdictRecord(stored), now, fence)))
    return "superseded";
  if (!saved.isPolicyStored && decision.policy.state === "found")
    await savePolicy(deps.db, { policyBlobs: stored.policyBlobs, policy: decision.policy.policy }, now);
  if (!(await saveConsents(current, decision))) return "superseded";
  if (saved.budgetsChanged) await enqueueBudgetPulls(deps, key);
  return "saved";
}

/** Builds the record of a verdict for the decision chain. */
function buildVerdictRecord({ evaluation, digest }: StoredEvaluation): VerdictRecord {
  const { pull, situation, check, checkName, policySources, override } = evaluation;
  const findings = getVerdict(situation)?.findings ?? [];
  return {
    kind: "verdict",
    repositoryId: pull.repositoryId,
    number: pull.number,
    headSha: pull.headSha,
    baseRef: pull.baseRef,
    checkName,
    digest,
    situation: situation.kind,
    decision: formatDecision(check),
    policyBlobs: policySources.map(({ blob }) => blob),
    findings: findings.map((finding) => {
      const { rule, outcome, subject } = finding;
      const isOpen = outcome === "violated" || outcome === "undecided";
      return { rule, outcome, subject, ...(isOpen && !holdsCheck(finding) && { holds: false }) };
    }),
    ...(override && { override: override.id }),
  };
}

/** Saves the changes of approvals and overrides, with the texts of the answers. False: a later evaluation has started. */
async function saveConsents(
  { deps, key, fence }: CurrentHead,
  { stored: { evaluation }, consents, hasMoreCommands }: Decision,
): Promise<boolean> {
  const now = new Date(deps.clock.now());
  const replies = consents.replies.map(({ commandSource, reaction, answer }) => ({
    commandSource,
    reaction,
    answer: answer === null ? null : deps.renderer.answer(answer, evaluation),
  }));
  const { records, recheck } = consents;
  const changes = {
    approvals: consents.newApprovals,
    endings: consents.approvalEndings,
    overrides: consents.newOverrides,
    overrideEndings: consents.overrideEndings,
    records,
    replies,
    pull: key,
  };
  if (hasChanges(changes) && !(await saveApprovalChanges(deps.db, changes, { fence, now }))) return false;
  const lane = { kind: "pull", ...key } as const;
  if (recheck) {
    // Like the Re-check button: check and comments are written again, and unknown facts are read again.
    await forgetCheckDigests(deps.db, key.repositoryId, evaluation.pull.headSha);
    await forgetAttempts(deps.db, key.repositoryId, evaluation.pull.headSha);
    await distrustComments(deps.db, formatLaneKey(lane), now);
    await retryCommentsNow(deps.db, key, now);
  }
  if (recheck || hasMoreCommands) await enqueueLane(deps, lane);
  return true;
}
