import { createCountRule } from "./count-rule.ts";
import { findInvocationsDoubt, unknown } from "./doubts.ts";

/** Limits the actions that the plan invokes. */
export const invocations = createCountRule({
  parts: ["modules", "types"],
  rows: [],
  countItems: (stage) => {
    const because = findInvocationsDoubt(stage);
    if (because !== null || stage.planNotes === undefined)
      return { count: null, because: [unknown(because ?? "not_stated")] };
    const { listed, more } = stage.planNotes.invocations;
    const items = listed.map(({ address }) => `${stage.workspace}: ${address}`);
    return { count: listed.length + more, because: [], items };
  },
});
