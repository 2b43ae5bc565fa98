import { measureFact } from "./measure-fact.ts";
import type { RuleKind } from "./rule-kind.ts";

/** Evaluations of the governance engine that did not pass, on the newest day that it tells. */
export const governanceFailures: RuleKind<"governance-failures"> = {
  pers: ["pull-request"],
  parts: [],
  read: ({ context }) =>
    measureFact(context.governance, ({ failed }) => ({
      values: [{ kind: "count", count: failed }],
      items: [],
      because: [],
    })),
};
