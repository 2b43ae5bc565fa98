import type { Body, Documented } from "./documented-operation.ts";

/** Document 2: cost management. Its paths lie behind `/gateway/ccm/api`; every operation takes the account as a query parameter. */

const ACCOUNT = "accountIdentifier!";
const CLOUDS = "CLOUD_1|CLOUD_2|CLOUD_3";
/** Section 7. */
const ERRORS = [400, 500];

const FIELD = { fieldId: "account", fieldName: "Account", identifier: "CLUSTER", identifierName: "Cluster" };
const PERSPECTIVE_FILTER = {
  idFilter: { field: FIELD, operator: "IN", values: ["1"] },
  timeFilter: { field: FIELD, operator: "AFTER", value: 1 },
  timeRangeTypeFilter: "LAST_MONTH",
  viewMetadataFilter: { viewId: "v", isPreview: false, preview: false },
  ruleFilter: { conditions: [{ field: FIELD, operator: "IN", values: ["1"] }] },
};
const PERSPECTIVE_QUERY = {
  filters: [PERSPECTIVE_FILTER],
  groupBy: [{ entityGroupBy: FIELD, timeTruncGroupBy: { resolution: "HOUR" } }],
};
const texts = (names: string): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, ["a"]]));

/** 2.6. */
const RECOMMENDATION_FILTER: Body = {
  required: [],
  example: {
    k8sRecommendationFilterPropertiesDTO: {
      ...texts("ids names namespaces clusterNames resourceTypes recommendationStates regions"),
      cloudProvider: "CLOUD_1",
    },
    cloud1RecommendationFilterPropertiesDTO: texts("instanceType"),
    cloud2RecommendationFilterProperties: texts("instanceType resourceGroup"),
    containerRecommendationFilterPropertiesDTO: texts(
      "k8sClusterName k8sNamespace csClusterName csLaunchType",
    ),
    governanceRecommendationFilterPropertiesDTO: texts("governanceRuleName"),
    baseRecommendationFilterPropertiesDTO: {
      ...texts(
        "id cloudAccountId cloudAccountName resourceId resourceName region resourceType recommendationState cloudProvider appliedByUserName verificationStatus perspectiveId",
      ),
      appliedAtStartTime: 1,
      appliedAtEndTime: 2,
    },
    perspectiveFilters: [PERSPECTIVE_FILTER],
    minSaving: 1.5,
    minCost: 1.5,
    daysBack: 7,
    offset: 0,
    limit: 10,
    sortBy: "MONTHLY_SAVING",
    sortOrder: "DESCENDING",
    childRecommendation: false,
    includeIgnoredRecommendation: false,
    parentRecommendation: false,
    tagDTOs: [{ key: "team", value: "web" }],
    costCategoryDTOs: [{ costCategory: "product", costBucket: "shop" }],
    tags: { "*": "web" },
    filterType: "CCMRecommendation",
  },
  values: {
    sortBy: ["MONTHLY_SAVING", "MONTHLY_COST", "APPLIED_AT", "RESOURCE_TYPE"],
    sortOrder: ["ASCENDING", "DESCENDING"],
  },
};

/** 2.7. */
const ANOMALY_BODY: Body = {
  required: [],
  example: {
    anomalyFilterPropertiesDTO: {
      ...texts(
        "k8sClusterNames k8sNamespaces k8sWorkloadNames k8sServiceNames cloud3Projects cloud3Products cloud3SKUDescriptions cloud1Accounts cloud1Services cloud1UsageTypes cloud2SubscriptionGuids cloud2ResourceGroups cloud2MeterCategories aiVendor1ProjectIds aiVendor1Models aiVendor1UsageTypes aiVendor2ProjectIds aiVendor2Models aiVendor2UsageTypes searchText anomalyIds costCategories perspectiveIds unitMetricNames",
      ),
      minActualAmount: 1,
      minAnomalousSpend: 1,
      timeFilters: [{ operator: "AFTER", timestamp: 1 }],
      orderBy: [{ field: "PERSPECTIVE_ID", order: "ASCENDING" }],
      groupBy: [{ groupByField: "PERSPECTIVE_ID" }],
      aggregations: [{ operationType: "SUM", field: "ACTUAL_COST" }],
      offset: 0,
      limit: 10,
      status: ["ACTIVE"],
      costCategoryDTOs: [{ costCategory: "product", costBucket: "shop" }],
      anomalyView: "RESOURCE",
      tags: { "*": "web" },
      filterType: "Anomaly",
    },
    perspectiveQueryDTO: PERSPECTIVE_QUERY,
    showWhitelistedAnomalies: false,
  },
};

/** 2.8. */
const UNIT_METRIC: Body = {
  required: [],
  example: {
    metricIdentifier: "users",
    metricName: "Users",
    labels: { "*": "web" },
    description: "",
    defaultAggregation: "AVG",
    handleEmptyValue: "ZERO",
    type: "MANUAL",
    unitMetricRecords: [{ value: 1, usageTimeStamp: "2026-01-01T00:00:00Z" }],
    dataSource: "BILLING",
    fieldId: "cost",
    columnAggregation: "SUM",
  },
  values: {
    defaultAggregation: ["AVG", "MIN", "MAX", "SUM"],
    handleEmptyValue: ["LEAVE_BLANK", "PREVIOUS_VALUE", "ZERO"],
  },
};

/** 2.3. */
const TIME_FILTERS: Body = {
  required: [],
  example: [{ operator: "IN", timestamp: 1 }],
  values: {
    "0.operator":
      "NOT_IN IN EQUALS NOT_NULL NULL LIKE GREATER_THAN LESS_THAN GREATER_THAN_EQUALS_TO LESS_THAN_EQUALS_TO AFTER BEFORE".split(
        " ",
      ),
  },
};

const OPERATIONS: readonly Documented[] = [
  {
    at: "POST /governance/overview/dayWiseTotalEvaluations",
    query: `${ACCOUNT} cloudProvider(${CLOUDS})*`,
    body: TIME_FILTERS,
  },
  { at: "GET /governance/promptResources", query: `${ACCOUNT} cloudProvider(${CLOUDS})!` },
  { at: "GET /governance/promptRules", query: `${ACCOUNT} cloudProvider(${CLOUDS})! resourceType` },
  { at: "POST /recommendation/overview/stats/applied", query: ACCOUNT, body: RECOMMENDATION_FILTER },
  {
    at: "POST /recommendation/overview/change-inference-status",
    query: ACCOUNT,
    body: {
      required: ["recommendationId", "verificationStatus"],
      example: { recommendationId: "r", verificationStatus: "INFERRED_PENDING_REVIEW", comment: "seen" },
    },
  },
  {
    at: "POST /recommendation/overview/change-state",
    query: `${ACCOUNT} recommendationId! state!`,
    body: { required: [], example: { appliedSavings: 1.5 } },
  },
  { at: "POST /recommendation/overview/count", query: ACCOUNT, body: RECOMMENDATION_FILTER },
  {
    at: "POST /recommendation/overview/filter-values",
    query: ACCOUNT,
    body: { required: [], example: { columns: ["name"], filter: RECOMMENDATION_FILTER.example } },
  },
  { at: "GET /recommendation/overview/supported-filters", query: ACCOUNT },
  {
    at: "POST /recommendation/overview/iacm",
    query: ACCOUNT,
    body: {
      required: [],
      example: { resources: [{ provider: "p", type: "t", resourceId: "i" }], states: ["OPEN"] },
    },
  },
  { at: "POST /recommendation/overview/list", query: ACCOUNT, body: RECOMMENDATION_FILTER },
  // The document does not show this one's path: docs/platform-reference.md chooses it.
  {
    at: "PUT /recommendation/overview/override-savings",
    query: `${ACCOUNT} recommendationId! overriddenSavings!`,
  },
  { at: "GET /recommendation/tags", query: `${ACCOUNT} recommendationId!` },
  { at: "GET /recommendation/tags/filter-panel", query: `${ACCOUNT} tagKey search limit offset` },
  { at: "POST /anomaly/v2/list", query: ACCOUNT, body: ANOMALY_BODY },
  { at: "POST /anomaly/v2/metrics", query: ACCOUNT, body: ANOMALY_BODY },
  { at: "POST /anomaly/v2/summary", query: ACCOUNT, body: ANOMALY_BODY },
  { at: "POST /anomaly/v2/metrics/time-series", query: ACCOUNT, body: ANOMALY_BODY },
  { at: "POST /anomaly/v2/mean-resolution-time", query: ACCOUNT, body: ANOMALY_BODY },
  { at: "PUT /anomaly/v2/update/feedback", query: `${ACCOUNT} anomalyId feedback` },
  { at: "PUT /anomaly/v2/update/status", query: `${ACCOUNT} anomalyId status` },
  { at: "GET /unit-metric", query: `${ACCOUNT} metricIdentifier startTime endTime` },
  { at: "POST /unit-metric", query: ACCOUNT, body: UNIT_METRIC },
  { at: "PUT /unit-metric", query: ACCOUNT, body: UNIT_METRIC },
  {
    at: "DELETE /unit-metric",
    query: `${ACCOUNT} identifier! startTime endTime deleteCompleteMetric=false`,
  },
  {
    at: "POST /unit-metric/perspective/{perspectiveId}",
    query: `${ACCOUNT} metricIdentifier startTime endTime`,
    body: { required: [], example: [PERSPECTIVE_FILTER] },
  },
  { at: "GET /unit-metric/list", query: `${ACCOUNT} pageSize=20 pageNo=0`, paged: true },
];

export const COST_DOCUMENT = OPERATIONS.map((one): Documented => {
  const [method = "", path = ""] = one.at.split(" ");
  // The two halves of a text of this form.
  const at = `${method} /gateway/ccm/api${path}` as Documented["at"];
  return { errors: ERRORS, ...one, at };
});
