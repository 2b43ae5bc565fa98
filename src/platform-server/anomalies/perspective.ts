import type {
  PerspectiveCondition as AskedCondition,
  PerspectiveField,
  PerspectiveFilter,
  PerspectiveQuery,
} from "../../platform/contract/shapes/perspective-filter.ts";
import { DIALECTS } from "../../platform/contract/wire/dialect.ts";
import { monthRange, type NamedMonth } from "../area/month.ts";
import { invalidFields, isProblem, type Problem } from "../area/problem.ts";
import type { TimeCondition } from "../area/time-conditions.ts";
import { ENTITY_COLUMNS } from "./fields.ts";
import type { FieldCondition, FieldSource } from "./store/field-conditions.ts";
import type { AnomalyCriteria } from "./store/matching-anomalies.ts";
import type { TextColumn } from "./store/tables.ts";

/** The criteria that a perspective's filters set for anomalies. */
export type PerspectiveCriteria = Pick<AnomalyCriteria, "conditions" | "rules" | "times">;

type BadRequest = Problem<"bad_request">;

/** Ids of fields that have another name than the member of `entity`; in lower case, without regard to which cloud a name is from. */
const OTHER_NAMES: Readonly<Record<string, TextColumn>> = {
  clustername: "k8s_cluster_name",
  namespace: "k8s_namespace",
  workloadname: "k8s_workload_name",
  servicename: "k8s_service_name",
  awsusageaccountid: "cloud1_account",
  awsservicecode: "cloud1_service",
  gcpprojectid: "cloud3_project",
  cloudprovider: "cloud_provider",
  resourcename: "resource_name",
  unitmetricname: "unit_metric_name",
  perspectiveid: "perspective_id",
};

const { firstWords, values } = DIALECTS.live;

const FIELD_IDS: ReadonlyMap<string, TextColumn> = new Map(
  Object.entries(ENTITY_COLUMNS).flatMap(([member, column]): [string, TextColumn][] => {
    const words = Object.keys(firstWords).filter((word) => member.startsWith(word));
    const live = words.map((word) => `${firstWords[word]}${member.slice(word.length)}`);
    return [member, ...live].map((name) => [name.toLowerCase(), column]);
  }),
);

/**
 * Converts the filters of a perspective to criteria for anomalies, or returns the problem of a filter that
 * does not apply to them.
 */
export function parsePerspectiveCriteria(
  query: PerspectiveQuery | null | undefined,
  nowMs: number,
): PerspectiveCriteria | BadRequest {
  const found = {
    conditions: [] as FieldCondition[],
    rules: [] as FieldCondition[][],
    times: [] as TimeCondition[],
  };
  for (const [index, filter] of (query?.filters ?? []).entries()) {
    const where = `perspectiveQueryDTO.filters.${index}`;
    const one = readFilter(filter, { where, nowMs });
    if (isProblem(one)) return one;
    found.conditions.push(...one.conditions);
    found.rules.push(...one.rules);
    found.times.push(...one.times);
  }
  return found;
}

function readFilter(
  filter: PerspectiveFilter,
  { where, nowMs }: { readonly where: string; readonly nowMs: number },
): { conditions: FieldCondition[]; rules: FieldCondition[][]; times: TimeCondition[] } | BadRequest {
  const { idFilter, timeFilter, timeRangeTypeFilter, viewMetadataFilter, ruleFilter } = filter;
  const ids = readConditions(idFilter === undefined ? [] : [idFilter], `${where}.idFilter`);
  if (isProblem(ids)) return ids;
  const rule = readConditions(ruleFilter?.conditions ?? [], `${where}.ruleFilter`);
  if (isProblem(rule)) return rule;
  const view =
    viewMetadataFilter === undefined ? [] : [createPerspectiveCondition(viewMetadataFilter.viewId)];
  const bound =
    timeFilter === undefined ? [] : [{ operator: timeFilter.operator, timestamp: timeFilter.value }];
  return {
    conditions: [...ids, ...view],
    rules: ruleFilter === undefined ? [] : [rule],
    times: [...bound, ...(timeRangeTypeFilter === undefined ? [] : duringMonth(timeRangeTypeFilter, nowMs))],
  };
}

function readConditions(conditions: readonly AskedCondition[], where: string): FieldCondition[] | BadRequest {
  const read: FieldCondition[] = [];
  for (const { field, operator, values } of conditions) {
    const place = findFieldSource(field);
    if (place === null)
      return invalidFields([{ field: where, error: `anomalies have no field ${field.fieldId}` }]);
    read.push({ place, operator, values: toNeutralValues(place, values) });
  }
  return read;
}

function findFieldSource({ fieldId, fieldName, identifier }: PerspectiveField): FieldSource | null {
  const name = fieldName === undefined || fieldName === "" ? fieldId : fieldName;
  if (identifier === "LABEL" || identifier === "LABEL_V2") return { kind: "tag", key: name };
  if (identifier === "BUSINESS_MAPPING") return { kind: "category", name };
  const id = fieldId.toLowerCase();
  const column = FIELD_IDS.get(id) ?? (Object.hasOwn(OTHER_NAMES, id) ? OTHER_NAMES[id] : undefined);
  return column === undefined ? null : { kind: "column", column };
}

const NEUTRAL_CLOUDS: ReadonlyMap<string, string> = new Map(
  Object.entries(values.cloud).map(([neutral, live]) => [live, neutral]),
);

/** A filter's values are plain texts, which no dialect translates: here are clouds named in either. */
const toNeutralValues = (place: FieldSource, values: readonly string[]): readonly string[] =>
  place.kind === "column" && place.column === "cloud_provider"
    ? values.map((value) => NEUTRAL_CLOUDS.get(value) ?? value)
    : values;

const createPerspectiveCondition = (viewId: string): FieldCondition => ({
  place: { kind: "column", column: "perspective_id" },
  operator: "IN",
  values: [viewId],
});

function duringMonth(month: NamedMonth, nowMs: number): TimeCondition[] {
  const { from, to } = monthRange(month, nowMs);
  return [
    { operator: "AFTER", timestamp: from },
    { operator: "BEFORE", timestamp: to },
  ];
}
