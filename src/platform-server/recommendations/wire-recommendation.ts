import type { z } from "zod";
import { Recommendation } from "../../platform/contract/shapes/recommendation-item.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import type { RecommendationRow } from "./store/rows.ts";

type WireRecommendation = z.input<typeof Recommendation>;
// Only what an import or a call was allowed to say is ever stored: the casts below say no more.
type RecommendationState = WireRecommendation["recommendationState"];
type Verification = WireRecommendation["verificationStatus"];
type Cloud = WireRecommendation["cloudProvider"];

/** Members that are only shown, but not filtered or sorted by; null where the stored text does not state them. */
const ShownMembers = Recommendation.pick({
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
export const SHOWN = ShownMembers.keyof().options;
const parseItem = createStoredJsonParser("members of a recommendation", ShownMembers);

/** Returns a recommendation as a list contains it; every member is present, and null where it is unknown. */
export function toWireRecommendation(row: RecommendationRow): WireRecommendation {
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
    ...parseItem(row.item),
  };
}
