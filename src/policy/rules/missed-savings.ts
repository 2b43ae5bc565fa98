import { type Money, ZERO } from "../../kernel/money.ts";
import { listMissedSavings } from "../../report/model/context.ts";
import { measureFact } from "./measure-fact.ts";
import type { RuleKind } from "./rule-kind.ts";

/** Limits the recommended monthly savings on resources that the pull request touches. */
export const missedSavings: RuleKind<"missed-savings"> = {
  granularities: ["pull-request"],
  parts: [],
  read: ({ context }, { limit }) =>
    measureFact(context.savings, ({ totals, items, unmatched }) => ({
      values: totals.length === 0 ? [createZeroValue(limit.amount)] : totals.map(toMoneyValue),
      items: listMissedSavings({ items }).map(({ workspace, address }) => `${workspace}: ${address}`),
      because: unmatched > 0 ? [{ kind: "partial" }] : [],
    })),
};

const toMoneyValue = ({ amount, currency }: Money) => ({ kind: "money", amount, currency }) as const;

const createZeroValue = ({ currency }: Money) => ({ kind: "money", amount: ZERO, currency }) as const;
