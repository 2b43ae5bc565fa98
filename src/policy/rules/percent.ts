import { ZERO } from "../../kernel/money.ts";
import { type KnownLine, measureCosts } from "./measure-costs.ts";
import type { RuleKind, SubjectValue } from "./rule-kind.ts";

/** Limits an increase in percent. An increase from zero exceeds every limit; a decrease never exceeds any. */
export const percent: RuleKind = {
  granularities: ["pull-request", "stage", "module", "resource-type"],
  parts: ["modules", "types"],
  read: (report, input) =>
    measureCosts(report, input, { amount: "change", hasDecreaseLimit: false, value: toPercentValue }),
};

const toPercentValue = ({ before, change }: KnownLine): SubjectValue => ({
  kind: "percent",
  before,
  change,
  rough:
    before === ZERO
      ? computeRoughFromZero(Number(change))
      : (Number(change) * 100) / Math.abs(Number(before)),
});

const computeRoughFromZero = (change: number): number =>
  change > 0 ? Number.POSITIVE_INFINITY : Math.min(change, 0);
