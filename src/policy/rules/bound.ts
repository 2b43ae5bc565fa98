import {
  absolute,
  compare,
  computePercentChange,
  type Decimal,
  decimal,
  plus,
  times,
  ZERO,
} from "../../kernel/money.ts";
import type { MeasuredValue } from "../model/finding.ts";
import type { Limit } from "../model/policy.ts";
import type { SubjectValue } from "./rule-kind.ts";

/** The limit of a rule as a number; a condition has none, which is zero. */
export function toBound(limit: Limit): Decimal {
  if ("amount" in limit) return limit.amount.amount;
  if ("percent" in limit) return limit.percent;
  return limit.kind === "when" ? ZERO : decimal(String(limit.count));
}

/** Whether a value exceeds a limit, exactly. Reaching a limit is allowed. */
export function isAboveBound(value: SubjectValue, bound: Decimal): boolean {
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

const HUNDRED = decimal("100");

/** The measured value of a finding; null: a decrease from zero has no percentage. */
export function toMeasuredValue(value: SubjectValue, limit: Decimal): MeasuredValue | null {
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

function toMeasuredPercent({ before, change }: PercentValue, limit: Decimal): MeasuredValue | null {
  if (before === ZERO && compare(change, ZERO) > 0) return { kind: "increase_from_zero" };
  let percent: Decimal | null = null;
  for (const { up, down } of SCALES) {
    const scaled = computePercentChange(before, plus(before, times(change, up)));
    percent = scaled === null ? null : times(scaled, down);
    if (percent !== limit) break;
  }
  if (percent === limit) percent = computePercentChange(before, plus(before, change));
  return percent === null ? null : { kind: "percent", percent };
}

/** Two decimal places; a percentage that would be rounded to its limit gets further ones. */
const SCALES = [0, 3, 6, 12, 24].map((places) => ({
  up: decimal(`1${"0".repeat(places)}`),
  down: places === 0 ? decimal("1") : decimal(`0.${"0".repeat(places - 1)}1`),
}));
