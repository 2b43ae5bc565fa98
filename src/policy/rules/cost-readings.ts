import type { Decimal } from "../../kernel/money.ts";
import { isRounding } from "../../report/cost/sums.ts";
import type { CostLine, Report, StageReport } from "../../report/report.ts";
import type { Undecided } from "../finding.ts";
import { becauseOf, gapsOf, unique, unknown } from "./because.ts";
import type { Look, Reading, Value } from "./rule-kind.ts";

/** A line of money beside what it is about. */
interface Subject {
  readonly subject: string | null;
  readonly line: CostLine;
}

/** What a limit on money reads of a line, and which amount that is: a rest of it that belongs to no subject matters. */
export interface CostMeasure {
  readonly amount: "change" | "current";
  value(line: KnownLine): Value;
}

/** A line that can be judged. */
export interface KnownLine {
  readonly previous: Decimal;
  readonly current: Decimal;
  readonly change: Decimal;
  readonly currency: string;
}

/** One reading per line, and one more where lines are missing. */
export function costReadings(report: Report, look: Look, measure: CostMeasure): readonly Reading[] {
  const readings = subjectsOf(report, look).map(({ subject, line }): Reading => {
    const known = asKnown(line);
    if (known !== null) return { subject, value: measure.value(known), because: [] };
    const because = becauseOf(line);
    return { subject, value: null, because: because.length > 0 ? because : [unknown("not_stated")] };
  });
  const missing = unique(missingFrom(report, look, measure.amount));
  return missing.length === 0 ? readings : [...readings, { subject: null, value: null, because: missing }];
}

function subjectsOf(report: Report, { per, names }: Look): readonly Subject[] {
  switch (per) {
    case "pull-request":
      return report.totals.map((line) => ({ subject: null, line }));
    case "stage":
      return report.stages.map((line) => ({ subject: names.labelOf(line), line }));
    case "module":
      return report.modules.flatMap((line) => (line.unattributed ? [] : [{ subject: line.module, line }]));
    case "resource-type":
      return report.resourceTypes.flatMap((line) =>
        line.unattributed ? [] : [{ subject: line.type, line }],
      );
  }
}

function asKnown({ state, previous, current, change, currency }: CostLine): KnownLine | null {
  if (state !== "known" || previous === null || current === null || change === null || currency === null) {
    return null;
  }
  return { previous, current, change, currency };
}

/** Why subjects may be missing from the lines, or money from all of them. */
function missingFrom(report: Report, { per }: Look, amount: CostMeasure["amount"]): readonly Undecided[] {
  const untoldAmounts = report.stages.some(({ narrowed }) => narrowed?.amountsAreWhole === false);
  const gaps = [...gapsOf(report), ...(amount === "current" && untoldAmounts ? [PARTIAL] : [])];
  if (per === "stage") return gaps;
  const doubted = report.stages.flatMap(becauseOf);
  if (per === "pull-request") return report.totals.length > 0 ? gaps : [...gaps, ...doubted];
  const lines = per === "module" ? report.modules : report.resourceTypes;
  const rests = lines.filter((line) => line.unattributed && !isRounding(line[amount]));
  const untold = per === "module" ? report.modulesBecause.map(unknown) : [];
  const listless = report.stages.filter((stage) => isListless(stage, per));
  return [...gaps, ...doubted, ...untold, ...[...rests, ...listless].map(() => PARTIAL)];
}

const PARTIAL: Undecided = { kind: "partial" };

/** A stage whose cost is known and not how it divides. */
const isListless = (stage: StageReport, per: "module" | "resource-type"): boolean => {
  const { currency, modules, modulesBecause, types } = stage;
  return (
    currency !== null && (per === "module" ? modules === null && modulesBecause === null : types === null)
  );
};
