import { usageBecause } from "../../report/usage/usage-because.ts";
import { isIntroduced, isOpenAfter } from "../../report/usage/usage-counts.ts";
import { unknown } from "./because.ts";
import { countRule } from "./count-rule.ts";

/** Resources whose price depends on usage that nobody stated: new and changed ones, or all that there are afterwards. */
export const usage = countRule({
  parts: ["modules", "types"],
  rows: [],
  countOf: (stage, { includesExisting }) => {
    const because = usageBecause(stage);
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
