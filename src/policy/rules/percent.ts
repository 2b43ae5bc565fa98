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
});
