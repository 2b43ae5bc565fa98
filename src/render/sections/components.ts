import { compare, type Decimal, ZERO } from "../../kernel/money.ts";
import type { ComponentCost, Quantity } from "../../report/model/facts.ts";
import type { MoneyStyle } from "../format/money.ts";
import { formatQuantity } from "../format/quantity.ts";
import { type Cell, formatCellName, formatCellWords } from "../markup/escape.ts";

/** One changed price component: its name, its detail before and after, and its amounts. */
export interface ComponentView {
  readonly component: Cell;
  /**
   * The differing detail before, e.g. "t3.medium" for "Instance usage (on-demand, t3.medium)" and the same
   * with t3.large; null: the component has no counterpart.
   */
  readonly before: Cell | null;
  /**
   * The differing detail after; for a component without a counterpart, all details in its brackets; null: it
   * has none.
   */
  readonly after: Cell | null;
  readonly quantity: QuantityView | null;
  /** Both amounts where both are known and nonzero; else only the change is shown. */
  readonly amounts: { readonly before: Cell; readonly after: Cell } | null;
  /** Null: unknown. */
  readonly change: Cell | null;
}

interface QuantityView {
  /** Null: none, or equal to the quantity after. */
  readonly before: Cell | null;
  readonly after: Cell;
  readonly unit: Cell;
}

/**
 * A component before and after: the same one, or a removed one and its replacement; null: there is none on
 * that side.
 */
interface ComponentPair {
  readonly before: ComponentCost | null;
  readonly after: ComponentCost | null;
}

const MAX_COMPONENTS = 4;

/** The changed price components of a resource in their listed order, and the number of further ones. */
export function buildComponentsView(
  components: readonly ComponentCost[],
  style: MoneyStyle,
): { readonly components: readonly ComponentView[]; readonly moreComponents: number } {
  const changed = components.filter(isChanged);
  const pairs = pairComponents(changed);
  const stems = pairs.map((pair) => parseStem(pickComponent(pair).name));
  const views = pairs.map((pair, at) => {
    const isAlone = stems.filter((stem) => stem === stems[at]).length === 1;
    return buildComponentView(pair, style, isAlone);
  });
  return {
    components: views.slice(0, MAX_COMPONENTS),
    moreComponents: Math.max(0, views.length - MAX_COMPONENTS),
  };
}

const isChanged = ({ before, after, change, quantity }: ComponentCost): boolean =>
  (change !== null && change !== ZERO) ||
  (before === null) !== (after === null) ||
  (quantity?.before != null && quantity.after !== null && quantity.before !== quantity.after);

/**
 * Pairs a removed and an added component with the same words before their brackets, if the pair is
 * unambiguous.
 */
function pairComponents(changed: readonly ComponentCost[]): readonly ComponentPair[] {
  const stems = Map.groupBy(changed, ({ name }) => parseStem(name));
  const joined = new Map<ComponentCost, ComponentPair | null>();
  for (const own of stems.values()) {
    const [gone, come] = [own.filter(isGone), own.filter(isNew)];
    const [before, after] = [gone[0], come[0]];
    if (gone.length !== 1 || come.length !== 1 || before === undefined || after === undefined) continue;
    joined.set(before, { before, after });
    joined.set(after, null);
  }
  return changed.flatMap((one) => {
    const pair = joined.get(one);
    if (pair !== undefined) return pair === null ? [] : [pair];
    return [{ before: isNew(one) ? null : one, after: isGone(one) ? null : one }];
  });
}

const isGone = ({ before, after }: ComponentCost): boolean =>
  after === ZERO && before !== null && compare(before, ZERO) !== 0;
const isNew = ({ before, after }: ComponentCost): boolean =>
  before === ZERO && after !== null && compare(after, ZERO) !== 0;

function buildComponentView(pair: ComponentPair, style: MoneyStyle, isAlone: boolean): ComponentView {
  const { before, after } = pair;
  const amounts = [before === null ? ZERO : before.before, after === null ? ZERO : after.after] as const;
  return {
    ...buildNamesView(pair, isAlone),
    quantity: buildQuantityView(before?.quantity, after?.quantity),
    ...buildAmountsView(amounts, isPair(pair) ? null : pickComponent(pair).change, style),
  };
}

const isPair = ({ before, after }: ComponentPair): boolean =>
  before !== null && after !== null && before !== after;

/**
 * The words before the brackets and the details in the brackets; the whole name where several components
 * share these words.
 */
function buildNamesView(
  pair: ComponentPair,
  isAlone: boolean,
): Pick<ComponentView, "component" | "before" | "after"> {
  const { name } = pickComponent(pair);
  const { before, after } = pair;
  if (isPair(pair) && before !== null && after !== null) {
    const [past, next] = selectDifference(parseDetail(before.name), parseDetail(after.name));
    return {
      component: formatCellWords(parseStem(name)),
      before: formatCellName(past),
      after: formatCellName(next),
    };
  }
  const stem = parseStem(name);
  if (!isAlone || stem === name) return { component: formatCellWords(name), before: null, after: null };
  return { component: formatCellWords(stem), before: null, after: formatCellName(parseDetail(name)) };
}

function buildAmountsView(
  [before, after]: readonly [Decimal | null, Decimal | null],
  stated: Decimal | null,
  style: MoneyStyle,
): Pick<ComponentView, "amounts" | "change"> {
  if (before === null || after === null)
    return { amounts: null, change: stated === null ? null : style.change(stated) };
  if (before === ZERO) return { amounts: null, change: style.change(after) };
  if (after === ZERO) return { amounts: null, change: style.change(stated ?? ZERO) };
  return { amounts: { before: style.amount(before), after: style.amount(after) }, change: null };
}

function buildQuantityView(before: Quantity | undefined, after: Quantity | undefined): QuantityView | null {
  const { unit } = after ?? before ?? {};
  if (unit === undefined || (before !== undefined && before.unit !== unit)) return null;
  const [past, next] = [omitZero(before?.before), omitZero(after?.after)];
  if (past === next) return null;
  return next === null ? formatQuantities(null, past ?? ZERO, unit) : formatQuantities(past, next, unit);
}

const omitZero = (quantity: Decimal | null | undefined): Decimal | null =>
  quantity === undefined || quantity === ZERO ? null : quantity;

const formatQuantities = (before: Decimal | null, after: Decimal, unit: string): QuantityView => ({
  before: before === null ? null : formatQuantity(before),
  after: formatQuantity(after),
  unit: formatCellWords(unit),
});

/** The parts of two bracketed details that differ. */
function selectDifference(before: string, after: string): readonly [string, string] {
  const [past, next] = [splitDetail(before), splitDetail(after)];
  const [gone, come] = [
    past.filter((part) => !next.includes(part)),
    next.filter((part) => !past.includes(part)),
  ];
  return gone.length === 1 && come.length === 1 ? [gone[0] ?? before, come[0] ?? after] : [before, after];
}

const splitDetail = (detail: string): readonly string[] => detail.split(",").map((part) => part.trim());

const pickComponent = ({ before, after }: ComponentPair): ComponentCost =>
  after ?? before ?? { name: "", before: null, after: null, change: null, percent: null };

/** The words before the brackets: "Instance usage" of "Instance usage (Linux/UNIX, on-demand, t3.medium)". */
const parseStem = (name: string): string => /^(.*?\S)\s*\(.*\)$/.exec(name)?.[1] ?? name;
const parseDetail = (name: string): string => /\((.*)\)$/.exec(name)?.[1] ?? name;
