import type { HeadState } from "../github/head/head-state.ts";
import type { AllReadAttempts } from "../policy/decide/read-attempts.ts";
import {
  CONTEXT_READS,
  canStillBeRead,
  type FactReadAttempts,
  isOutage,
  listUnreadContext,
} from "../policy/decide/read-attempts.ts";
import { selectWantedFacts } from "../policy/decide/wanted-facts.ts";
import type { PolicyEdit } from "../policy/model/evaluation.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import type { PullFacts } from "../report/model/context.ts";
import { countAttempt, forgetAttempt, type ReadKey } from "../store/pulls.ts";
import type { GatheredFacts } from "./gather-facts.ts";
import { enqueueBudgetPulls, savePlans } from "./read-budget.ts";
import type { CurrentHead, PullRun } from "./run/deps.ts";

/** The input of a decision. */
export interface DecisionBasis extends GatheredFacts {
  readonly attempts: AllReadAttempts;
  /** The result of an earlier round of this evaluation; undefined: this is the first round. */
  readonly policyEdit?: PolicyEdit | null;
}

/**
 * Saves the facts that later evaluations need: the costs before the plans, and how often each unread fact was
 * tried.
 */
export async function recordFacts(
  { run, head, sinceMs }: CurrentHead,
  gathered: GatheredFacts,
): Promise<DecisionBasis> {
  const { deps, key } = run;
  const { policy, facts, report } = gathered;
  if (await savePlans(deps, { key, report, sinceMs })) await enqueueBudgetPulls(deps, key);
  return { ...gathered, attempts: await countUnread(run, { head, policy, facts }) };
}

interface UnreadInput {
  readonly head: HeadState;
  readonly policy: LoadedPolicy;
  readonly facts: PullFacts;
}

/** Counts an attempt for each ended execution with unknown facts, and for the context facts that rules need. */
async function countUnread(run: PullRun, read: UnreadInput): Promise<AllReadAttempts> {
  const { head, facts } = read;
  const made = new Map<string, FactReadAttempts>();
  for (const { org, project, executionId, cost, modules, counts } of facts.stages.filter(canStillBeRead)) {
    const before = made.get(executionId);
    const outage = before?.outage === true || [cost, modules, counts].some(isOutage);
    const tries = before ?? (await countRead(run, buildReadKey(head, { org, project, executionId })));
    made.set(executionId, { ...tries, outage });
  }
  const contextAttempts = await countContextAttempt(run, read);
  if (contextAttempts !== null) made.set(CONTEXT_READS, contextAttempts);
  return made;
}

/**
 * Counts an attempt for the context facts. Null: every context fact that rules need is known, so the count
 * starts again with the next outage.
 */
async function countContextAttempt(
  run: PullRun,
  { head, policy, facts }: UnreadInput,
): Promise<FactReadAttempts | null> {
  if (selectWantedFacts(policy).required.length === 0) return null;
  const key = buildReadKey(head, { org: "", project: "", executionId: CONTEXT_READS });
  if (listUnreadContext(policy, facts).length > 0) return { ...(await countRead(run, key)), outage: true };
  await forgetAttempt(run.deps.db, key);
  return null;
}

const countRead = ({ deps }: PullRun, key: ReadKey) => countAttempt(deps.db, key, new Date(deps.clock.now()));

const buildReadKey = (
  { repository, pull }: HeadState,
  execution: Pick<ReadKey, "org" | "project" | "executionId">,
): ReadKey => ({ repositoryId: repository.id, headSha: pull.headSha, ...execution });
