import { z } from "zod";
import { CLOUD_PROVIDERS, map, milliseconds, openEnum, openTokens, orNull } from "./fields.ts";
import { RECOMMENDATION_STATES, VERIFICATION_STATUSES } from "./recommendation-filter.ts";

const text = orNull(z.string().nullable());
const perMonth = orNull(z.number().nullable()).describe("Per month; null: not known, which is not zero.");
const time = orNull(milliseconds.nullable()).describe("Milliseconds since 1970.");

/** A recommended saving in a list. Unknown members are null. */
export const Recommendation = z
  .object({
    id: z.string(),
    resourceType: z.string().describe("Kind of the resource in the platform's words, e.g. `WORKLOAD`."),
    clusterName: text,
    namespace: text,
    resourceName: text,
    resourceId: text.describe("The cloud's own identifier of the resource."),
    monthlySaving: perMonth,
    preferenceBasedSaving: perMonth,
    monthlyCost: perMonth,
    overriddenSavings: perMonth.describe(
      "Set by `override-savings`: counts instead of `monthlySaving` in filters, order and statistics.",
    ),
    isValid: orNull(z.boolean().nullable()),
    lastProcessedAt: time,
    recommendationState: openEnum(RECOMMENDATION_STATES),
    verificationStatus: orNull(openEnum(VERIFICATION_STATUSES).nullable()),
    varianceNotes: text.describe("Also the comment given with `change-inference-status`."),
    recommendationDetails: orNull(z.record(z.string(), z.unknown()).nullable()),
    recommendationLink: text,
    perspectiveId: text,
    perspectiveName: text,
    cloudProvider: orNull(openTokens("cloud", CLOUD_PROVIDERS).nullable()),
    cloudAccountId: text,
    cloudAccountName: text,
    targetRegion: text,
    cloud2ResourceGroup: text,
    governanceRuleId: text,
    costType: text,
    appliedAt: time,
    appliedAtSavings: perMonth.describe("The saving that applying it brought."),
    appliedByUserId: text,
    appliedByUserName: text,
    ignoreComments: text,
    ignoreUntil: time,
    createdAt: time,
    updatedAt: time,
    costCategoryDetails: orNull(
      z.array(z.object({ costCategory: z.string(), costBucket: z.string() })).nullable(),
    ),
    tags: map(z.string()),
    jiraConnectorRef: text,
    jiraIssueKey: text,
    jiraStatus: text,
    servicenowConnectorRef: text,
    servicenowIssueKey: text,
    servicenowIssueStatus: text,
  })
  .meta({ id: "Recommendation" });
export type Recommendation = z.output<typeof Recommendation>;
