import type { AllReadAttempts } from "../policy/decide/read-attempts.ts";
import type { PolicyEdit } from "../policy/model/evaluation.ts";
import { enqueueBudgetPulls } from "./budgets/enqueue-pulls.ts";
import { savePlans } from "./budgets/read-budget.ts";
import { countUnread } from "./count-unread.ts";
import type { GatheredFacts } from "./gather-facts.ts";
import type { CurrentHead } from "./run/pull-run.ts";

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
