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

/** The limit for comparisons: exact, and as a double for fast comparisons. */
export interface Bound {
  readonly exact: Decimal;
  readonly rough: number;
}

export function toBound(limit: Limit): Bound {
  if ("amount" in limit) return createBound(limit.amount.amount);
  if ("percent" in limit) return createBound(limit.percent);
  return createBound(limit.kind === "when" ? ZERO : decimal(String(limit.count)));
}

const createBound = (exact: Decimal): Bound => ({ exact, rough: Number(exact) });

/** Whether a value exceeds a limit, exactly. Reaching a limit is allowed. */
export function isAboveBound(value: SubjectValue, { exact, rough }: Bound): boolean {
  switch (value.kind) {
    case "count":
      return value.count > rough;
    case "money": // rounding to a double keeps the order, so only equal doubles need exact arithmetic
      return value.rough === rough ? compare(value.amount, exact) > 0 : value.rough > rough;
    case "percent":
      return isAbovePercent(value, exact);
    case "condition":
      return value.isTrue;
  }
}

type PercentValue = Extract<SubjectValue, { kind: "percent" }>;

/** Largest relative difference at which doubles may compare wrongly after a multiplication and a division. */
const DOUBLE_TOLERANCE = 1e-9;

function isAbovePercent({ before, change, rough }: PercentValue, limit: Decimal): boolean {
  if (before === ZERO) return compare(change, ZERO) > 0;
  const rest = rough - Number(limit);
  if (Math.abs(rest) > DOUBLE_TOLERANCE * Math.max(1, Math.abs(rough))) return rest > 0;
  return compare(times(change, HUNDRED), times(limit, absolute(before))) > 0;
}

const HUNDRED = decimal("100");

/** The measured value of a finding; null: a decrease from zero has no percentage. */
export function toMeasuredValue(value: SubjectValue, limit: Bound): MeasuredValue | null {
  switch (value.kind) {
    case "count":
      return { kind: "count", count: value.count };
    case "money":
      return { kind: "money", amount: value.amount, currency: value.currency };
    case "percent":
      return toMeasuredPercent(value, limit.exact);
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
