import { type Decimal, minus, sum, ZERO } from "../../kernel/money.ts";
import type { CodePlace, ComponentCost, Quantity } from "../../report/model/facts.ts";
import type { Report, ResourceReport } from "../../report/model/report.ts";
import { findPlaceAddress } from "../addresses.ts";
import { type Cell, formatCellName, formatCellWords, formatLink, type Inline } from "../escape.ts";
import {
  type CurrencyFigures,
  formatQuantity,
  isRoundingVisible,
  listCurrencyFigures,
  type MoneyStyle,
} from "../format.ts";
import { buildCostBreakdowns } from "./module-columns.ts";
import { createWorkspaceLabels, type Section, type SectionSource } from "./section.ts";

const MAX_RESOURCES = 50;
/** Largest number of resources that are shown; further ones are collapsed. */
const MAX_OPEN_RESOURCES = 5;

/** The section about resources whose cost changes, largest change first, with the planned change of each. */
export function buildResourcesSection({ evaluation, links }: SectionSource): Section {
  const { report, pull, sections } = evaluation;
  const count = report.resources.length;
  const isVisible = pull.figures && count > 0;
  // Directly below the modules, the resources need no heading.
  const isBelowModules =
    sections === null ||
    (sections.includes("modules") && sections.indexOf("resources") === sections.indexOf("modules") + 1);
  const alone = !isBelowModules || buildCostBreakdowns(report).length === 0;
  return {
    template: "resources",
    rows: isVisible ? Math.min(MAX_RESOURCES, count) : 0,
    view: (rows) => {
      const address = (place: CodePlace | undefined) => findPlaceAddress(evaluation, links, place);
      const groups = isVisible ? buildGroups(report, rows, address) : [];
      if (groups.length === 0) return null;
      const shown = groups.reduce((sum, { lines }) => sum + lines.length, 0);
      return {
        groups,
        rounded: groups.some(({ rounded }) => rounded),
        alone,
        open: alone && count <= MAX_OPEN_RESOURCES,
        some: shown < count,
        shown,
        count,
      };
    },
  };
}

type FindAddress = (place: CodePlace | undefined) => Inline | null;

function buildGroups(report: Report, rows: number, findAddress: FindAddress) {
  const stage = createWorkspaceLabels(report, formatCellName);
  let left = rows;
  const groups = listCurrencyFigures(report).map((figures) => {
    const own = report.resources.filter(({ currency }) => currency === figures.currency);
    const view = buildResourceGroupView(figures, own, Math.max(0, left));
    left -= view.lines.length;
    const lines = view.lines.map(({ workspace, place, ...line }) => ({
      ...line,
      label: formatLink(line.label, findAddress(place)),
      stage: stage(workspace),
    }));
    return { ...view, lines };
  });
  return groups.filter(({ lines }) => lines.length > 0);
}

/** `usage`: other resources have only usage-based costs, which are in no amount. */
function buildResourceGroupView(
  { style, total }: CurrencyFigures,
  own: readonly ResourceReport[],
  rows: number,
) {
  const changed = own.flatMap((resource) => {
    const { change } = resource;
    return change === null || isStill(resource) ? [] : [{ ...resource, change }];
  });
  const still = own.filter(isStill).length;
  const visible = changed.slice(0, rows);
  const changes = visible.map(({ change }) => change);
  const rest = total.change === null ? null : minus(total.change, sum(changes));
  const count = own.length - still - visible.length;
  const hasOthers = count > 0 || (rest !== null && rest !== ZERO);
  return {
    lines: visible.map((resource) => buildResourceLineView(resource, style)),
    others: hasOthers ? { count, change: rest === null ? null : style.change(rest) } : null,
    usage: own.some(({ usageBased, change }) => usageBased && change === null) ? "plus" : null,
    rounded:
      rest !== null &&
      total.change !== null &&
      isRoundingVisible([...changes, rest].map(style.rounded), style.rounded(total.change)),
  };
}

/**
 * Whether nothing of a resource costs more or less: its parts may shift and leave its sum as it is. What is
 * imported or no longer managed is shown, although it is paid before and after.
 */
const isStill = ({ change, components = [], action }: ResourceReport): boolean =>
  change === ZERO &&
  action !== "imported" &&
  action !== "removed" &&
  components.every((part) => part.change === null || part.change === ZERO);

/** `amounts`: the cost before and after, where both exist; null: only the change is shown. */
function buildResourceLineView(
  {
    address,
    workspace,
    action,
    usageBased,
    place,
    before,
    after,
    change,
    components = [],
  }: ResourceReport & {
    readonly change: Decimal;
  },
  style: MoneyStyle,
) {
  const isBoth = before !== null && after !== null && before !== ZERO && after !== ZERO;
  return {
    label: formatCellName(address),
    change: style.change(change),
    /** What is only imported was paid before, and what is only forgotten stays paid. */
    stays: isBoth && change === ZERO && (action === "imported" || action === "removed") ? action : null,
    amounts: isBoth ? { before: style.amount(before), after: style.amount(after) } : null,
    ...buildComponentsView(components, style),
    action,
    usageBased,
    workspace,
    place,
  };
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
function buildComponentsView(components: readonly ComponentCost[], style: MoneyStyle) {
  const pairs = pairComponents(components.filter(isChanged));
  const stems = pairs.map((pair) => parseStem(pickComponent(pair).name));
  const views = pairs.map((pair, at) => ({
    ...buildNamesView(pair, stems.filter((stem) => stem === stems[at]).length === 1),
    quantity: buildQuantityView(pair.before?.quantity, pair.after?.quantity),
    ...buildAmountsView(pair, style),
  }));
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
  after === ZERO && before !== null && before !== ZERO;
const isNew = ({ before, after }: ComponentCost): boolean =>
  before === ZERO && after !== null && after !== ZERO;

const isReplaced = ({ before, after }: ComponentPair): boolean =>
  before !== null && after !== null && before !== after;

/**
 * The words before the brackets and the details in the brackets: of a replaced component those that differ, e.g. "t3.medium" for "Instance
 * usage (on-demand, t3.medium)" and the same with t3.large; the whole name where several components share the words.
 */
function buildNamesView(pair: ComponentPair, isAlone: boolean) {
  const { before, after } = pair;
  const { name } = pickComponent(pair);
  const stem = parseStem(name);
  if (isReplaced(pair) && before !== null && after !== null) {
    const [past, next] = selectDifference(parseDetail(before.name), parseDetail(after.name));
    return {
      component: formatCellWords(stem),
      before: formatCellName(past),
      after: formatCellName(next),
    };
  }
  if (!isAlone || stem === name) return { component: formatCellWords(name), before: null, after: null };
  return { component: formatCellWords(stem), before: null, after: formatCellName(parseDetail(name)) };
}

/** Both amounts where both are known and nonzero; else only the change, null where it is unknown. */
function buildAmountsView(pair: ComponentPair, style: MoneyStyle) {
  const stated = isReplaced(pair) ? null : pickComponent(pair).change;
  const before = pair.before === null ? ZERO : pair.before.before;
  const after = pair.after === null ? ZERO : pair.after.after;
  if (before === null || after === null)
    return { amounts: null, change: stated === null ? null : style.change(stated) };
  if (before === ZERO) return { amounts: null, change: style.change(after) };
  if (after === ZERO) return { amounts: null, change: style.change(stated ?? ZERO) };
  return { amounts: { before: style.amount(before), after: style.amount(after) }, change: null };
}

/** `before` null: none, or equal to the quantity after. */
function buildQuantityView(
  before: Quantity | undefined,
  after: Quantity | undefined,
): { before: Cell | null; after: Cell; unit: Cell } | null {
  const { unit } = after ?? before ?? {};
  if (unit === undefined || (before !== undefined && before.unit !== unit)) return null;
  const [past, next] = [omitZero(before?.before), omitZero(after?.after)];
  if (past === next) return null;
  return {
    before: past === null || next === null ? null : formatQuantity(past),
    after: formatQuantity(next ?? past ?? ZERO),
    unit: formatCellWords(unit),
  };
}

const omitZero = (quantity: Decimal | null | undefined): Decimal | null =>
  quantity === undefined || quantity === ZERO ? null : quantity;

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
