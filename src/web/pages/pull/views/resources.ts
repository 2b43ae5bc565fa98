import { formatCount } from "../../../../render/format/count.ts";
import { formatAddress } from "../../../page/address.ts";
import { buildSortedTable } from "../../../page/sorted-table.ts";
import type { PullSubject, PullView } from "../subject/pull-subject.ts";
import {
  filterResources,
  NO_ACTION,
  type ResourceChoices,
  type ResourceFilter,
  type ResourceLine,
} from "../subject/resource-lines.ts";
import { listResourceColumns } from "./resource-columns.ts";

/** Most choices of a filter: with more of them it is a field to type in, so that the page stays small. */
const MAX_CHOICES = 60;

/** All resources that change, or whose cost changes: filtered, sorted and paged by the query. */
export function buildResourcesView(subject: PullSubject): PullView {
  const { address, evaluation } = subject;
  const lines = subject.read.resources;
  const filter = readFilter(address.query);
  const rows = filterResources(lines, filter);
  const table = buildSortedTable(
    {
      prefix: "",
      caption: "Resources",
      columns: listResourceColumns(subject),
      rows,
      empty: lines.length === 0 ? "No resource changes." : "No resource matches these filters.",
      currencyOf: ({ cost }) => cost?.currency ?? null,
    },
    address,
  );
  const { omittedRows, stages } = evaluation.report;
  const view = {
    ...{ table: table.view, count: rows.length, all: lines.length },
    figures: evaluation.pull.figures,
    unlisted: omittedRows + stages.reduce((sum, { unreadRows }) => sum + unreadRows, 0),
    filters: buildFilters(subject, filter),
    sort: address.query["sort"] ?? null,
    reset: Object.values(filter).some((value) => value !== null) ? clearFilter(subject) : null,
  };
  return { template: "pull/resources", view, tables: [table] };
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

function buildFilters({ texts, read }: PullSubject, filter: ResourceFilter) {
  const describe = (action: string): string =>
    action === NO_ACTION ? "cost only" : texts.describeAction(action as NonNullable<ResourceLine["action"]>); // one of the actions in the lines
  return {
    text: filter.text ?? "",
    stage: buildChoices(read.choices.stage, filter.stage),
    module: buildChoices(read.choices.module, filter.module),
    type: buildChoices(read.choices.type, filter.type),
    action: buildChoices(read.choices.action, filter.action, describe),
  };
}

/** The choices of a filter; `choices` null: there are too many to list. */
function buildChoices(
  counts: ResourceChoices[keyof ResourceChoices],
  chosen: string | null,
  describe = (value: string): string => value,
) {
  if (counts.length > MAX_CHOICES) return { value: chosen ?? "", choices: null };
  return {
    value: chosen ?? "",
    choices: counts.map(([value, count]) => ({
      value,
      text: `${describe(value)} (${formatCount(count)})`,
      selected: value === chosen,
    })),
  };
}
