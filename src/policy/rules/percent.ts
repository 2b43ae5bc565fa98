import { ZERO } from "../../kernel/money.ts";
import { costMeasurements, type KnownLine } from "./cost-readings.ts";
import type { RuleKind, Value } from "./rule-kind.ts";

/** By how many percent more is paid. An increase from zero exceeds every limit; a decrease never exceeds any. */
export const percent: RuleKind = {
  pers: ["pull-request", "stage", "module", "resource-type"],
  parts: ["modules", "types"],
  read: (report, look) => costMeasurements(report, look, { amount: "change", falls: false, value: ratio }),
};

const ratio = ({ previous, change }: KnownLine): Value => ({
  kind: "percent",
  previous,
  change,
  rough:
    previous === ZERO ? roughFromZero(Number(change)) : (Number(change) * 100) / Math.abs(Number(previous)),
});

const roughFromZero = (change: number): number =>
  change > 0 ? Number.POSITIVE_INFINITY : Math.min(change, 0);
