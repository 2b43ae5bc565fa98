import type { PullKey } from "../../kernel/ids.ts";
import { type EnqueueDeps, enqueueLane } from "../../queue/enqueue.ts";
import { listBudgetPulls } from "../../store/after-merge/budget-use.ts";

/** Lanes that are enqueued when a budget's use changes; the sweep enqueues the rest. */
const AT_ONCE = 500;

/**
 * Enqueues the other pull requests under a budget. The chain of evaluations ends: each evaluation uses the
 * current budget use, and enqueues others only if its own contribution changed.
 */
export async function enqueueBudgetPulls(
  deps: EnqueueDeps,
  { repositoryId, number }: PullKey,
): Promise<void> {
  for (const other of await listBudgetPulls(deps.db, repositoryId, AT_ONCE))
    if (other !== number) await enqueueLane(deps, { kind: "pull", repositoryId, number: other });
}
