import { isIntroduced, isOpenAfter } from "../../report/usage/usage-counts.ts";
import { findUsageDoubt } from "../../report/usage/usage-doubt.ts";
import { createCountRule } from "./count-rule.ts";
import { unknown } from "./doubts.ts";

/**
 * Limits the usage-based resources with unstated usage: new and changed ones, or all that exist after the
 * change.
 */
export const usage = createCountRule({
  parts: ["modules", "types"],
  rows: [],
  countItems: (stage, { includesExisting }) => {
    const because = findUsageDoubt(stage);
    if (because !== null || stage.usageBased === undefined)
      return { count: null, because: [unknown(because ?? "not_stated")] };
    const { resources, unnamed, unnamedUnchanged } = stage.usageBased;
    const own = resources.filter((one) => (includesExisting ? isOpenAfter(one) : isIntroduced(one)));
    return {
      count: own.length + unnamed + (includesExisting ? unnamedUnchanged : 0),
      because: [],
      items: own.map(({ address }) => `${stage.workspace}: ${address}`),
    };
  },
});
