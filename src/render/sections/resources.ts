import { isPathSegment } from "../../kernel/ids.ts";
import { compare, type Decimal, minus, sum, ZERO } from "../../kernel/money.ts";
import type { Limit } from "../../policy/model/policy.ts";
import type { PolicySource } from "../../policy/model/situation.ts";
import type { ComponentCost, Quantity } from "../../report/model/facts.ts";
import type { Report, ResourceReport } from "../../report/model/report.ts";
import { type Cell, formatCellName, formatCellWords, type Inline, parseLinkTarget } from "../escape.ts";
import type { MoneyStyle } from "../format.ts";
import { type CurrencyFigures, formatQuantity, isRoundingVisible, listCurrencyFigures } from "../format.ts";
import { hasModules } from "./modules.ts";
import type { Section, Subject } from "./section.ts";
import { createWorkspaceLabels } from "./section.ts";

interface ResourceLineView {
  readonly label: Cell;
  readonly change: Cell;
  /** The cost before and after, where both exist; null: only the change is shown. */
  readonly amounts: { readonly before: Cell; readonly after: Cell } | null;
  /** Its changed price components. */
  readonly components: readonly ComponentView[];
  readonly moreComponents: number;
  readonly action: ResourceReport["action"];
  readonly usageBased: boolean;
  readonly stage: Cell | null;
}

/** The sum of the resources that are not listed. */
interface OthersView {
  readonly count: number;
  /** Null: unknown. */
  readonly change: Cell | null;
}

interface ResourceGroupView {
  readonly lines: readonly ResourceLineView[];
  readonly others: OthersView | null;
  /** `plus`: other resources have only usage-based costs, which are in no amount. */
  readonly usage: "plus" | null;
  /** The rounded lines do not add up to the rounded total. */
  readonly rounded: boolean;
}

const MAX_RESOURCES = 50;
/** Largest number of resources that are shown; further ones are collapsed. */
const MAX_OPEN_RESOURCES = 5;

/** The section about resources whose cost changes, largest change first, with the planned change of each. */
export function buildResourcesSection(subject: Subject): Section {
  const { report, pull } = subject.evaluation;
  const count = report.resources.length;
  const isVisible = pull.figures && count > 0;
  const alone = !hasModules(subject) || !isBelowModules(subject);
  return {
    template: "resources",
    rows: isVisible ? Math.min(MAX_RESOURCES, count) : 0,
    isRequired: false,
    view: (rows) => {
      const groups = isVisible ? buildGroups(report, rows) : [];
      if (groups.length === 0) return null;
      const visibleCount = groups.reduce((sum, { lines }) => sum + lines.length, 0);
      const rounded = groups.some((group) => group.rounded);
      return {
        groups,
        rounded,
        alone,
        open: alone && count <= MAX_OPEN_RESOURCES,
        some: visibleCount < count,
        shown: visibleCount,
        count,
      };
    },
  };
}

/** Whether the resources directly follow the modules, so that they need no heading. */
function isBelowModules({ evaluation: { sections } }: Subject): boolean {
  if (sections === null) return true;
  return sections.includes("modules") && sections.indexOf("resources") === sections.indexOf("modules") + 1;
}

function buildGroups(report: Report, rows: number): readonly ResourceGroupView[] {
  const stage = createWorkspaceLabels(report);
  let left = rows;
  const groups = listCurrencyFigures(report).map((figures) => {
    const own = report.resources.filter(({ currency }) => currency === figures.currency);
    const view = buildResourceGroupView({ figures, own, rows: left, stage });
    left -= view.lines.length;
    return view;
  });
  return groups.filter(({ lines }) => lines.length > 0);
}

interface CurrencyGroup {
  readonly figures: CurrencyFigures;
  /** Largest absolute change first. */
  readonly own: readonly ResourceReport[];
  readonly rows: number;
  readonly stage: (workspace: string) => string | null;
}

function buildResourceGroupView({ figures, own, rows, stage }: CurrencyGroup): ResourceGroupView {
  const changed = own.flatMap((resource) => {
    const { change } = resource;
    return change === null || isStill(resource) ? [] : [{ resource, change }];
  });
  const still = own.filter(isStill).length;
  const visible = changed.slice(0, Math.max(0, rows));
  const { style, total } = figures;
  const visibleChanges = visible.map(({ change }) => change);
  const rest = total.change === null ? null : minus(total.change, sum(visibleChanges));
  return {
    lines: visible.map(({ resource, change }) => buildResourceLineView({ resource, change, style, stage })),
    others: buildOthersView(figures, own.length - still - visible.length, rest),
    usage: own.some(({ usageBased, change }) => usageBased && change === null) ? "plus" : null,
    rounded:
      rest !== null &&
      total.change !== null &&
      isRoundingVisible([...visibleChanges, rest].map(style.rounded), style.rounded(total.change)),
  };
}

/**
 * Whether nothing of a resource costs more or less: its parts may shift and leave its sum as it is. What is
 * imported or no longer managed is shown, although it is paid before and after.
 */
const isStill = ({ change, components = [], action }: ResourceReport): boolean =>
  change !== null &&
  action !== "imported" &&
  action !== "removed" &&
  compare(change, ZERO) === 0 &&
  components.every((part) => part.change === null || compare(part.change, ZERO) === 0);

interface ResourceLine extends Pick<CurrencyGroup, "stage"> {
  readonly resource: ResourceReport;
  readonly change: Decimal;
  readonly style: MoneyStyle;
}

function buildResourceLineView({ resource, change, style, stage }: ResourceLine): ResourceLineView {
  const { address, workspace, action, usageBased, before, after, components = [] } = resource;
  const label = stage(workspace);
  const isBoth = before !== null && after !== null && before !== ZERO && after !== ZERO;
  return {
    label: formatCellName(address),
    change: style.change(change),
    amounts: isBoth ? { before: style.amount(before), after: style.amount(after) } : null,
    ...buildComponentsView(components, style),
    action,
    usageBased,
    stage: label === null ? null : formatCellName(label),
  };
}

/** The line for unlisted resources. `rest`: the part of the total beyond the lines; null: unknown. */
function buildOthersView({ style }: CurrencyFigures, count: number, rest: Decimal | null): OthersView | null {
  if (count === 0 && (rest === null || rest === ZERO)) return null;
  return { count, change: rest === null ? null : style.change(rest) };
}

/** One changed price component: its name, its detail before and after, and its amounts. */
interface ComponentView {
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
function buildComponentsView(
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

/** The address of a rule in its policy file; null: unknown, or no page shows it. */
export function findRuleAddress(subject: Subject, rule: string): Inline | null {
  const place = subject.evaluation.rulePlaces?.find((one) => one.rule === rule);
  return place === undefined ? null : findLineAddress(subject, place);
}

/** The address of a line in a policy file; `file` as in `PolicyProblem`. */
export function findLineAddress(
  subject: Subject,
  { file, line }: { readonly file: string; readonly line: number },
): Inline | null {
  const { policySources } = subject.evaluation;
  const source = policySources.find(({ repository, path }) => file === `${repository}:${path}`);
  return source?.commit === undefined ? null : findPolicyFileAddress(subject, source, `#L${line}`);
}

/** The address of a policy file at its commit, or on its branch where the commit is unknown. */
export const findPolicyFileAddress = (
  { links }: Subject,
  { repository, path, ref, commit = ref }: PolicySource,
  fragment = "",
): Inline | null => formatPageAddress(links.github, `${repository}/blob/${commit}/${path}`, fragment);

/** The address of a commit of the pull request. */
export const findCommitAddress = ({ links, evaluation }: Subject, sha: string): Inline | null =>
  formatPageAddress(links.github, `${evaluation.pull.repository}/commit/${sha}`);

/** The address of the description of a kind of rule; null: no page is served. */
export const findKindAddress = ({ links }: Subject, kind: Limit["kind"]): Inline | null =>
  links.policyPage === undefined ? null : parseLinkTarget(`${links.policyPage}#${ANCHORS[kind] ?? "limits"}`);

/** Headings of the policy reference for kinds with a heading of their own. */
const ANCHORS: Partial<Record<Limit["kind"], string>> = { when: "when", usage: "usage", budget: "budgets" };

/** The address of an execution's page on the platform. */
export function findExecutionAddress({ evaluation }: Subject, executionId: string): Inline | null {
  const stage = evaluation.report.stages.find((one) => one.executionId === executionId);
  return stage?.executionPage === undefined ? null : parseLinkTarget(stage.executionPage);
}

/**
 * The address of a page on GitHub; null for an unsafe path. Names of branches and files may contain any
 * characters, so each segment is percent-encoded.
 */
function formatPageAddress(github: string | null, path: string, fragment = ""): Inline | null {
  const segments = path.split("/");
  if (github === null || !segments.every(isPathSegment)) return null;
  return parseLinkTarget(`${github}/${segments.map(encodeURIComponent).join("/")}${fragment}`);
}
