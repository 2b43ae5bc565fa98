import { compare, sum, ZERO } from "../../../kernel/money.ts";
import type { ChangeSum, OpenChanges } from "../../../store/history/open-pulls.ts";
import { formatAddress, type PageAddress } from "../../page/address.ts";
import { formatChanges } from "../../page/amounts.ts";
import { OUTCOME_STYLES } from "./outcomes.ts";

/** Sums of changes in which some pull requests are missing. */
interface PartialSums {
  /** One per currency. */
  readonly sums: readonly ChangeSum[];
  /** Number of pull requests whose change is unknown. */
  readonly unknown: number;
  /** Number of pull requests whose amounts this reader may not see. */
  readonly hidden: number;
}

/** Values of the tiles: open pull requests by verdict, each a link to its filter, and the change that waits in them. */
export function buildWaitingView(changes: readonly OpenChanges[], address: PageAddress) {
  const link = (verdict: string | null) =>
    formatAddress(address, { verdict, pulls_page: null, increases_page: null });
  const current = address.query["verdict"] ?? null;
  return {
    all: {
      pulls: changes.reduce((total, { pulls }) => total + pulls, 0),
      href: link(null),
      ...describeSums(addSums(changes)),
    },
    tiles: changes.map(({ outcome, pulls, ...sums }) => ({
      ...OUTCOME_STYLES[outcome],
      pulls,
      href: link(outcome),
      current: current === outcome,
      ...describeSums(sums),
    })),
  };
}

/** Words for sums of which a part is unknown or not shown. */
export const describeSums = ({ sums, unknown, hidden }: PartialSums) => ({
  amount: sums.length === 0 ? null : formatChanges(sums.toSorted((a, b) => b.pulls - a.pulls)),
  isAtLeast: unknown > 0 && sums.every(({ change }) => compare(change, ZERO) >= 0),
  unknown,
  hidden,
});

/** Adds sums per currency. */
export function addSums(parts: readonly PartialSums[]): PartialSums {
  const known = parts.flatMap(({ sums }) => sums);
  return {
    sums: [...Map.groupBy(known, ({ currency }) => currency)].map(([currency, own]) => ({
      currency,
      change: sum(own.map(({ change }) => change)),
      pulls: own.reduce((total, { pulls }) => total + pulls, 0),
    })),
    unknown: parts.reduce((total, one) => total + one.unknown, 0),
    hidden: parts.reduce((total, one) => total + one.hidden, 0),
  };
}
