import { type Decimal, decimal, scale, ZERO } from "../../../../kernel/money.ts";
import { createMoneyStyle } from "../../../../render/format/money.ts";
import { formatQuantity } from "../../../../render/format/quantity.ts";
import { parseLinkTarget } from "../../../../render/markup/escape.ts";
import type { AttributeValue } from "../../../../report/model/attribute-change.ts";
import type { ComponentCost } from "../../../../report/model/facts.ts";
import type { StageReport } from "../../../../report/model/report.ts";
import { buildStageKey } from "../../../../report/model/stage-label.ts";
import { buildSortedTable, type PageTable } from "../../../page/sorted-table.ts";
import type { Column, TableCell } from "../../../page/table.ts";
import { buildAmountCell, buildChangeCell } from "../subject/amounts.ts";
import { linkToView, type PullSubject, type PullView } from "../subject/pull-subject.ts";
import type { ResourceLine } from "../subject/resource-lines.ts";

/** One resource: its price components, its changed attributes, and where they come from. Null: there is no such resource. */
export function buildResourceView(subject: PullSubject): PullView | null {
  const { query } = subject.address;
  const own = subject.read.resources.filter(
    ({ address, stage }) => address === query["resource"] && stage === query["stage"],
  );
  const line = own.find(({ cost }) => cost !== null) ?? own[0];
  if (line === undefined) return null;
  const components = line.cost === null ? null : buildComponentTable(subject, line.cost);
  const attributes = buildAttributeTable(subject, line);
  const view = {
    ...{ address: line.address, previousAddress: line.previousAddress, type: line.type },
    actions: [...new Set(own.map(({ action }) => action))].flatMap((action) =>
      action === null ? [] : [{ text: subject.texts.describeAction(action) }],
    ),
    module: { text: line.module, href: linkToView(subject.address, "resources", { module: line.module }) },
    stage: {
      text: line.stageLabel,
      href: linkToView(subject.address, "resources", { stage: line.stageLabel }),
    },
    execution: buildExecutionView(subject, line),
    cost: line.cost === null ? null : buildCostView(subject, line.cost),
    components: components?.view ?? null,
    attributes: attributes.view,
    attributesBecause:
      line.row?.attributesBecause === undefined
        ? null
        : subject.texts.describeReason(line.row.attributesBecause),
    figures: subject.evaluation.pull.figures,
    back: linkToView(subject.address, "resources"),
  };
  return {
    template: "pull/resource",
    view,
    tables: [...(components === null ? [] : [components]), attributes],
  };
}

type ResourceCost = NonNullable<ResourceLine["cost"]>;

function buildCostView(
  { money }: PullSubject,
  { before, after, change, currency, usageBased }: ResourceCost,
) {
  const style = money(currency);
  return {
    before: buildAmountCell(before, style).text,
    after: buildAmountCell(after, style).text,
    change: { tone: null, ...buildChangeCell(change, style) },
    usageBased,
  };
}

/** The execution that states the resource's change and cost. */
function buildExecutionView({ evaluation, texts }: PullSubject, line: ResourceLine) {
  const stage: StageReport | undefined = evaluation.report.stages.find(
    (one) => buildStageKey(one) === line.stage,
  );
  if (stage === undefined) return null;
  return {
    id: stage.executionId,
    href: stage.executionPage === undefined ? null : parseLinkTarget(stage.executionPage),
    source: texts.describeSource(stage.source),
    proven: stage.proven,
  };
}

function buildComponentTable({ money, address }: PullSubject, cost: ResourceCost): PageTable {
  const style = money(cost.currency);
  const amount = (key: "before" | "after", label: string): Column<ComponentCost> => ({
    key,
    label,
    numeric: true,
    cell: (component) => buildAmountCell(component[key], style),
    value: (component) => component[key],
  });
  const columns: readonly Column<ComponentCost>[] = [
    { key: "component", label: "Component", cell: ({ name }) => ({ text: name }), value: ({ name }) => name },
    toQuantityColumn("before"),
    toQuantityColumn("after"),
    { key: "unit", label: "Unit", cell: buildUnitCell, value: ({ quantity }) => quantity?.unit ?? null },
    toPriceColumn("before", cost.currency),
    toPriceColumn("after", cost.currency),
    amount("before", "Cost before"),
    amount("after", "Cost after"),
    {
      key: "change",
      label: "Change",
      numeric: true,
      cell: ({ change }) => buildChangeCell(change, style),
      value: ({ change }) => change,
    },
  ];
  const rows = cost.components ?? [];
  const empty = "The estimate lists no price components.";
  return buildSortedTable({ prefix: "", caption: "Price components", columns, rows, empty }, address);
}

const buildUnitCell = ({ quantity }: ComponentCost): TableCell =>
  quantity === undefined ? NOTHING : { text: quantity.unit };

/** Prices are often parts of a cent. */
const PRICE_PLACES = 4;

/** The price of one unit: what the component costs, divided by its quantity; null: one of them is unknown, or there is none. */
function computePrice(component: ComponentCost, side: "before" | "after"): Decimal | null {
  const [cost, quantity] = [component[side], component.quantity?.[side] ?? null];
  return cost === null || quantity === null || quantity === ZERO ? null : scale(cost, ONE, quantity);
}

const ONE = decimal("1");

function toPriceColumn(side: "before" | "after", currency: string): Column<ComponentCost> {
  const style = createMoneyStyle(currency, PRICE_PLACES);
  return {
    key: `price_${side}`,
    label: `Price ${side}`,
    numeric: true,
    cell: (component) => {
      const price = computePrice(component, side);
      return price === null ? NOTHING : { text: style.amount(price) };
    },
    value: (component) => computePrice(component, side),
  };
}

const NOTHING: TableCell = { text: "–", tone: "muted" };

const toQuantityColumn = (side: "before" | "after"): Column<ComponentCost> => ({
  key: `quantity_${side}`,
  label: `Quantity ${side}`,
  numeric: true,
  cell: ({ quantity }) => {
    const value = quantity?.[side] ?? null;
    return value === null || value === ZERO ? NOTHING : { text: formatQuantity(value) };
  },
  value: ({ quantity }): Decimal | null => quantity?.[side] ?? null,
});

/** An attribute with its values; null: only its name is known, or readers may not see values. */
interface AttributeLine {
  readonly name: string;
  readonly before: AttributeValue | null;
  readonly after: AttributeValue | null;
}

function buildAttributeTable({ address, evaluation }: PullSubject, line: ResourceLine): PageTable {
  const columns: readonly Column<AttributeLine>[] = [
    {
      key: "attribute",
      label: "Attribute",
      cell: ({ name }) => ({ text: name, code: true }),
      value: ({ name }) => name,
    },
    toValueColumn("before", "Before"),
    toValueColumn("after", "After"),
  ];
  const rows = listAttributes(line, evaluation.pull.figures);
  const empty = "No attribute is known to change.";
  return buildSortedTable(
    { prefix: "attributes", caption: "Changed attributes", columns, rows, empty },
    address,
  );
}

const toValueColumn = (side: "before" | "after", label: string): Column<AttributeLine> => ({
  key: side,
  label,
  cell: (line) => buildValueCell(line[side]),
  value: (line) => (line[side] === null ? null : buildValueCell(line[side]).text),
});

function buildValueCell(value: AttributeValue | null): TableCell {
  if (value === null) return NOTHING;
  if (value.kind === "text") return { text: value.text, code: true };
  return {
    text: "count" in value ? `${VALUE_WORDS[value.kind]} (${value.count})` : VALUE_WORDS[value.kind],
    tone: "muted",
  };
}

const VALUE_WORDS: Readonly<Record<Exclude<AttributeValue["kind"], "text">, string>> = {
  none: "none",
  later: "known after apply",
  sensitive: "(sensitive)",
  list: "list",
  map: "map",
  document: "JSON",
};

function listAttributes({ cost, row }: ResourceLine, values: boolean): readonly AttributeLine[] {
  const names = row?.changedAttributes ?? cost?.changedAttributes ?? [];
  const changes = values ? (row?.attributeChanges ?? cost?.attributeChanges ?? []) : [];
  const told = new Set(changes.map(({ name }) => name.split(".")[0]));
  const others = names.filter((name) => !told.has(name.split(".")[0]));
  return [...changes, ...others.map((name) => ({ name, before: null, after: null }))];
}
