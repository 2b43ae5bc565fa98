import type { z } from "zod";
import { Recommendation } from "../../platform/contract/recommendations.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import type { Row } from "../tables/tables.ts";

export type RecommendationRow = Row<"platform_recommendations">;
type WireRecommendation = z.input<typeof Recommendation>;

/** Columns that keep a member of an import's line, which answers show, as it is; null where it is not stated. */
export const SHOWN_COLUMNS = {
  resource_type: "resourceType",
  verification_status: "verificationStatus",
  variance_notes: "varianceNotes",
  cloud_provider: "cloudProvider",
  cloud_account_id: "cloudAccountId",
  cloud_account_name: "cloudAccountName",
  region: "targetRegion",
  cluster_name: "clusterName",
  namespace: "namespace",
  resource_name: "resourceName",
  resource_id: "resourceId",
  resource_group: "cloud2ResourceGroup",
  perspective_id: "perspectiveId",
  applied_by_user_id: "appliedByUserId",
  applied_by_user_name: "appliedByUserName",
  applied_ms: "appliedAt",
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

/** Returns a recommendation as a list contains it; every member is present, and null where it is unknown. */
export const toWireRecommendation = (row: RecommendationRow): WireRecommendation => ({
  // Only what an import or a call was allowed to say is ever stored.
  ...(Object.fromEntries(
    Object.entries(SHOWN_COLUMNS).map(([column, member]) => [member, row[column as ShownColumn]]),
  ) as Pick<WireRecommendation, (typeof SHOWN_COLUMNS)[ShownColumn]>),
  id: row.id,
  recommendationState: row.state as WireRecommendation["recommendationState"], // the same
  monthlySaving: toNumber(row.monthly_saving),
  monthlyCost: toNumber(row.monthly_cost),
  overriddenSavings: toNumber(row.overridden_savings),
  appliedAtSavings: toNumber(row.applied_savings),
  ...parseItem(row.item),
});

const toNumber = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));
