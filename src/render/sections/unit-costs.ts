import { compare, computePercentChange, type Decimal, ZERO } from "../../kernel/money.ts";
import type { UnitCost } from "../../report/model/context.ts";
import { formatName, type Inline } from "../escape.ts";
import {
  countVisiblePlaces,
  createDistinctStyle,
  formatDay,
  formatPercent,
  getUsualPlaces,
  type MoneyStyle,
} from "../format.ts";

interface UnitCostView {
  readonly unit: Inline;
  /** The perspective whose bill the unit cost is derived from; null: none. */
  readonly perspective: Inline | null;
  readonly before: Inline | null;
  readonly after: Inline | null;
  readonly percent: Inline | null;
  readonly asOf: Inline | null;
  readonly age: Inline | null;
}

/** Largest number of units that are shown. */
export const MAX_UNITS = 5;
/** Additional decimal places, so that the percentage is plausible for a unit that costs cents. */
const EXTRA_PLACES = 2;

/** The cost of one unit now and after merging; different amounts are displayed differently. */
export const buildUnitCostViews = (units: readonly UnitCost[], age: Inline | null): readonly UnitCostView[] =>
  units
    .filter(({ before, after }) => before !== null || after !== null)
    .slice(0, MAX_UNITS)
    .map((unit) => ({ ...buildUnitCostView(unit), age }));

function buildUnitCostView({
  name: unit,
  perspective,
  before,
  after,
  currency,
  asOf,
}: UnitCost): Omit<UnitCostView, "age"> {
  const amounts = [before, after].filter((amount) => amount !== null);
  const style =
    perspective === null ? createUnitStyle(currency, amounts) : createDistinctStyle(currency, amounts);
  const write = (amount: Decimal | null) => (amount === null ? null : style.amount(amount));
  const percent = before === null || after === null ? null : computePercentChange(before, after);
  return {
    unit: formatName(unit),
    perspective: perspective === null ? null : formatName(perspective),
    before: write(before),
    after: write(after),
    percent: percent === null || compare(percent, ZERO) === 0 ? null : formatPercent(percent),
    asOf: asOf === null ? null : formatDay(asOf),
  };
}

/** The format of unit costs. */
export function createUnitStyle(currency: string, amounts: readonly Decimal[]): MoneyStyle {
  const usual = getUsualPlaces(currency);
  const places = Math.max(usual, ...amounts.map((amount) => countVisiblePlaces(amount, usual)));
  return createDistinctStyle(currency, amounts, places + EXTRA_PLACES);
}
