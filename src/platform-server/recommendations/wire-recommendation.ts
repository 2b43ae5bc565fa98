import type { z } from "zod";
import type { Recommendation } from "../../platform/contract/shapes/recommendation-item.ts";
import type { RecommendationRow } from "./store/rows.ts";

type WireRecommendation = z.input<typeof Recommendation>;
// Only what an import or a call was allowed to say is ever stored: the casts below say no more.
type RecommendationState = WireRecommendation["recommendationState"];
type Verification = WireRecommendation["verificationStatus"];
type Cloud = WireRecommendation["cloudProvider"];

/** Members that are only shown, but not filtered or sorted by. */
export const SHOWN = [
  ...(["preferenceBasedSaving", "isValid", "recommendationDetails", "recommendationLink"] as const),
  ...(["perspectiveName", "governanceRuleId", "costType", "ignoreComments", "ignoreUntil"] as const),
  ...(["costCategoryDetails", "tags", "jiraConnectorRef", "jiraIssueKey", "jiraStatus"] as const),
  ...(["servicenowConnectorRef", "servicenowIssueKey", "servicenowIssueStatus"] as const),
];

type ComputedFields = Pick<WireRecommendation, (typeof SHOWN)[number]>;
// One entry for each of the names.
const NOTHING_SHOWN = Object.fromEntries(SHOWN.map((name) => [name, null])) as Omit<
  ComputedFields,
  "tags"
> & {
  readonly tags: null;
};

/** Returns a recommendation as a list contains it; every member is present, and null where it is unknown. */
export function toWireRecommendation(row: RecommendationRow): WireRecommendation {
  const stated = JSON.parse(row.item) as Partial<ComputedFields>; // written by the import
  return {
    id: row.id,
    resourceType: row.resource_type,
    clusterName: row.cluster_name,
    namespace: row.namespace,
    resourceName: row.resource_name,
    resourceId: row.resource_id,
    monthlySaving: row.monthly_saving,
    monthlyCost: row.monthly_cost,
    overriddenSavings: row.overridden_savings,
    recommendationState: row.state as RecommendationState,
    verificationStatus: row.verification_status as Verification,
    varianceNotes: row.variance_notes,
    perspectiveId: row.perspective_id,
    cloudProvider: row.cloud_provider as Cloud,
    cloudAccountId: row.cloud_account_id,
    cloudAccountName: row.cloud_account_name,
    targetRegion: row.region,
    cloud2ResourceGroup: row.resource_group,
    appliedAt: row.applied_ms,
    appliedAtSavings: row.applied_savings,
    appliedByUserId: row.applied_by_user_id,
    appliedByUserName: row.applied_by_user_name,
    createdAt: row.created_ms,
    lastProcessedAt: row.processed_ms,
    updatedAt: row.updated_ms,
    ...NOTHING_SHOWN,
    ...stated,
    tags: stated.tags ?? {},
  };
}
