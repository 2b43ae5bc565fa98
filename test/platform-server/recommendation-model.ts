import fc from "fast-check";
import type { RecommendationFilter } from "../../src/platform/contract/recommendations.ts";
import { START_MS } from "./platform-world.ts";
import { TEXT_FIELDS, TIME_FIELDS } from "./recommendation-naive.ts";
import { type ImportedLine, recommendation } from "./recommendation-verbs.ts";

const HOUR = 60 * 60 * 1000;

const WORDS = ["prod", "Prod", "PROD-1", "staging", "a_b", "a%b", "a\\b", "ä-Ö", "", "dev"] as const;
const word = fc.constantFrom(...WORDS);
const STATES = ["OPEN", "APPLIED", "IGNORED", "TEMPORARILY_IGNORED"] as const;
const CLOUDS = ["CLOUD_1", "CLOUD_2", "CLOUD_3", "CLUSTER"] as const;
const VERIFICATIONS = ["INFERRED_PENDING_REVIEW", "INFERRED_REJECTED", "MANUAL_APPLIED_FETCHED"] as const;
const KEYS = ["team", "Team", "env"] as const;
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
const amount = fc.constantFrom(-3, 0, 0.1, 0.2, 10, 10.005, 99.99, 1e6);
/** From 70 days before the clock to 2 after it, often on the edge of a day or month. */
const time = fc.oneof(
  fc.integer({ min: -70 * 24, max: 48 }).map((hours) => START_MS + hours * HOUR),
  fc.constantFrom(START_MS, START_MS - 1, Date.UTC(2025, 11, 1), Date.UTC(2025, 11, 1) - 1),
);

/** Lines of an import with few different values, so that filters find some and not all. */
export const lines = (count: number, seed: number): ImportedLine[] =>
  fc
    .sample(lineFields, { numRuns: count, seed })
    .map((fields, index) => recommendation(`r-${String(index).padStart(4, "0")}`, fields));

const lineFields = fc.record({
  resourceType: fc.constantFrom("WORKLOAD", "NODE_POOL", "EC2_INSTANCE", "GOVERNANCE"),
  recommendationState: maybe(fc.constantFrom(...STATES)),
  verificationStatus: maybe(fc.constantFrom(...VERIFICATIONS)),
  parentId: fc.option(fc.constant("p"), { nil: undefined, freq: 1 }),
  isParent: maybe(fc.boolean()),
  cloudProvider: maybe(fc.constantFrom(...CLOUDS)),
  cloudAccountId: maybe(word),
  cloudAccountName: maybe(word),
  targetRegion: maybe(word),
  clusterName: maybe(word),
  namespace: maybe(word),
  resourceName: maybe(word),
  resourceId: maybe(word),
  cloud2ResourceGroup: maybe(word),
  instanceType: maybe(word),
  csClusterName: maybe(word),
  csLaunchType: maybe(word),
  governanceRuleName: maybe(word),
  perspectiveId: maybe(word),
  appliedByUserName: maybe(word),
  monthlySaving: maybe(amount),
  overriddenSavings: fc.option(amount, { nil: undefined, freq: 1 }),
  monthlyCost: maybe(amount),
  appliedAt: maybe(time),
  appliedAtSavings: maybe(amount),
  createdAt: maybe(time),
  lastProcessedAt: maybe(time),
  updatedAt: maybe(time),
  tags: maybe(fc.dictionary(fc.constantFrom(...KEYS), word, { maxKeys: 3, noNullPrototype: true })),
  costCategoryDetails: maybe(
    fc.array(fc.record({ costCategory: fc.constantFrom(...KEYS), costBucket: word }), { maxLength: 3 }),
  ),
});

const words = maybe(fc.uniqueArray(word, { maxLength: 4 }));
const states = maybe(fc.uniqueArray(fc.constantFrom(...STATES), { maxLength: 3 }));
/** Mostly absent, so that members are also tried alone. */
const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.integer({ min: 0, max: 3 }).chain((n) => (n === 0 ? value : fc.constant(undefined)));
const some = <T>(value: fc.Arbitrary<T>) =>
  fc.integer({ min: 0, max: 11 }).chain((n) => (n === 0 ? value : fc.constant(undefined)));

const field = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...Object.keys(TEXT_FIELDS)).map((fieldId) => ({ fieldId })) },
  {
    weight: 2,
    arbitrary: fc.record({
      fieldId: fc.constantFrom("labels.value", "businessMapping"),
      fieldName: fc.constantFrom(...KEYS),
    }),
  },
);
const condition = fc.record({
  field,
  operator: fc.constantFrom("NOT_IN", "IN", "EQUALS", "NOT_NULL", "NULL", "SEARCH"),
  values: fc.uniqueArray(
    fc.oneof(word, fc.constantFrom("%", "o", "_"), fc.constantFrom("OPEN", "CLOUD_1", "pr", "Ä")),
    {
      maxLength: 3,
    },
  ),
});

const perspective = fc.record({
  idFilter: rarely(condition),
  timeFilter: rarely(
    fc.record({
      field: fc.constantFrom(...Object.keys(TIME_FIELDS)).map((fieldId) => ({ fieldId })),
      operator: fc.constantFrom("AFTER", "BEFORE"),
      value: time,
    }),
  ),
  timeRangeTypeFilter: some(fc.constantFrom("LAST_MONTH", "CURRENT_MONTH")),
  viewMetadataFilter: some(fc.record({ viewId: fc.constantFrom("prod", "dev"), isPreview: fc.boolean() })),
  ruleFilter: rarely(fc.record({ conditions: fc.array(condition, { maxLength: 2 }) })),
});

/** Any filter that the contract allows, members often absent. */
const anyFilter = fc.record({
  k8sRecommendationFilterPropertiesDTO: some(
    fc.record({
      ids: some(fc.constant(["r-0001", "r-0002", "r-0003"])),
      names: some(words),
      namespaces: some(words),
      clusterNames: some(words),
      resourceTypes: some(fc.constant(["WORKLOAD", "GOVERNANCE"])),
      recommendationStates: some(states),
      cloudProvider: some(
        fc.oneof(fc.constantFrom(...CLOUDS), fc.uniqueArray(fc.constantFrom(...CLOUDS), { maxLength: 3 })),
      ),
      regions: some(words),
    }),
  ),
  cloud1RecommendationFilterPropertiesDTO: some(fc.record({ instanceType: words })),
  cloud2RecommendationFilterProperties: some(fc.record({ instanceType: some(words), resourceGroup: words })),
  containerRecommendationFilterPropertiesDTO: some(
    fc.record({
      k8sClusterName: some(words),
      k8sNamespace: some(words),
      csClusterName: some(words),
      csLaunchType: some(words),
    }),
  ),
  governanceRecommendationFilterPropertiesDTO: some(fc.record({ governanceRuleName: words })),
  baseRecommendationFilterPropertiesDTO: rarely(
    fc.record({
      id: some(fc.constant(["r-0001", "r-0004"])),
      cloudAccountId: some(words),
      cloudAccountName: some(words),
      resourceId: some(words),
      resourceName: some(words),
      region: some(words),
      resourceType: some(fc.constant(["NODE_POOL"])),
      recommendationState: some(states),
      cloudProvider: some(fc.uniqueArray(fc.constantFrom(...CLOUDS))),
      appliedByUserName: some(words),
      verificationStatus: some(fc.uniqueArray(fc.constantFrom(...VERIFICATIONS))),
      perspectiveId: some(words),
      appliedAtStartTime: some(time),
      appliedAtEndTime: some(time),
    }),
  ),
  perspectiveFilters: rarely(fc.array(perspective, { maxLength: 3 })),
  minSaving: some(amount),
  minCost: some(amount),
  daysBack: some(fc.constantFrom(0, 1, 31, 60)),
  offset: some(fc.integer({ min: 0, max: 20 })),
  limit: rarely(fc.integer({ min: 1, max: 40 })),
  sortBy: maybe(fc.constantFrom("MONTHLY_SAVING", "MONTHLY_COST", "APPLIED_AT", "RESOURCE_TYPE")),
  sortOrder: maybe(fc.constantFrom("ASCENDING", "DESCENDING")),
  childRecommendation: some(fc.boolean()),
  parentRecommendation: some(fc.boolean()),
  includeIgnoredRecommendation: maybe(fc.boolean()),
  tagDTOs: some(fc.array(fc.record({ key: fc.constantFrom(...KEYS), value: word }), { maxLength: 4 })),
  costCategoryDTOs: some(
    fc.array(fc.record({ costCategory: fc.constantFrom(...KEYS), costBucket: word }), { maxLength: 4 }),
  ),
  tags: some(fc.dictionary(fc.constantFrom(...KEYS), word, { maxKeys: 2, noNullPrototype: true })),
  filterType: some(fc.constant("CCMRecommendation")),
});

/** Perspective filters alone, so that each operator decides. */
const perspectivesOnly = fc.record({
  perspectiveFilters: fc.array(
    fc.oneof(
      fc.record({ idFilter: condition }),
      fc.record({
        ruleFilter: fc.record({ conditions: fc.array(condition, { minLength: 1, maxLength: 2 }) }),
      }),
    ),
    { minLength: 1, maxLength: 3 },
  ),
  limit: fc.constant(1000),
});

// Written to the contract, which the server checks.
export const filters = fc.oneof(
  { weight: 2, arbitrary: anyFilter },
  { weight: 1, arbitrary: perspectivesOnly },
) as fc.Arbitrary<RecommendationFilter>;
