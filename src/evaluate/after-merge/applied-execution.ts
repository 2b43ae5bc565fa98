import { absolute, compare, minus } from "../../kernel/money.ts";
import type { Saving } from "../../report/model/context.ts";
import type { StageCost } from "../../report/model/facts.ts";

/** The effect of one applied execution. */
export interface AppliedExecution {
  /** The kinds of its planned changes by address. */
  readonly changes: ReadonlyMap<string, ReadonlySet<string>>;
  /** Null: there is no reliable estimate. */
  readonly cost: StageCost | null;
}

/**
 * Whether an applied execution certainly carried out a recommendation: its resource was deleted and not
 * created again, or it was changed and its cost fell by at least the recommended saving. Any other change may
 * have another reason.
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
