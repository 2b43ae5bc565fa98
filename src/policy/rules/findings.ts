import type { Decimal } from "../../kernel/money.ts";
import {
  absolute,
  compare,
  computePercentChange,
  decimal,
  HUNDRED,
  plus,
  times,
  ZERO,
} from "../../kernel/money.ts";
import {
  type Finding,
  type FindingOutcome,
  listGroupsOf,
  type MeasuredValue,
  type ScopeMismatch,
} from "../model/finding.ts";
import type { Limit, Rule } from "../model/policy.ts";
import { selectUniqueReasons, unknown } from "./doubts.ts";
import { createUndecided, type Measurement, type SubjectValue } from "./measurement.ts";

/** Largest number of subjects per outcome with a finding of their own; further ones are counted. */
const MAX_FINDINGS = 100;

/** Returns the findings of one rule on its measurements. */
export function buildFindings(rule: Rule, readings: readonly Measurement[]): readonly Finding[] {
  const bound = toBound(rule.limit);
  const own = readings.map((reading) => doubtOtherCurrency(rule.limit, reading));
  const measurements: RuleMeasurements = {
    undecided: own.filter(({ value }) => value === null),
    decided: own.filter(({ value }) => value !== null).sort(byLargestValue),
  };
  const { undecided, decided } =
    rule.per === "pull-request" ? combineMeasurements(measurements) : measurements;
  const violated = decided.filter(({ value }) => value !== null && isAboveBound(value, bound));
  if (violated.length + undecided.length > 0)
    return [
      ...limitFindings(violated, (reading) => toFinding(rule, reading, "violated")),
      ...limitFindings(undecided, (reading) => toFinding(rule, reading, "undecided")),
    ];
  const [closest = EMPTY_MEASUREMENT, ...others] = decided;
  return [{ ...toFinding(rule, closest, "passed"), others: others.length }];
}

/** The passed finding of a rule that has nothing to measure. */
export const createEmptyPass = (rule: Rule): Finding => toFinding(rule, EMPTY_MEASUREMENT, "passed");

/** The finding of a rule whose scope matches nothing of the pull request. */
export const createNotApplicable = (rule: Rule, mismatch: ScopeMismatch): Finding => ({
  ...toFinding(rule, EMPTY_MEASUREMENT, "not_applicable"),
  mismatch,
});

/** The measurement where nothing is counted and nothing is missing: the rule passes. */
const EMPTY_MEASUREMENT: Measurement = { subject: null, value: null, because: [] };

/** The measurements that a rule can evaluate, largest first, and those that it cannot. */
interface RuleMeasurements {
  readonly undecided: readonly Measurement[];
  readonly decided: readonly Measurement[];
}

/** An amount in another currency than the limit's is undecided. */
function doubtOtherCurrency(limit: Limit, reading: Measurement): Measurement {
  const { subject, value } = reading;
  if (!("amount" in limit) || value?.kind !== "money") return reading;
  const { currency: expected } = limit.amount;
  return value.currency === expected
    ? reading
    : { subject, value: null, because: [{ kind: "other_currency", found: value.currency, expected }] };
}

/** Combines the measurements into one for the whole pull request: undecided if any part is, else the largest value. */
function combineMeasurements({ undecided, decided }: RuleMeasurements): RuleMeasurements {
  const because = selectUniqueReasons(undecided.flatMap((reading) => reading.because));
  const all = [...undecided, ...decided];
  if (because.length === 0 && all.length > 0) return { undecided: [], decided: decided.slice(0, 1) };
  const stays = all.length > 0 && all.every(({ isRaised }) => isRaised === false);
  const whole = createUndecided(because.length > 0 ? because : [unknown("not_read")]);
  const tagProblems = all.flatMap((reading) => reading.tagProblems ?? []);
  return {
    undecided: [{ ...whole, tagProblems, ...(stays && { isRaised: false }) }],
    decided: [],
  };
}

/** Orders values; only equal doubles would need exact arithmetic, and their order says nothing. */
export function rankValue(value: SubjectValue | null): number {
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

/** Findings of the first measurements; the last one counts the others. */
const limitFindings = (
  readings: readonly Measurement[],
  createFinding: (reading: Measurement) => Finding,
): readonly Finding[] =>
  readings.slice(0, MAX_FINDINGS).map((reading, index) => ({
    ...createFinding(reading),
    others: index === MAX_FINDINGS - 1 ? readings.length - MAX_FINDINGS : 0,
  }));

function toFinding(rule: Rule, reading: Measurement, outcome: FindingOutcome): Finding {
  const { subject, value, because, items = [], tagProblems = [], drivers = [] } = reading;
  const { id, limit, per, perTag, mandatory, enforceFromMs } = rule;
  const isMild = reading.isRaised === false && outcome !== "passed";
  const measured = value === null ? null : toMeasuredValue(value, toBound(limit));
  return {
    rule: id,
    outcome,
    enforce: isMild ? "warn" : rule.enforce,
    onUnknown: isMild ? "warn" : rule.onUnknown,
    ...(enforceFromMs !== undefined && { enforceFromMs }),
    mandatory,
    limit,
    per,
    ...(perTag !== undefined && { perTag }),
    subject,
    others: 0,
    measured,
    ...(isMild && outcome === "violated" && ({ alreadyAbove: true } as const)),
    because,
    message: outcome === "violated" ? formatMessage(rule, measured) : null,
    items: outcome === "violated" ? items : [],
    ...(tagProblems.length > 0 && outcome !== "passed" && { tagProblems }),
    ...(outcome === "violated" && drivers.length > 0 && { drivers }),
    waiver: null,
    approve: selectApprovers(rule.approve, subject),
    ...(rule.codeOwners && { codeOwners: rule.codeOwners }),
    approved: false,
  };
}

/** Who may approve a finding about this subject (null: an unknown one, or all); null: nobody. */
const selectApprovers = (approve: Rule["approve"], subject: string | null): Rule["approve"] =>
  approve !== null && subject !== null && listGroupsOf(approve, subject).length === 0 ? null : approve;

/** The rule's message with the measured count in place of its placeholder; null: none. */
function formatMessage({ message }: Rule, measured: MeasuredValue | null): string | null {
  const count = measured !== null && "count" in measured ? measured.count : null;
  return message?.replaceAll("{{count}}", count === null ? "?" : String(count)) ?? null;
}

/** The limit of a rule as a number; a condition has none, which is zero. */
function toBound(limit: Limit): Decimal {
  if ("amount" in limit) return limit.amount.amount;
  if ("percent" in limit) return limit.percent;
  return limit.kind === "when" ? ZERO : decimal(String(limit.count));
}

/** Whether a value exceeds a limit, exactly. Reaching a limit is allowed. */
function isAboveBound(value: SubjectValue, bound: Decimal): boolean {
  switch (value.kind) {
    case "count":
      return value.count > Number(bound);
    case "money":
      return compare(value.amount, bound) > 0;
    case "percent":
      return isAbovePercent(value, bound);
    case "condition":
      return value.isTrue;
  }
}

type PercentValue = Extract<SubjectValue, { kind: "percent" }>;

const isAbovePercent = ({ before, change }: PercentValue, limit: Decimal): boolean =>
  before === ZERO
    ? compare(change, ZERO) > 0
    : compare(times(change, HUNDRED), times(limit, absolute(before))) > 0;

/** The measured value of a finding; null: a decrease from zero has no percentage. */
function toMeasuredValue(value: SubjectValue, limit: Decimal): MeasuredValue | null {
  switch (value.kind) {
    case "count":
      return { kind: "count", count: value.count };
    case "money":
      return { kind: "money", amount: value.amount, currency: value.currency };
    case "percent":
      return toMeasuredPercent(value, limit);
    case "condition":
      return value.isTrue ? { kind: "condition", count: value.count } : null;
  }
}

/** With two decimal places; a percentage that would be rounded to its limit gets further ones. */
function toMeasuredPercent({ before, change }: PercentValue, limit: Decimal): MeasuredValue | null {
  if (before === ZERO && compare(change, ZERO) > 0) return { kind: "increase_from_zero" };
  const after = plus(before, change);
  const precise = [2, 5, 8, 14, 26].map((places) => computePercentChange(before, after, places));
  const percent = precise.find((one) => one !== limit) ?? precise[0];
  return percent == null ? null : { kind: "percent", percent };
}
