import { measureFact } from "./measure-fact.ts";
import type { RuleKind } from "./rule-kind.ts";

/** Limits the open cost anomalies of the perspectives that the repository is granted. */
export const anomalies: RuleKind<"anomalies"> = {
  granularities: ["pull-request"],
  parts: [],
  read: ({ context }) =>
    measureFact(context.anomalies, ({ count, items }) => ({
      values: [{ kind: "count", count }],
      items: items.map(({ id, resource }) => `${resource} (${id})`),
      because: [],
    })),
};
