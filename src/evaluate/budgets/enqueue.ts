import type { PullKey } from "../../kernel/ids.ts";
import { type EnqueueDeps, enqueueLane } from "../../queue/enqueue.ts";
import { pullsUnderBudget } from "../../store/after-merge/budget-use.ts";

/** Lanes woken because what counts towards budgets changed; the sweep visits the rest. */
const AT_ONCE = 500;

/**
 * Other pull requests under a budget look again. It ends: each looks at what counts when it decides and decides anew if that
 * changed meanwhile, so a lane wakes others only when what it lets through is not what it was.
 */
export async function enqueueBudgetPulls(
  deps: EnqueueDeps,
  { repositoryId, number }: PullKey,
): Promise<void> {
  for (const other of await pullsUnderBudget(deps.db, repositoryId, AT_ONCE))
    if (other !== number) await enqueueLane(deps, { kind: "pull", repositoryId, number: other });
}
