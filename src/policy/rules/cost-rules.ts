import { compare, type Decimal, negate, ZERO } from "../../kernel/money.ts";
import type { CostLine, Report, StageReport } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import { isRounding } from "../../report/totals.ts";
import type { UndecidedReason } from "../model/finding.ts";
import type { RuleGranularity } from "../model/policy.ts";
import {
  buildLineKey,
  createUsageDoubts,
  listAfterDoubts,
  listLineDoubts,
  listReportGaps,
  selectUniqueReasons,
  unknown,
} from "./doubts.ts";
import type { MeasureInput, Measurement, RuleKind, SubjectValue } from "./rule-kind.ts";

/** A cost line and its subject. */
interface CostSubject {
  /** See `buildLineKey`. */
  readonly key: string;
  readonly subject: string | null;
  readonly line: CostLine;
}

/**
 * The value that a limit on money reads from a line, and the amount that it depends on. A rest of that amount
 * without a subject makes the rule undecided.
 */
export type CostMeasure = {
  /** The rule depends on how far the amount may fall, not only on how far it may rise. */
  readonly hasDecreaseLimit: boolean;
} & (
  | { readonly amount: "change"; value(line: KnownLine): SubjectValue }
  | { readonly amount: "after"; value(line: KnownAfter): SubjectValue }
);

/** A line whose cost afterwards is known. */
export interface KnownAfter {
  readonly after: Decimal;
  readonly currency: string;
}

/** A line with a known change. */
export interface KnownLine extends KnownAfter {
  readonly before: Decimal;
  readonly change: Decimal;
}

/** Returns one measurement per line, and one for missing lines. */
export function measureCosts(
  report: Report,
  input: MeasureInput,
  measure: CostMeasure,
): readonly Measurement[] {
  const subjects = listSubjects(report, input);
  const used = createUsageDoubts(report, input.per, measure.hasDecreaseLimit);
  const readings = subjects.map(({ subject, line, key }): Measurement => {
    const doubts = measure.amount === "after" ? listAfterDoubts(line) : listLineDoubts(line);
    const because = [...doubts, ...used.listWithin(key)];
    const value = because.length === 0 ? measureLine(line, measure) : null;
    if (value !== null)
      return { subject, value, because: [], ...(stays(line, measure) && { isRaised: false }) };
    return { subject, value: null, because: because.length > 0 ? because : [unknown("not_stated")] };
  });
  const elsewhere = used.listOutside(new Set(subjects.map(({ key }) => key)));
  const missing = selectUniqueReasons([...listMissingReasons(report, input, measure.amount), ...elsewhere]);
  return missing.length === 0 ? readings : [...readings, { subject: null, value: null, because: missing }];
}

/** The value of a line; null: it does not state the amounts that the rule reads. */
function measureLine(line: CostLine, measure: CostMeasure): SubjectValue | null {
  const { before, after, change, currency } = line;
  if (after === null || currency === null) return null;
  if (measure.amount === "after") return measure.value({ after, currency });
  return before === null || change === null ? null : measure.value({ before, after, change, currency });
}

/** A cost after the change exceeds a limit only if this change raises it. An unknown change may raise it. */
const stays = ({ change }: CostLine, { amount }: CostMeasure): boolean =>
  amount === "after" && change !== null && compare(change, ZERO) <= 0;

function listSubjects(report: Report, { per, names }: MeasureInput): readonly CostSubject[] {
  switch (per) {
    case "pull-request":
      return report.totals.map((line) => ({ subject: null, line, key: buildLineKey(line.currency) }));
    case "stage":
      return report.stages.map((line) => ({
        subject: names.getLabel(line),
        line,
        key: buildLineKey(buildStageKey(line)),
      }));
    case "module":
      return report.modules.flatMap((line) =>
        line.unattributed
          ? []
          : [{ subject: line.module, line, key: buildLineKey(line.currency, line.module) }],
      );
    case "resource-type":
      return report.resourceTypes.flatMap((line) =>
        line.unattributed ? [] : [{ subject: line.type, line, key: buildLineKey(line.currency, line.type) }],
      );
  }
}

/** Why subjects may be missing from the lines, or amounts may be missing from all lines. */
function listMissingReasons(
  report: Report,
  { per }: MeasureInput,
  amount: CostMeasure["amount"],
): readonly UndecidedReason[] {
  const unknownAmounts = report.stages.some(({ narrowed }) => narrowed?.amountsAreWhole === false);
  const gaps = [...listReportGaps(report), ...(amount === "after" && unknownAmounts ? [PARTIAL] : [])];
  if (per === "stage") return gaps;
  const doubted = report.stages.flatMap(amount === "after" ? listAfterDoubts : listLineDoubts);
  if (per === "pull-request") return report.totals.length > 0 ? gaps : [...gaps, ...doubted];
  const lines = per === "module" ? report.modules : report.resourceTypes;
  const rests = lines.filter((line) => line.unattributed && !isRounding(line[amount]));
  const unknownParts = per === "module" ? report.modulesBecause.map(unknown) : [];
  const listless = report.stages.filter((stage) => isListless(stage, per));
  return [...gaps, ...doubted, ...unknownParts, ...[...rests, ...listless].map(() => PARTIAL)];
}

const PARTIAL: UndecidedReason = { kind: "partial" };

/** Whether the cost of a stage is known, but not its division by `per`. */
const isListless = (stage: StageReport, per: "module" | "resource-type"): boolean => {
  const { currency, modules, modulesBecause, types } = stage;
  return (
    currency !== null && (per === "module" ? modules === null && modulesBecause === null : types === null)
  );
};

/** An amount of money that a rule limits. */
type MoneyMeasure = {
  readonly granularities: readonly RuleGranularity[];
} & (
  | { readonly amount: "change"; readonly hasDecreaseLimit?: boolean; read(line: KnownLine): Decimal }
  | { readonly amount: "after"; read(line: KnownAfter): Decimal }
);

/** Creates a limit on an amount of money. */
export function createMoneyRule(measure: MoneyMeasure): RuleKind {
  return {
    granularities: measure.granularities,
    parts: measure.amount === "change" ? ["modules", "types"] : ["modules"],
    read: (report, input) =>
      measure.amount === "change"
        ? measureCosts(report, input, {
            amount: "change",
            hasDecreaseLimit: measure.hasDecreaseLimit ?? false,
            value: (line) => toMoneyValue(measure.read(line), line),
          })
        : measureCosts(report, input, {
            amount: "after",
            hasDecreaseLimit: false,
            value: (line) => toMoneyValue(measure.read(line), line),
          }),
  };
}

const toMoneyValue = (amount: Decimal, { currency }: KnownAfter): SubjectValue => ({
  kind: "money",
  amount,
  currency,
});

/** Limits an increase of the cost; a decrease never exceeds it. */
export const increase = createMoneyRule({
  granularities: ["pull-request", "stage", "module", "resource-type"],
  amount: "change",
  read: ({ change }) => change,
});

/** Limits a decrease of the cost: a sudden saving is often a mistake. An increase never exceeds it. */
export const decrease = createMoneyRule({
  granularities: ["pull-request", "stage", "module", "resource-type"],
  amount: "change",
  hasDecreaseLimit: true,
  read: ({ change }) => negate(change),
});

/**
 * Limits the cost after the change. Not available per resource type, because groups list changed resources
 * only.
 */
export const total = createMoneyRule({
  granularities: ["pull-request", "stage", "module"],
  amount: "after",
  read: ({ after }) => after,
});

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
