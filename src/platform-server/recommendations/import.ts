import { z } from "zod";
import {
  CLOUD_PROVIDERS,
  createTokenSchema,
  identifier,
  milliseconds,
} from "../../platform/contract/shapes/fields.ts";
import {
  MAX_AMOUNT,
  RECOMMENDATION_STATES,
  VERIFICATION_STATUSES,
} from "../../platform/contract/shapes/recommendation-filter.ts";
import { importKind } from "../area/import-kind.ts";
import { toResourceKey } from "./match.ts";
import { type ImportedRecommendation, putRecommendations } from "./store/write.ts";
import { SHOWN } from "./wire-recommendation.ts";

const text = z.string().max(1024).nullish();
const amount = z.number().min(-MAX_AMOUNT).max(MAX_AMOUNT).nullish();
const time = milliseconds.nullish();
const MAX_LABELS = 100;
/** Characters of JSON: a list may hold a thousand of them. */
const MAX_DETAILS = 16_384;
/** Keys and values are in an index, whose entries may not be long. */
const labelKey = z.string().min(1).max(128);
const labelValue = z.string().max(256);

const Line = z.strictObject({
  id: identifier,
  resourceType: z.string().min(1).max(128),
  recommendationState: z.enum(RECOMMENDATION_STATES).nullish(),
  verificationStatus: z.enum(VERIFICATION_STATUSES).nullish(),
  varianceNotes: text,
  /** The recommendation that this one is a part of. */
  parentId: identifier.nullish(),
  /** Others are parts of this one. */
  isParent: z.boolean().nullish(),
  cloudProvider: createTokenSchema("cloud", CLOUD_PROVIDERS).nullish(),
  cloudAccountId: text,
  cloudAccountName: text,
  targetRegion: text,
  clusterName: text,
  namespace: text,
  resourceName: text,
  resourceId: z.string().max(2048).nullish(),
  cloud2ResourceGroup: text,
  instanceType: text,
  csClusterName: text,
  csLaunchType: text,
  governanceRuleName: text,
  governanceRuleId: text,
  perspectiveId: text,
  perspectiveName: text,
  monthlySaving: amount,
  monthlyCost: amount,
  overriddenSavings: amount,
  preferenceBasedSaving: amount,
  appliedAt: time,
  appliedAtSavings: amount,
  appliedByUserId: text,
  appliedByUserName: text,
  createdAt: time,
  lastProcessedAt: time,
  updatedAt: time,
  isValid: z.boolean().nullish(),
  recommendationDetails: z
    .record(z.string(), z.unknown())
    .refine(
      (details) => JSON.stringify(details).length <= MAX_DETAILS,
      `expected at most ${MAX_DETAILS} characters`,
    )
    .nullish(),
  recommendationLink: z.string().max(2048).nullish(),
  costType: text,
  ignoreComments: text,
  ignoreUntil: time,
  tags: z
    .record(labelKey, labelValue)
    .refine((tags) => Object.keys(tags).length <= MAX_LABELS, `expected at most ${MAX_LABELS} tags`)
    .nullish(),
  costCategoryDetails: z
    .array(z.strictObject({ costCategory: labelKey, costBucket: labelValue }))
    .max(MAX_LABELS)
    .nullish(),
  jiraConnectorRef: text,
  jiraIssueKey: text,
  jiraStatus: text,
  servicenowConnectorRef: text,
  servicenowIssueKey: text,
  servicenowIssueStatus: text,
});
export type RecommendationLine = z.output<typeof Line>;

/**
 * Import of recommendations that the platform's analysis computed. It does not overwrite state, verification
 * and savings that a call set.
 */
export const recommendationsImport = importKind({
  name: "recommendations",
  about: "one recommendation each; a known id replaces, but what a call has set stays",
  line: Line,
  key: ({ id }) => id,
  write: (trx, account, rows) => putRecommendations(trx, account, rows.map(toImportedRecommendation)),
});

function toImportedRecommendation(line: RecommendationLine): ImportedRecommendation {
  return {
    row: {
      ...toStoredEvaluation(line),
      id: line.id,
      resource_type: line.resourceType,
      resource_key: findResourceKey(line),
      state: line.recommendationState ?? "OPEN",
      family: getFamily(line),
      monthly_saving: toDecimalText(line.monthlySaving),
      monthly_cost: toDecimalText(line.monthlyCost),
      overridden_savings: toDecimalText(line.overriddenSavings),
      applied_savings: toDecimalText(line.appliedAtSavings),
    },
    item: toItemJson(line),
    labels: [
      ...Object.entries(line.tags ?? {}).map(([key, value]) => ({ kind: "tag" as const, key, value })),
      ...(line.costCategoryDetails ?? []).map(({ costCategory, costBucket }) => ({
        kind: "cost-category" as const,
        key: costCategory,
        value: costBucket,
      })),
    ],
  };
}

type RecommendationMember = keyof RecommendationLine;

/** Columns that keep a member of the line as it is; null where the line does not state it. */
const KEPT = {
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
  instance_type: "instanceType",
  cs_cluster_name: "csClusterName",
  cs_launch_type: "csLaunchType",
  governance_rule_name: "governanceRuleName",
  parent_id: "parentId",
  perspective_id: "perspectiveId",
  applied_by_user_id: "appliedByUserId",
  applied_by_user_name: "appliedByUserName",
  applied_ms: "appliedAt",
  created_ms: "createdAt",
  processed_ms: "lastProcessedAt",
  updated_ms: "updatedAt",
} as const satisfies Readonly<Record<string, RecommendationMember>>;

type RecommendationColumns = {
  readonly [Column in keyof typeof KEPT]: NonNullable<RecommendationLine[(typeof KEPT)[Column]]> | null;
};

const toStoredEvaluation = (line: RecommendationLine): RecommendationColumns =>
  // One entry for each column of the table above, so it is what the type says.
  Object.fromEntries(
    Object.entries(KEPT).map(([column, member]) => [column, line[member] ?? null]),
  ) as RecommendationColumns;

const getFamily = ({ parentId, isParent }: RecommendationLine): "child" | "parent" | "alone" => {
  if (parentId) return "child";
  return isParent ? "parent" : "alone";
};

const findResourceKey = ({ resourceId, resourceName }: RecommendationLine): string | null => {
  const known = resourceId ?? resourceName;
  return known ? toResourceKey(known) : null;
};

const toDecimalText = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

/** Only what is stated: most lines state little of it, and writing it all takes a tenth of an import. */
const toItemJson = (line: RecommendationLine): string =>
  JSON.stringify(
    Object.fromEntries(SHOWN.flatMap((name) => (line[name] === null ? [] : [[name, line[name]]]))),
  );
