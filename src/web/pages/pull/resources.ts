import { type Decimal, decimal, scale, ZERO } from "../../../kernel/money.ts";
import { findPlaceAddress } from "../../../render/addresses.ts";
import { parseLinkTarget } from "../../../render/escape.ts";
import { createMoneyStyle, formatCount, formatQuantity, shortenId } from "../../../render/format.ts";
import { joinAttributes } from "../../../render/sections/changes.ts";
import type { AttributeValue, ComponentCost } from "../../../report/model/facts.ts";
import type { ResourceReport } from "../../../report/model/report.ts";
import { buildStageKey } from "../../../report/model/stage-label.ts";
import { formatAddress } from "../../page/address.ts";
import {
  buildAmountCell,
  buildChangeCell,
  buildCostCell,
  buildCostColumns,
  buildFileColumn,
  buildTextColumn,
  type CostSide,
  NO_VALUE,
} from "../../page/columns.ts";
import { type Html, html, icon, plural, renderBox, renderOption } from "../../page/html.ts";
import { type Column, createTable, type Table, type TableCell } from "../../page/table.ts";
import { buildTagCell, describeTag, parseTagChoice } from "../tag-choice.ts";
import {
  filterResources,
  findTagKey,
  formatLeft,
  linkToView,
  NO_ACTION,
  NO_AMOUNTS,
  type PullView,
  type ReportSubject,
  type ResourceChoices,
  type ResourceFilter,
  type ResourceLine,
  renderSortField,
} from "./pull-subject.ts";

/** Most choices of a filter: with more of them it is a field to type in, so that the page stays small. */
const MAX_CHOICES = 60;

/** All resources that change, or whose cost changes: filtered, sorted and paged by the query. */
export async function renderResources(subject: ReportSubject): Promise<PullView> {
  const { address, evaluation } = subject;
  const lines = subject.indexed.resources;
  const filter = readFilter(address.query);
  const rows = filterResources(lines, filter);
  const table = createTable({
    name: "",
    caption: "Resources",
    columns: listResourceColumns(subject),
    rows,
    empty: lines.length === 0 ? "No resource changes." : "No resource matches these filters.",
    currencyOf: (line) => readCost(line)?.currency ?? null,
  });
  const { omittedRows, stages } = evaluation.report;
  const unlisted = omittedRows + stages.reduce((sum, { unreadRows }) => sum + unreadRows, 0);
  const body = html`${renderFilters(subject, filter)}
${renderBox("table", "Resources", [await table.render(address), renderUnstated(subject, rows)], { count: formatLeft(rows.length, lines.length) })}
${unlisted > 0 && html`<p class="muted">${formatCount(unlisted)} more ${plural(unlisted, "resource changes", "resources change")} and ${plural(unlisted, "is", "are")} not listed: the output of the plan names ${plural(unlisted, "it", "them")}.</p>`}
${!evaluation.pull.figures && html`<p class="muted">${icon("lock")} ${NO_AMOUNTS}</p>`}`;
  return { body, tables: [table] };
}

const readFilter = (query: ReportSubject["address"]["query"]): ResourceFilter => ({
  stage: query["stage"] ?? null,
  module: query["module"] ?? null,
  type: query["type"] ?? null,
  action: query["action"] ?? null,
  tag: query["tag"] ?? null,
  text: query["q"] ?? null,
});

const clearFilter = ({ address }: ReportSubject): string =>
  formatAddress(address, {
    ...{ stage: null, module: null, type: null, action: null },
    ...{ tag: null, q: null, page: null },
  });

function renderFilters(subject: ReportSubject, filter: ResourceFilter): Html {
  const { texts, indexed, address } = subject;
  const describe = (action: string): string =>
    action === NO_ACTION ? "cost only" : texts.describeAction(action as NonNullable<ResourceLine["action"]>); // one of the actions in the lines
  const { choices } = indexed;
  const key = findTagKey(subject.evaluation);
  const isFiltered = Object.values(filter).some((value) => value !== null);
  return html`<form class="filters" method="get">
<input type="hidden" name="view" value="resources">
${renderSortField(address)}
<label>Address contains<input type="search" name="q" value="${filter.text}"></label>
<label>Stage${renderChoices("stage", choices.stage, filter.stage)}</label>
<label>Module${renderChoices("module", choices.module, filter.module)}</label>
<label>Type${renderChoices("type", choices.type, filter.type)}</label>
<label>Action${renderChoices("action", choices.action, filter.action, describe)}</label>
${key !== undefined && html`<label><bdi>${key}</bdi>${renderChoices("tag", choices.tag, filter.tag, (tag) => describeTag(parseTagChoice(tag)))}</label>`}
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

/** The columns of tables of resources; without amounts where readers may not see figures. */
export function listResourceColumns(subject: ReportSubject): readonly Column<ResourceLine>[] {
  return [
    toAddressColumn(subject),
    ...(subject.evaluation.pull.figures ? COST_COLUMNS : []),
    ...listTagColumns(subject),
    toActionColumn(subject),
    buildTextColumn({ key: "stage", label: "Stage", sortable: true }, (line) => line.stageLabel),
    buildTextColumn({ key: "type", label: "Type", sortable: true }, (line) => line.type),
    buildFileColumn("module", ({ module }) => module),
  ];
}

function listTagColumns(subject: ReportSubject): readonly Column<ResourceLine>[] {
  const key = findTagKey(subject.evaluation);
  if (key === undefined) return [];
  return [
    {
      ...{ key: "tag", label: key, sortable: true },
      cell: ({ tags: [tag, former] }) => ({
        ...(tag === undefined ? NO_VALUE : buildTagCell(tag)),
        ...(former !== undefined && { note: `was ${describeTag(former)}` }),
      }),
      value: ({ tags: [tag] }) => tag?.value ?? null,
    },
    buildFileColumn("tag_kind", ({ tags: [tag] }) => tag?.kind ?? null),
  ];
}

const toAddressColumn = (subject: ReportSubject): Column<ResourceLine> => ({
  ...{ key: "resource", label: "Resource", sortable: true },
  cell: ({ address, stage, previousAddress }) => ({
    text: address,
    code: true,
    href: linkToView(subject.address, "resource", { stage, resource: address }),
    ...(previousAddress !== null && { note: `was ${previousAddress}` }),
  }),
  value: ({ address }) => address,
});

const DESTRUCTIVE: ReadonlySet<ResourceLine["action"]> = new Set(["deleted", "replaced", "removed"]);

const toActionColumn = ({ texts }: ReportSubject): Column<ResourceLine> => ({
  ...{ key: "action", label: "Action", sortable: true },
  cell: ({ action }) => {
    if (action === null) return NO_VALUE;
    const text = texts.describeAction(action);
    return DESTRUCTIVE.has(action) ? { text, tone: "danger" } : { text };
  },
  value: ({ action }) => action,
});

/** What a resource costs, also where that stays; null: no source states it. */
function readCost({ cost, stays }: ResourceLine): Pick<ResourceReport, CostSide | "currency"> | null {
  if (cost !== null || stays === null) return cost;
  const { amount, currency } = stays;
  return { before: amount, after: amount, change: amount === null ? null : ZERO, currency };
}

const COST_COLUMNS: readonly Column<ResourceLine>[] = [
  ...buildCostColumns<ResourceLine>(readCost, (line, side) => {
    const cost = readCost(line);
    if (cost === null) return NO_VALUE;
    const isMore = side === "change" && line.cost?.usageBased === true;
    return { ...buildCostCell(side, cost[side], cost.currency), ...(isMore && { note: "plus usage" }) };
  }),
  buildFileColumn("currency", (line) => readCost(line)?.currency ?? null),
];

/** Says what "–" means, if an amount of these rows is that. */
export const renderUnstated = ({ evaluation }: ReportSubject, rows: readonly ResourceLine[]): Html | false =>
  evaluation.pull.figures &&
  rows.some((line) => readCost(line) === null) &&
  html`<p class="below">–: the estimate states no cost of the resource itself. It may be free, or be in the cost of its module only.</p>`;

/** One resource: its price components, its changed attributes, and where they come from. Null: there is no such resource. */
export async function renderResource(subject: ReportSubject): Promise<PullView | null> {
  const { query } = subject.address;
  const own = subject.indexed.resources.filter(
    ({ address, stage }) => address === query["resource"] && stage === query["stage"],
  );
  const line = own.find(({ cost }) => cost !== null) ?? own[0];
  if (line === undefined) return null;
  const components = line.cost === null ? null : createComponentTable(line.cost);
  const attributes = createAttributeTable(subject, line);
  const { address, texts } = subject;
  const because = line.row?.attributesBecause;
  const body = html`<p><a href="${linkToView(address, "resources")}">${icon("chevron-left")}All resources</a></p>
<section class="box">
<h2 class="box-title"><code>${line.address}</code></h2>
${renderResourceFacts(subject, line, own)}
</section>
${components !== null && renderBox("tag", components.caption, await components.render(address))}
${renderBox("diff-modified", attributes.caption, [
  await attributes.render(address),
  because !== undefined && html`<p class="below">Not known: ${texts.describeReason(because)}.</p>`,
])}`;
  return { body, tables: [...(components === null ? [] : [components]), attributes] };
}

/** `own`: all lines of this resource, one per action. */
function renderResourceFacts(subject: ReportSubject, line: ResourceLine, own: readonly ResourceLine[]): Html {
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
${renderPlace(subject, line)}
${findTagKey(subject.evaluation) !== undefined && html`<dt><bdi>${findTagKey(subject.evaluation)}</bdi></dt><dd>${line.tags.map(describeTag).join(", before the change ")}</dd>`}
<dt>Stage</dt><dd><a href="${linkToView(address, "resources", { stage: stageLabel })}">${stageLabel}</a></dd>
${renderExecution(subject, line)}
<dt>Cost per month</dt><dd>${renderCost(subject, line)}</dd>
</dl>`;
}

function renderPlace({ evaluation, links }: ReportSubject, { cost, row }: ResourceLine): Html | false {
  const place = row?.place ?? cost?.place;
  if (place === undefined) return false;
  const [address, text] = [findPlaceAddress(evaluation, links, place), `${place.file}:${place.line}`];
  return html`<dt>Code</dt><dd>${address === null ? html`<code>${text}</code>` : html`<a href="${address}"><code>${text}</code></a>`}</dd>`;
}

function renderCost({ evaluation }: ReportSubject, line: ResourceLine): Html {
  const cost = readCost(line);
  if (cost === null)
    return evaluation.pull.figures
      ? html`the estimate states none for it`
      : html`${icon("lock")} not shown: not everyone who reads this repository may see amounts`;
  const { before, after, change, currency } = cost;
  const { text, tone } = buildChangeCell(change, currency);
  return html`${buildAmountCell(before, currency).text} → ${buildAmountCell(after, currency).text} (<span${tone && html` class="${tone}"`}>${text}</span>)${line.cost?.usageBased && ", plus usage that is not stated"}`;
}

function renderExecution({ evaluation, texts }: ReportSubject, line: ResourceLine): Html | null {
  const stage = evaluation.report.stages.find((one) => buildStageKey(one) === line.stage);
  if (stage === undefined) return null;
  const href = stage.executionPage === undefined ? null : parseLinkTarget(stage.executionPage);
  const id = html`<code title="${stage.executionId}">${shortenId(stage.executionId)}</code>`;
  return html`<dt>Execution</dt><dd>${href === null ? id : html`<a href="${href}">${id}</a>`} (${texts.describeSource(stage.source)}${!stage.proven && "; not proven"})</dd>`;
}

function createComponentTable({ currency, components = [] }: ResourceReport): Table {
  const cost = (key: CostSide, label: string) =>
    figure(
      key,
      label,
      (component) => component[key],
      (amount) => buildCostCell(key, amount, currency),
    );
  return createTable<ComponentCost>({
    ...{ name: "", caption: "Price components", rows: components },
    empty: "The estimate lists no price components.",
    columns: [
      buildTextColumn({ key: "component", label: "Component" }, ({ name }) => name),
      toQuantityColumn("before"),
      toQuantityColumn("after"),
      buildTextColumn({ key: "unit", label: "Unit" }, ({ quantity }) => quantity?.unit ?? null),
      toPriceColumn("before", currency),
      toPriceColumn("after", currency),
      cost("before", "Cost before"),
      cost("after", "Cost after"),
      cost("change", "Change"),
    ],
  });
}

/** The components have one order, that of the estimate. */
const figure = (
  key: string,
  label: string,
  read: (component: ComponentCost) => Decimal | null,
  format: (amount: Decimal | null) => TableCell,
): Column<ComponentCost> => ({
  ...{ key, label, numeric: true, value: read },
  cell: (component) => format(read(component)),
});

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
  return figure(
    `price_${side}`,
    `Price ${side}`,
    (component) => computePrice(component, side),
    (price) => (price === null ? NO_VALUE : { text: style.amount(price) }),
  );
}

const toQuantityColumn = (side: "before" | "after"): Column<ComponentCost> =>
  figure(
    `quantity_${side}`,
    `Quantity ${side}`,
    ({ quantity }) => quantity?.[side] ?? null,
    (value) => (value === null || value === ZERO ? NO_VALUE : { text: formatQuantity(value) }),
  );

/** An attribute with its values; null: only its name is known, or readers may not see values. */
type AttributeLine = ReturnType<typeof joinAttributes>[number];

const createAttributeTable = ({ evaluation }: ReportSubject, { cost, row }: ResourceLine): Table =>
  createTable<AttributeLine>({
    ...{ name: "attributes", caption: "Changed attributes", empty: "No attribute is known to change." },
    rows: joinAttributes(
      row?.changedAttributes ?? cost?.changedAttributes ?? [],
      evaluation.pull.figures ? (row?.attributeChanges ?? cost?.attributeChanges ?? []) : [],
    ),
    columns: [
      {
        ...{ key: "attribute", label: "Attribute" },
        cell: ({ name }) => ({ text: name, code: true }),
        value: ({ name }) => name,
      },
      toValueColumn("before", "Before"),
      toValueColumn("after", "After"),
    ],
  });

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
