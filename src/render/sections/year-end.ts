import { type DaySpan, fromMonthParts, toMonthParts } from "../../kernel/fiscal-periods.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import { formatUtcDay } from "../format.ts";
import { buildAmountView } from "./amount.ts";
import type { Section, SectionSource } from "./section.ts";

/** The section with what merging costs until the end of the fiscal year, where the policy asks for it and figures are shown. */
export const buildYearEndSection = ({ evaluation }: SectionSource): Section => ({
  template: "year-end",
  view: () => (evaluation.yearSpan === undefined ? null : buildYearEndView(evaluation, evaluation.yearSpan)),
});

function buildYearEndView({ pull, report }: Evaluation, span: DaySpan) {
  const totals = report.totals.map((total) => ({
    ...total,
    change: total.change && fromMonthParts(toMonthParts(total.change, span)),
  }));
  const { state, ...amount } = buildAmountView({ pull, report: { ...report, totals } });
  if (state === "redacted" || state === "none") return null;
  const [from, until] = [span.from, span.to].map((day) => formatUtcDay(Date.parse(day)));
  return { ...amount, state, from, until };
}
