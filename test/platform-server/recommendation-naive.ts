import type { RecommendationFilter } from "../../src/platform/contract/recommendations.ts";
import type {
  PerspectiveCondition,
  PerspectiveFilter,
} from "../../src/platform/contract/shapes/perspective-filter.ts";
import { DAY_MS } from "./platform-world.ts";
import type { ImportedLine } from "./recommendation-verbs.ts";

export const TEXT_FIELDS: Readonly<Record<string, (line: ImportedLine) => string | null | undefined>> = {
  cloudProvider: (line) => line.cloudProvider,
  cloudAccountId: (line) => line.cloudAccountId,
  cloudAccountName: (line) => line.cloudAccountName,
  region: (line) => line.targetRegion,
  clusterName: (line) => line.clusterName,
  namespace: (line) => line.namespace,
  workloadName: (line) => line.resourceName,
  resourceName: (line) => line.resourceName,
  resourceId: (line) => line.resourceId,
  resourceType: (line) => line.resourceType,
  resourceGroup: (line) => line.cloud2ResourceGroup,
  instanceType: (line) => line.instanceType,
  csClusterName: (line) => line.csClusterName,
  csLaunchType: (line) => line.csLaunchType,
  governanceRuleName: (line) => line.governanceRuleName,
  perspectiveId: (line) => line.perspectiveId,
  recommendationState: (line) => line.recommendationState ?? "OPEN",
  verificationStatus: (line) => line.verificationStatus,
  appliedByUserName: (line) => line.appliedByUserName,
};
export const TIME_FIELDS: Readonly<Record<string, (line: ImportedLine) => number | null | undefined>> = {
  startTime: (line) => line.lastProcessedAt ?? line.createdAt,
  createdAt: (line) => line.createdAt,
  lastProcessedAt: (line) => line.lastProcessedAt,
  appliedAt: (line) => line.appliedAt,
  updatedAt: (line) => line.updatedAt,
};

/** The same filter read over plain objects: what a person takes from the documents. */
export function naiveMatches(line: ImportedLine, filter: RecommendationFilter, now: number): boolean {
  return [textsMatch, statesMatch, familyMatches, figuresMatch, labelsMatch, perspectivesMatch].every(
    (check) => check(line, filter, now),
  );
}

type Check = (line: ImportedLine, filter: RecommendationFilter, now: number) => boolean;
type Text = string | null | undefined;
const within = (wanted: readonly string[] | null | undefined, value: Text): boolean =>
  !wanted?.length || (value != null && wanted.includes(value));

const textsMatch: Check = (line, filter) => {
  const k8s = filter.k8sRecommendationFilterPropertiesDTO;
  const base = filter.baseRecommendationFilterPropertiesDTO;
  const box = filter.containerRecommendationFilterPropertiesDTO;
  const first = filter.cloud1RecommendationFilterPropertiesDTO;
  const second = filter.cloud2RecommendationFilterProperties;
  const mayBeOf = (cloud: string) => line.cloudProvider == null || line.cloudProvider === cloud;
  return (
    [k8s?.ids, base?.id].every((wanted) => within(wanted, line.id)) &&
    [k8s?.names, base?.resourceName].every((wanted) => within(wanted, line.resourceName)) &&
    [k8s?.namespaces, box?.k8sNamespace].every((wanted) => within(wanted, line.namespace)) &&
    [k8s?.clusterNames, box?.k8sClusterName].every((wanted) => within(wanted, line.clusterName)) &&
    [k8s?.resourceTypes, base?.resourceType].every((wanted) => within(wanted, line.resourceType)) &&
    [k8s?.regions, base?.region].every((wanted) => within(wanted, line.targetRegion)) &&
    within([k8s?.cloudProvider ?? []].flat(), line.cloudProvider) &&
    within(base?.cloudProvider, line.cloudProvider) &&
    within(box?.csClusterName, line.csClusterName) &&
    within(box?.csLaunchType, line.csLaunchType) &&
    within(filter.governanceRecommendationFilterPropertiesDTO?.governanceRuleName, line.governanceRuleName) &&
    within(base?.cloudAccountId, line.cloudAccountId) &&
    within(base?.cloudAccountName, line.cloudAccountName) &&
    within(base?.resourceId, line.resourceId) &&
    within(base?.appliedByUserName, line.appliedByUserName) &&
    within(base?.verificationStatus, line.verificationStatus) &&
    within(base?.perspectiveId, line.perspectiveId) &&
    (!first?.instanceType?.length || (mayBeOf("CLOUD_1") && within(first.instanceType, line.instanceType))) &&
    (!second?.instanceType?.length ||
      (mayBeOf("CLOUD_2") && within(second.instanceType, line.instanceType))) &&
    (!second?.resourceGroup?.length ||
      (mayBeOf("CLOUD_2") && within(second.resourceGroup, line.cloud2ResourceGroup)))
  );
};

const statesMatch: Check = (line, filter) => {
  const state = line.recommendationState ?? "OPEN";
  const named = [
    filter.k8sRecommendationFilterPropertiesDTO?.recommendationStates,
    filter.baseRecommendationFilterPropertiesDTO?.recommendationState,
  ];
  if (!named.every((wanted) => within(wanted, state))) return false;
  return (
    filter.includeIgnoredRecommendation === true ||
    named.some((wanted) => wanted?.length) ||
    !state.endsWith("IGNORED")
  );
};

const familyMatches: Check = (line, { childRecommendation: child, parentRecommendation: parent }) => {
  const isChild = line.parentId != null;
  const isParent = !isChild && line.isParent === true;
  if (!child && !parent) return !isChild;
  return (child === true && isChild) || (parent === true && isParent);
};

const isAbove = (value: number | null | undefined, limit: number | null | undefined): boolean =>
  limit == null || (value != null && value > limit);
const isBetween = (value: number | null | undefined, [from, until]: (number | null | undefined)[]): boolean =>
  (from == null && until == null) ||
  (value != null && value >= (from ?? -Infinity) && value <= (until ?? Infinity));

const figuresMatch: Check = (line, filter, now) => {
  const base = filter.baseRecommendationFilterPropertiesDTO;
  const since = filter.daysBack == null ? null : now - filter.daysBack * DAY_MS;
  return (
    isAbove(line.overriddenSavings ?? line.monthlySaving, filter.minSaving) &&
    isAbove(line.monthlyCost, filter.minCost) &&
    isBetween(generated(line), [since, null]) &&
    isBetween(line.appliedAt, [base?.appliedAtStartTime, base?.appliedAtEndTime])
  );
};
const generated = (line: ImportedLine) => line.lastProcessedAt ?? line.createdAt;

const bucketsOf = (line: ImportedLine, key: string): string[] =>
  (line.costCategoryDetails ?? [])
    .filter(({ costCategory }) => costCategory === key)
    .map((c) => c.costBucket);
const tagOf = (line: ImportedLine, key: string): string[] =>
  line.tags && Object.hasOwn(line.tags, key) ? [line.tags[key] ?? ""] : [];

const labelsMatch: Check = (line, filter) => {
  const tags = filter.tagDTOs ?? [];
  const categories = filter.costCategoryDTOs ?? [];
  return (
    Object.entries(filter.tags ?? {}).every(([key, value]) => tagOf(line, key).includes(value)) &&
    tags.every(({ key }) => tags.some((tag) => tag.key === key && tagOf(line, key).includes(tag.value))) &&
    categories.every(({ costCategory: key }) =>
      categories.some((c) => c.costCategory === key && bucketsOf(line, key).includes(c.costBucket)),
    )
  );
};

const perspectivesMatch: Check = (line, filter, now) => {
  const all = filter.perspectiveFilters ?? [];
  const rules = all.flatMap(({ ruleFilter }) => (ruleFilter === undefined ? [] : [ruleFilter]));
  return (
    all.every((one) => perspectiveMatches(line, one, now)) &&
    (rules.length === 0 ||
      rules.some(({ conditions }) => conditions.every((wanted) => conditionHolds(line, wanted))))
  );
};

const month = (ms: number) => new Date(ms).getUTCFullYear() * 12 + new Date(ms).getUTCMonth();

function perspectiveMatches(line: ImportedLine, one: PerspectiveFilter, now: number): boolean {
  const { idFilter, timeFilter, timeRangeTypeFilter: range, viewMetadataFilter: view } = one;
  const at = generated(line);
  return (
    (idFilter === undefined || conditionHolds(line, idFilter)) &&
    (view === undefined || view.isPreview || view.preview || line.perspectiveId === view.viewId) &&
    (timeFilter === undefined || timeMatches(line, timeFilter)) &&
    (range === undefined || (at != null && month(at) === month(now) - (range === "LAST_MONTH" ? 1 : 0)))
  );
}

const timeMatches = (
  line: ImportedLine,
  { field, operator, value }: NonNullable<PerspectiveFilter["timeFilter"]>,
): boolean =>
  isBetween(TIME_FIELDS[field.fieldId]?.(line), operator === "AFTER" ? [value, null] : [null, value]);

function conditionHolds(
  line: ImportedLine,
  { field: { fieldId, fieldName = "" }, operator, values }: PerspectiveCondition,
) {
  const own = [TEXT_FIELDS[fieldId]?.(line) ?? []].flat();
  const labels = fieldId === "labels.value" ? tagOf(line, fieldName) : bucketsOf(line, fieldName);
  const known = fieldId === "labels.value" || fieldId === "businessMapping" ? labels : own;
  const some = (holds: (value: string, wanted: string) => boolean) =>
    known.some((value) => values.some((wanted) => holds(value, wanted)));
  switch (operator) {
    case "NULL":
      return known.length === 0;
    case "NOT_NULL":
      return known.length > 0;
    case "NOT_IN":
      return !some((value, wanted) => value === wanted);
    case "SEARCH":
      return some((value, wanted) => value.toLowerCase().includes(wanted.toLowerCase()));
    default:
      return some((value, wanted) => value === wanted);
  }
}

type Key = string | number | null;
const keyOf = (line: ImportedLine, by: RecommendationFilter["sortBy"]): Key => {
  if (by === "RESOURCE_TYPE") return line.resourceType;
  if (by === "MONTHLY_COST") return line.monthlyCost ?? null;
  if (by === "APPLIED_AT") return line.appliedAt ?? null;
  return line.overriddenSavings ?? line.monthlySaving ?? null;
};

const compareKeys = (left: Key, right: Key, up: number): number => {
  if (left === right) return 0;
  if (left === null || right === null) return left === null ? 1 : -1;
  return left < right ? -up : up;
};

/** What a list answers: filtered, in order, the asked piece. */
export function naiveList(
  all: readonly ImportedLine[],
  filter: RecommendationFilter,
  now: number,
): readonly string[] {
  const up = filter.sortOrder === "ASCENDING" ? 1 : -1;
  const offset = filter.offset ?? 0;
  return all
    .filter((line) => naiveMatches(line, filter, now))
    .sort(
      (a, b) => compareKeys(keyOf(a, filter.sortBy), keyOf(b, filter.sortBy), up) || (a.id < b.id ? -1 : 1),
    )
    .slice(offset, offset + (filter.limit ?? 10))
    .map(({ id }) => id);
}
