import { compare, type Decimal, percentChange, ZERO } from "../../kernel/money.ts";
import type { UnitCost } from "../../report/model/context.ts";
import { type MoneyStyle, placesToSee, styleToTellApart, usualPlaces } from "../format/money.ts";
import { percentText } from "../format/percent.ts";
import { formatDay } from "../format/time.ts";
import { type Inline, name } from "../markup/escape.ts";

interface UnitView {
  readonly unit: Inline;
  /** The perspective whose bill it is derived from; null: it is the cost of one unit. */
  readonly perspective: Inline | null;
  readonly before: Inline | null;
  readonly after: Inline | null;
  readonly percent: Inline | null;
  readonly asOf: Inline | null;
  readonly age: Inline | null;
}

/** So many units are shown. */
export const UNITS = 5;
/** More digits than it takes to see an amount: of a unit that costs cents the percentage must be believable. */
const FINER = 2;

/** What one unit costs now and after merging; two amounts that differ read differently. */
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

/** How the cost of one unit is written. */
export function unitStyle(currency: string, amounts: readonly Decimal[]): MoneyStyle {
  const usual = usualPlaces(currency);
  const seen = Math.max(usual, ...amounts.map((amount) => placesToSee(amount, usual)));
  return styleToTellApart(currency, amounts, seen + FINER);
}
