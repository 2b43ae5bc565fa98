import type { Decimal } from "../../kernel/money.ts";
import type { Finding, FindingOutcome, MeasuredValue, ScopeMismatch } from "../model/finding.ts";
import type { Rule } from "../model/policy.ts";
import { isAboveBound, toBound, toMeasuredValue } from "./bound.ts";
import { selectUniqueReasons, unknown } from "./doubts.ts";
import type { Measurement, SubjectValue } from "./rule-kind.ts";

/** Largest number of subjects per outcome with a finding of their own; further ones are counted. */
const MAX_FINDINGS = 100;

/** Measurements for all rules of one kind and `per`, sorted once. */
export interface SortedMeasurements {
  readonly undecided: readonly Measurement[];
  /** By currency (`null` for values without one), largest first. */
  readonly decided: ReadonlyMap<string | null, readonly Measurement[]>;
}

export function sortMeasurements(readings: readonly Measurement[]): SortedMeasurements {
  const decided = readings.filter(({ value }) => value !== null).sort(byLargestValue);
  return {
    undecided: readings.filter(({ value }) => value === null),
    decided: Map.groupBy(decided, ({ value }) => (value?.kind === "money" ? value.currency : null)),
  };
}

/** Returns the findings of one rule on its measurements. */
export function buildFindings(rule: Rule, readings: SortedMeasurements): readonly Finding[] {
  const bound = toBound(rule.limit);
  const measurements = selectLimitCurrency(rule, readings);
  const { undecided, decided } =
    rule.per === "pull-request" ? combineMeasurements(measurements) : measurements;
  const violated = decided.filter(({ value }) => value !== null && isAboveBound(value, bound));
  const withOutcome = (outcome: FindingOutcome) => (reading: Measurement, others: number) =>
    toFinding(rule, { ...reading, outcome, others, bound });
  if (violated.length + undecided.length > 0) {
    return [
      ...limitFindings(violated, withOutcome("violated")),
      ...limitFindings(undecided, withOutcome("undecided")),
    ];
  }
  return [withOutcome("passed")(decided[0] ?? EMPTY_MEASUREMENT, Math.max(0, decided.length - 1))];
}

/** The passed finding of a rule that has nothing to measure. */
export const createEmptyPass = (rule: Rule): Finding =>
  toFinding(rule, { ...EMPTY_MEASUREMENT, outcome: "passed", others: 0, bound: toBound(rule.limit) });

/** The finding of a rule whose scope matches nothing of the pull request. */
export const createNotApplicable = (rule: Rule, mismatch: ScopeMismatch): Finding => ({
  ...toFinding(rule, {
    ...EMPTY_MEASUREMENT,
    outcome: "not_applicable",
    others: 0,
    bound: toBound(rule.limit),
  }),
  mismatch,
});

/** The measurement where nothing is counted and nothing is missing: the rule passes. */
const EMPTY_MEASUREMENT: Measurement = { subject: null, value: null, because: [] };

/** The measurements that a rule can evaluate, largest first, and those that it cannot. */
interface RuleMeasurements {
  readonly undecided: readonly Measurement[];
  readonly decided: readonly Measurement[];
}

/** Moves amounts in another currency than the limit's to the undecided ones. */
function selectLimitCurrency({ limit }: Rule, { undecided, decided }: SortedMeasurements): RuleMeasurements {
  if (!("amount" in limit)) return { undecided, decided: decided.get(null) ?? [] };
  const expected = limit.amount.currency;
  const others = [...decided].flatMap(([found, readings]) => {
    const because = [{ kind: "other_currency", found: found ?? "", expected } as const];
    return found === expected ? [] : readings.map(({ subject }) => ({ subject, value: null, because }));
  });
  return { undecided: [...others, ...undecided], decided: decided.get(expected) ?? [] };
}

/**
 * Combines the measurements into one for the whole pull request: undecided if any part is, else the largest
 * value.
 */
function combineMeasurements({ undecided, decided }: RuleMeasurements): RuleMeasurements {
  const because = selectUniqueReasons(undecided.flatMap((reading) => reading.because));
  const isEmpty = undecided.length + decided.length === 0;
  if (because.length === 0 && !isEmpty) return { undecided: [], decided: decided.slice(0, 1) };
  const reasons = isEmpty ? [unknown("not_read")] : because;
  const stays = !isEmpty && [...undecided, ...decided].every(({ isRaised: raises }) => raises === false);
  const reading: Measurement = {
    subject: null,
    value: null,
    because: reasons,
    ...(stays && { isRaised: false }),
  };
  return { undecided: [reading], decided: [] };
}

/** Orders measurements; only equal doubles would need exact arithmetic, and their order says nothing. */
function rankValue(value: SubjectValue | null): number {
  switch (value?.kind) {
    case undefined:
      return Number.NEGATIVE_INFINITY;
    case "condition":
      return Number(value.isTrue);
    case "count":
      return value.count;
    case "money":
      return Number(value.amount);
    case "percent":
      return rankPercent(Number(value.before), Number(value.change));
  }
}

/** An increase from zero is above every percentage. */
function rankPercent(before: number, change: number): number {
  if (before !== 0) return (change * 100) / Math.abs(before);
  return change > 0 ? Number.POSITIVE_INFINITY : Math.min(change, 0);
}

/** A comparison, because the difference of two infinities is NaN. */
function byLargestValue(a: Measurement, b: Measurement): number {
  const [left, right] = [rankValue(a.value), rankValue(b.value)];
  return left === right ? 0 : Math.sign(right - left);
}

function limitFindings(
  readings: readonly Measurement[],
  createFinding: (reading: Measurement, others: number) => Finding,
): readonly Finding[] {
  const firstReadings = readings.slice(0, MAX_FINDINGS);
  const left = readings.length - firstReadings.length;
  return firstReadings.map((reading, index) =>
    createFinding(reading, index === firstReadings.length - 1 ? left : 0),
  );
}

type EvaluatedMeasurement = Measurement & Pick<Finding, "outcome" | "others"> & { readonly bound: Decimal };

function toFinding(
  rule: Rule,
  { subject, value, because, items = [], outcome, others, bound, isRaised: raises }: EvaluatedMeasurement,
): Finding {
  const { id, limit, per, mandatory, approve } = rule;
  const isMild = raises === false && outcome !== "passed";
  const measured = value === null ? null : toMeasuredValue(value, bound);
  return {
    rule: id,
    outcome,
    enforce: isMild ? "warn" : rule.enforce,
    onUnknown: isMild ? "warn" : rule.onUnknown,
    mandatory,
    limit,
    per,
    subject,
    others,
    measured,
    ...(isMild && outcome === "violated" && ({ alreadyAbove: true } as const)),
    because,
    message: outcome === "violated" ? formatMessage(rule, measured) : null,
    items: outcome === "violated" ? items : [],
    waiver: null,
    approve,
    approved: false,
  };
}

/** The rule's message with the measured count in place of its placeholder; null: none. */
function formatMessage({ message }: Rule, measured: MeasuredValue | null): string | null {
  const count = measured !== null && "count" in measured ? measured.count : null;
  return message?.replaceAll("{{count}}", count === null ? "?" : String(count)) ?? null;
}
