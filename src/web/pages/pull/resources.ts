import { type Decimal, decimal, scale, ZERO } from "../../../kernel/money.ts";
import { parseLinkTarget } from "../../../render/escape.ts";
import { createMoneyStyle, formatCount, formatQuantity } from "../../../render/format.ts";
import type { AttributeValue, ComponentCost } from "../../../report/model/facts.ts";
import type { ResourceReport, StageReport } from "../../../report/model/report.ts";
import { buildStageKey } from "../../../report/model/stage-label.ts";
import { formatAddress } from "../../page/address.ts";
import { buildAmountCell, buildChangeCell, buildTextColumn, NO_VALUE } from "../../page/columns.ts";
import { type Html, html, icon, plural } from "../../page/html.ts";
import { type Column, createTable, type Table, type TableCell } from "../../page/table.ts";
import { renderOption } from "../overview/filter.ts";
import {
  filterResources,
  linkToView,
  NO_ACTION,
  NO_AMOUNTS,
  type PullSubject,
  type PullView,
  type ResourceChoices,
  type ResourceFilter,
  type ResourceLine,
  renderCounter,
  renderSortField,
} from "./pull-subject.ts";

/** Most choices of a filter: with more of them it is a field to type in, so that the page stays small. */
const MAX_CHOICES = 60;

/** All resources that change, or whose cost changes: filtered, sorted and paged by the query. */
export async function renderResources(subject: PullSubject): Promise<PullView> {
  const { address, evaluation } = subject;
  const lines = subject.read.resources;
  const filter = readFilter(address.query);
  const rows = filterResources(lines, filter);
  const table = createTable({
    name: "",
    caption: "Resources",
    columns: listResourceColumns(subject),
    rows,
    empty: lines.length === 0 ? "No resource changes." : "No resource matches these filters.",
    currencyOf: ({ cost }) => cost?.currency ?? null,
  });
  const { omittedRows, stages } = evaluation.report;
  const unlisted = omittedRows + stages.reduce((sum, { unreadRows }) => sum + unreadRows, 0);
  const body = html`${renderFilters(subject, filter)}
<section class="box">
<h2 class="box-title">${icon("table")}Resources${renderCounter(rows.length, lines.length)}</h2>
${await table.render(address)}
</section>
${unlisted > 0 && html`<p class="muted">${formatCount(unlisted)} more ${plural(unlisted, "resource changes", "resources change")} and ${plural(unlisted, "is", "are")} not listed: the output of the plan names ${plural(unlisted, "it", "them")}.</p>`}
${!evaluation.pull.figures && html`<p class="muted">${icon("lock")} ${NO_AMOUNTS}</p>`}`;
  return { body, tables: [table] };
}

const readFilter = (query: PullSubject["address"]["query"]): ResourceFilter => ({
  stage: query["stage"] ?? null,
  module: query["module"] ?? null,
  type: query["type"] ?? null,
  action: query["action"] ?? null,
  text: query["q"] ?? null,
});

const clearFilter = ({ address }: PullSubject): string =>
  formatAddress(address, { stage: null, module: null, type: null, action: null, q: null, page: null });

function renderFilters(subject: PullSubject, filter: ResourceFilter): Html {
  const { texts, read, address } = subject;
  const describe = (action: string): string =>
    action === NO_ACTION ? "cost only" : texts.describeAction(action as NonNullable<ResourceLine["action"]>); // one of the actions in the lines
  const { choices } = read;
  const isFiltered = Object.values(filter).some((value) => value !== null);
  return html`<form class="filters" method="get">
<input type="hidden" name="view" value="resources">
${renderSortField(address)}
<label>Address contains<input type="search" name="q" value="${filter.text}"></label>
<label>Stage${renderChoices("stage", choices.stage, filter.stage)}</label>
<label>Module${renderChoices("module", choices.module, filter.module)}</label>
<label>Type${renderChoices("type", choices.type, filter.type)}</label>
<label>Action${renderChoices("action", choices.action, filter.action, describe)}</label>
<button>${icon("filter")}Filter</button>
${isFiltered && html`<a class="button" href="${clearFilter(subject)}">${icon("x")}Show all</a>`}
</form>`;
}

/** The choices of a filter; a field to type in where there are too many to list. */
function renderChoices(
  name: string,
  counts: ResourceChoices[keyof ResourceChoices],
  chosen: string | null,
  describe = (value: string): string => value,
): Html {
  if (counts.length === 0 || counts.length > MAX_CHOICES)
    return html`<input type="text" name="${name}" value="${chosen}" autocomplete="off">`;
  return html`<select name="${name}"><option value="">all</option>${counts.map(([value, count]) =>
    renderOption(value, `${describe(value)} (${formatCount(count)})`, value === chosen),
  )}</select>`;
}

/** The address of a resource's own view. */
const linkToResource = (
  { address }: Pick<PullSubject, "address">,
  line: Pick<ResourceLine, "stage" | "address">,
): string => linkToView(address, "resource", { stage: line.stage, resource: line.address });

/** The columns of tables of resources; without amounts where readers may not see figures. */
export function listResourceColumns(subject: PullSubject): readonly Column<ResourceLine>[] {
  return [
    toAddressColumn(subject),
    ...(subject.evaluation.pull.figures ? listCostColumns(subject) : []),
    toActionColumn(subject),
    buildTextColumn({ key: "stage", label: "Stage", sortable: true }, (line) => line.stageLabel),
    buildTextColumn({ key: "type", label: "Type", sortable: true }, (line) => line.type),
    { key: "module", label: "Module", value: ({ module }) => module },
  ];
}

const toAddressColumn = (subject: PullSubject): Column<ResourceLine> => ({
  key: "resource",
  label: "Resource",
  sortable: true,
  cell: (line) => ({
    text: line.address,
    code: true,
    href: linkToResource(subject, line),
    ...(line.previousAddress !== null && { note: `was ${line.previousAddress}` }),
  }),
  value: ({ address }) => address,
});

/** Actions that destroy something. */
const DESTRUCTIVE: ReadonlySet<ResourceLine["action"]> = new Set(["deleted", "replaced", "removed"]);

const toActionColumn = ({ texts }: PullSubject): Column<ResourceLine> => ({
  key: "action",
  label: "Action",
  sortable: true,
  cell: ({ action }) => {
    if (action === null) return NO_VALUE;
    const text = texts.describeAction(action);
    return DESTRUCTIVE.has(action) ? { text, tone: "danger" } : { text };
  },
  value: ({ action }) => action,
});

function listCostColumns({ money }: PullSubject): readonly Column<ResourceLine>[] {
  const column = (
    key: "before" | "after" | "change",
    label: string,
    build: (amount: Decimal | null, cost: ResourceReport) => TableCell,
  ): Column<ResourceLine> => ({
    key,
    label,
    numeric: true,
    sortable: true,
    cell: ({ cost }) => (cost === null ? NO_VALUE : build(cost[key], cost)),
    value: ({ cost }) => cost?.[key] ?? null,
  });
  const amount = (value: Decimal | null, { currency }: ResourceReport) =>
    buildAmountCell(value, money(currency));
  return [
    column("change", "Change", (value, { currency, usageBased }) => ({
      ...buildChangeCell(value, money(currency)),
      ...(usageBased && { note: "plus usage" }),
    })),
    column("before", "Before", amount),
    column("after", "After", amount),
    {
      key: "currency",
      label: "Currency",
      value: ({ cost }) => cost?.currency ?? null,
    },
  ];
}

/** One resource: its price components, its changed attributes, and where they come from. Null: there is no such resource. */
export async function renderResource(subject: PullSubject): Promise<PullView | null> {
  const { query } = subject.address;
  const own = subject.read.resources.filter(
    ({ address, stage }) => address === query["resource"] && stage === query["stage"],
  );
  const line = own.find(({ cost }) => cost !== null) ?? own[0];
  if (line === undefined) return null;
  const components = line.cost === null ? null : createComponentTable(subject, line.cost);
  const attributes = createAttributeTable(subject, line);
  const { address, texts } = subject;
  const because = line.row?.attributesBecause;
  const body = html`<p><a href="${linkToView(address, "resources")}">${icon("chevron-left")}All resources</a></p>
<section class="box">
<h2 class="box-title"><code>${line.address}</code></h2>
${renderResourceFacts(subject, line, own)}
</section>
${
  components !== null &&
  html`<section class="box">
<h2 class="box-title">${icon("tag")}Price components</h2>
${await components.render(address)}
</section>`
}
<section class="box">
<h2 class="box-title">${icon("diff-modified")}Changed attributes</h2>
${await attributes.render(address)}
${because !== undefined && html`<p class="below">Not known: ${texts.describeReason(because)}.</p>`}
</section>`;
  return { body, tables: [...(components === null ? [] : [components]), attributes] };
}

/** `own`: all lines of this resource, one per action. */
function renderResourceFacts(subject: PullSubject, line: ResourceLine, own: readonly ResourceLine[]): Html {
  const { address, texts } = subject;
  const actions = [...new Set(own.map(({ action }) => action))].flatMap((action) =>
    action === null ? [] : [texts.describeAction(action)],
  );
  const { module, stageLabel, previousAddress } = line;
  return html`<dl class="box-body facts">
${previousAddress !== null && html`<dt>Was</dt><dd><code>${previousAddress}</code></dd>`}
<dt>Action</dt><dd>${actions.length > 0 ? actions.join(", ") : "no plan says what happens to it"}</dd>
<dt>Type</dt><dd><code>${line.type}</code></dd>
<dt>Module</dt><dd><a href="${linkToView(address, "resources", { module })}"><code>${module}</code></a></dd>
<dt>Stage</dt><dd><a href="${linkToView(address, "resources", { stage: stageLabel })}">${stageLabel}</a></dd>
${renderExecution(subject, line)}
<dt>Cost per month</dt><dd>${renderCost(subject, line.cost)}</dd>
</dl>`;
}

type ResourceCost = NonNullable<ResourceLine["cost"]>;

function renderCost({ money, evaluation }: PullSubject, cost: ResourceCost | null): Html {
  if (cost === null)
    return evaluation.pull.figures
      ? html`the estimate states none for it`
      : html`${icon("lock")} not shown: not everyone who reads this repository may see amounts`;
  const style = money(cost.currency);
  const { text, tone } = buildChangeCell(cost.change, style);
  return html`${buildAmountCell(cost.before, style).text} → ${buildAmountCell(cost.after, style).text} (<span${tone && html` class="${tone}"`}>${text}</span>)${cost.usageBased && ", plus usage that is not stated"}`;
}

/** The execution that states the resource's change and cost. */
function renderExecution({ evaluation, texts }: PullSubject, line: ResourceLine): Html | null {
  const stage: StageReport | undefined = evaluation.report.stages.find(
    (one) => buildStageKey(one) === line.stage,
  );
  if (stage === undefined) return null;
  const href = stage.executionPage === undefined ? null : parseLinkTarget(stage.executionPage);
  const id = html`<code>${stage.executionId}</code>`;
  return html`<dt>Execution</dt><dd>${href === null ? id : html`<a href="${href}">${id}</a>`} (${texts.describeSource(stage.source)}${!stage.proven && "; not proven"})</dd>`;
}

function createComponentTable({ money }: PullSubject, cost: ResourceCost): Table {
  const style = money(cost.currency);
  const amount = (key: "before" | "after", label: string): Column<ComponentCost> => ({
    key,
    label,
    numeric: true,
    cell: (component) => buildAmountCell(component[key], style),
    value: (component) => component[key],
  });
  const columns: readonly Column<ComponentCost>[] = [
    buildTextColumn({ key: "component", label: "Component" }, ({ name }) => name),
    toQuantityColumn("before"),
    toQuantityColumn("after"),
    buildTextColumn({ key: "unit", label: "Unit" }, ({ quantity }) => quantity?.unit ?? null),
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
  return createTable({ name: "", caption: "Price components", columns, rows, empty });
}

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
      return price === null ? NO_VALUE : { text: style.amount(price) };
    },
    value: (component) => computePrice(component, side),
  };
}

const toQuantityColumn = (side: "before" | "after"): Column<ComponentCost> => ({
  key: `quantity_${side}`,
  label: `Quantity ${side}`,
  numeric: true,
  cell: ({ quantity }) => {
    const value = quantity?.[side] ?? null;
    return value === null || value === ZERO ? NO_VALUE : { text: formatQuantity(value) };
  },
  value: ({ quantity }): Decimal | null => quantity?.[side] ?? null,
});

/** An attribute with its values; null: only its name is known, or readers may not see values. */
interface AttributeLine {
  readonly name: string;
  readonly before: AttributeValue | null;
  readonly after: AttributeValue | null;
}

function createAttributeTable({ evaluation }: PullSubject, line: ResourceLine): Table {
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
  return createTable({ name: "attributes", caption: "Changed attributes", columns, rows, empty });
}

const toValueColumn = (side: "before" | "after", label: string): Column<AttributeLine> => ({
  key: side,
  label,
  cell: (line) => buildValueCell(line[side]),
  value: (line) => (line[side] === null ? null : buildValueCell(line[side]).text),
});

function buildValueCell(value: AttributeValue | null): TableCell {
  if (value === null) return NO_VALUE;
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
