import { type Bound, boundOf, exceeds, measuredOf } from "./compare.ts";
import type { Finding, Outcome, Undecided } from "./finding.ts";
import type { Rule } from "./policy.ts";
import { unique, unknown } from "./rules/because.ts";
import type { Reading, Value } from "./rules/rule-kind.ts";

/** Subjects of one outcome that get a finding of their own; the rest is counted. */
const MAX_FINDINGS = 100;

/** What one rule says about all that it looks at. */
export function findingsOf(rule: Rule, readings: readonly Reading[]): readonly Finding[] {
  const bound = boundOf(rule.limit);
  const seen = readings.map((reading) => inCurrencyOf(rule, reading));
  const judged = rule.per === "pull-request" ? [together(seen)] : seen;
  const undecided = judged.filter(({ value }) => value === null);
  const violated = judged.filter((reading) => isViolated(reading, bound));
  const say = (outcome: Outcome) => (reading: Reading, others: number) =>
    toFinding(rule, { ...reading, outcome, others, bound });
  if (violated.length + undecided.length > 0) {
    return [...listed(violated.sort(largestFirst), say("violated")), ...listed(undecided, say("undecided"))];
  }
  return [say("passed")(judged.reduce(larger, NOTHING), Math.max(0, judged.length - 1))];
}

/** Nothing to look at and nothing missing: the rule holds. */
const NOTHING: Reading = { subject: null, value: null, because: [] };

const isViolated = ({ value }: Reading, bound: Bound): boolean => value !== null && exceeds(value, bound);

/** Money of another currency than the limit's cannot be compared with it. */
function inCurrencyOf({ limit }: Rule, reading: Reading): Reading {
  const { value, subject } = reading;
  if (!("amount" in limit) || value?.kind !== "money" || value.currency === limit.amount.currency) {
    return reading;
  }
  const because = [
    { kind: "other_currency", found: value.currency, expected: limit.amount.currency } as const,
  ];
  return { subject, value: null, because };
}

/** The whole pull request as one subject: undecided when any part of it is, else its largest value. */
function together(readings: readonly Reading[]): Reading {
  const because: readonly Undecided[] = unique(readings.flatMap((reading) => reading.because));
  if (because.length > 0) return { subject: null, value: null, because };
  const [first, ...others] = readings;
  if (first === undefined) return { subject: null, value: null, because: [unknown("not_read")] };
  return others.reduce(larger, first);
}

const sizeOf = (value: Value | null): number => {
  if (value === null) return Number.NEGATIVE_INFINITY;
  return value.kind === "count" ? value.count : value.rough;
};

const larger = (a: Reading, b: Reading): Reading => (sizeOf(b.value) > sizeOf(a.value) ? b : a);

/** A difference of two infinities is no order, hence the comparison. */
function largestFirst(a: Reading, b: Reading): number {
  const [left, right] = [sizeOf(a.value), sizeOf(b.value)];
  return left === right ? 0 : Math.sign(right - left);
}

function listed(
  readings: readonly Reading[],
  say: (reading: Reading, others: number) => Finding,
): readonly Finding[] {
  const shown = readings.slice(0, MAX_FINDINGS);
  const left = readings.length - shown.length;
  return shown.map((reading, index) => say(reading, index === shown.length - 1 ? left : 0));
}

type Said = Reading & Pick<Finding, "outcome" | "others"> & { readonly bound: Bound };

function toFinding(rule: Rule, { subject, value, because, outcome, others, bound }: Said): Finding {
  const { id, limit, per, enforce, onUnknown, mandatory } = rule;
  const measured = value === null ? null : measuredOf(value, bound);
  return {
    rule: id,
    outcome,
    enforce,
    onUnknown,
    mandatory,
    limit,
    per,
    subject,
    others,
    measured,
    because,
    approvable: false,
  };
}
