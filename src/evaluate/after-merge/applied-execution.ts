import { absolute, compare, minus } from "../../kernel/money.ts";
import type { Saving } from "../../report/model/context.ts";
import type { StageCost } from "../../report/model/facts.ts";

/** What one applied run did. */
export interface AppliedExecution {
  /** Its planned changes by address: each kind that was found. */
  readonly changes: ReadonlyMap<string, ReadonlySet<string>>;
  /** Null: it has no estimate that can be relied on. */
  readonly cost: StageCost | null;
}

/**
 * Whether an applied run did what a recommendation says, as far as that is certain: its resource is gone and was not made
 * again, or it was changed and costs less by at least what was to be saved. Anything else may be another change of it.
 */
export function isCarriedOut({ address, monthly }: Saving, { changes, cost }: AppliedExecution): boolean {
  const done = changes.get(address);
  if (done === undefined) return false;
  if (done.has("deleted") && !done.has("added")) return true;
  if (!done.has("changed") && !done.has("added")) return false;
  const own = cost?.groups.flatMap(({ resources }) => resources).find((one) => one.address === address);
  if (own === undefined || own.before === null || own.after === null) return false;
  if (cost?.currency !== monthly.currency || compare(own.after, own.before) >= 0) return false;
  return compare(absolute(minus(own.after, own.before)), monthly.amount) >= 0;
}
