import { compare, type Decimal, percentChange, ZERO } from "../../kernel/money.ts";
import type { UnitCost } from "../../report/model/context.ts";
import { type MoneyStyle, placesToSee, styleToTellApart, usualPlaces } from "../format/money.ts";
import { percentText } from "../format/percent.ts";
import { formatDay } from "../format/time.ts";
import { type Inline, name } from "../markup/escape.ts";

interface UnitView {
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
export const UNITS = 5;
/** Additional decimal places, so that the percentage is plausible for a unit that costs cents. */
const FINER = 2;

/** The cost of one unit now and after merging; different amounts are displayed differently. */
export const unitCostViews = (units: readonly UnitCost[], age: Inline | null): readonly UnitView[] =>
  units
    .filter(({ before, after }) => before !== null || after !== null)
    .slice(0, UNITS)
    .map((unit) => ({ ...unitView(unit), age }));

function unitView({
  name: unit,
  perspective,
  before,
  after,
  currency,
  asOf,
}: UnitCost): Omit<UnitView, "age"> {
  const amounts = [before, after].filter((amount) => amount !== null);
  const style = perspective === null ? unitStyle(currency, amounts) : styleToTellApart(currency, amounts);
  const write = (amount: Decimal | null) => (amount === null ? null : style.amount(amount));
  const percent = before === null || after === null ? null : percentChange(before, after);
  return {
    unit: name(unit),
    perspective: perspective === null ? null : name(perspective),
    before: write(before),
    after: write(after),
    percent: percent === null || compare(percent, ZERO) === 0 ? null : percentText(percent),
    asOf: asOf === null ? null : formatDay(asOf),
  };
}

/** The format of unit costs. */
export function unitStyle(currency: string, amounts: readonly Decimal[]): MoneyStyle {
  const usual = usualPlaces(currency);
  const seen = Math.max(usual, ...amounts.map((amount) => placesToSee(amount, usual)));
  return styleToTellApart(currency, amounts, seen + FINER);
}
