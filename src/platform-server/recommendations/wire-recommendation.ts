import type { z } from "zod";
import { Recommendation } from "../../platform/contract/recommendations.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import type { Row } from "../tables/tables.ts";

export type RecommendationRow = Row<"platform_recommendations">;
type WireRecommendation = z.input<typeof Recommendation>;

/** Columns with a member of an import's line that answers show, in the order of answers; null where it is not stated. */
export const SHOWN_COLUMNS = {
  id: "id",
  resource_type: "resourceType",
  cluster_name: "clusterName",
  namespace: "namespace",
  resource_name: "resourceName",
  resource_id: "resourceId",
  monthly_saving: "monthlySaving",
  monthly_cost: "monthlyCost",
  overridden_savings: "overriddenSavings",
  state: "recommendationState",
  verification_status: "verificationStatus",
  variance_notes: "varianceNotes",
  perspective_id: "perspectiveId",
  cloud_provider: "cloudProvider",
  cloud_account_id: "cloudAccountId",
  cloud_account_name: "cloudAccountName",
  region: "targetRegion",
  resource_group: "cloud2ResourceGroup",
  applied_ms: "appliedAt",
  applied_savings: "appliedAtSavings",
  applied_by_user_id: "appliedByUserId",
  applied_by_user_name: "appliedByUserName",
  created_ms: "createdAt",
  processed_ms: "lastProcessedAt",
  updated_ms: "updatedAt",
} as const satisfies Partial<Record<keyof RecommendationRow, keyof WireRecommendation>>;
type ShownColumn = keyof typeof SHOWN_COLUMNS;

/** Members that are only shown, but not filtered or sorted by; null where the stored text does not state them. */
const OnlyShown = Recommendation.pick({
  preferenceBasedSaving: true,
  isValid: true,
  recommendationDetails: true,
  recommendationLink: true,
  perspectiveName: true,
  governanceRuleId: true,
  costType: true,
  ignoreComments: true,
  ignoreUntil: true,
  costCategoryDetails: true,
  tags: true,
  jiraConnectorRef: true,
  jiraIssueKey: true,
  jiraStatus: true,
  servicenowConnectorRef: true,
  servicenowIssueKey: true,
  servicenowIssueStatus: true,
});
export const SHOWN_MEMBERS = OnlyShown.keyof().options;
const parseItem = createStoredJsonParser("members of a recommendation", OnlyShown);

const AMOUNTS: ReadonlySet<string> = new Set<ShownColumn>([
  "monthly_saving",
  "monthly_cost",
  "overridden_savings",
  "applied_savings",
]);

/** Returns a recommendation as a list contains it; every member is present, and null where it is unknown. */
export const toWireRecommendation = (row: RecommendationRow): WireRecommendation => ({
  // Only what an import or a call was allowed to say is ever stored.
  ...(Object.fromEntries(
    Object.entries(SHOWN_COLUMNS).map(([column, member]) => {
      const value = row[column as ShownColumn]; // its own keys
      return [member, value !== null && AMOUNTS.has(column) ? Number(value) : value];
    }),
  ) as Pick<WireRecommendation, (typeof SHOWN_COLUMNS)[ShownColumn]>),
  ...parseItem(row.item),
});
