import { measureFact } from "./measure-fact.ts";
import type { RuleKind } from "./rule-kind.ts";

/** Limits the failed evaluations of the governance engine on their newest day. */
export const governanceFailures: RuleKind<"governance-failures"> = {
  granularities: ["pull-request"],
  parts: [],
  read: ({ context }) =>
    measureFact(context.governance, ({ failed }) => ({
      values: [{ kind: "count", count: failed }],
      items: [],
      because: [],
    })),
};
