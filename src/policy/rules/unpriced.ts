import { unpricedBecause } from "../../report/stages/changes.ts";
import { unknown } from "./because.ts";
import { countRule } from "./count-rule.ts";

/** Resources that the estimator found and cannot price. */
export const unpriced = countRule({
  parts: ["types"],
  rows: [],
  countOf: (stage) => {
    const because = unpricedBecause(stage);
    return { count: stage.unpriced?.count ?? null, because: because === null ? [] : [unknown(because)] };
  },
});
