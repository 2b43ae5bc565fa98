import { compare, type Decimal, minus, sum, ZERO } from "../../kernel/money.ts";
import type { Report, ResourceReport } from "../../report/model/report.ts";
import { type CurrencyFigures, listCurrencyFigures } from "../format/figures.ts";
import type { MoneyStyle } from "../format/money.ts";
import { isRoundingVisible } from "../format/rounding.ts";
import { type Cell, formatCellName } from "../markup/escape.ts";
import { buildComponentsView, type ComponentView } from "./components.ts";
import { hasModules } from "./modules.ts";
import type { Section, Subject } from "./section.ts";
import { createWorkspaceLabels } from "./workspace-label.ts";

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
