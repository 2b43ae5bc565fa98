import { sql } from "kysely";
import { z } from "zod";
import {
  MAX_AMOUNT,
  RECOMMENDATION_STATES,
  VERIFICATION_STATUSES,
} from "../../platform/contract/recommendations.ts";
import {
  CLOUD_PROVIDERS,
  createTokenSchema,
  identifier,
  milliseconds,
} from "../../platform/contract/shapes/fields.ts";
import { importKind, putRows } from "../area/import-kind.ts";
import type { Db } from "../tables/tables.ts";
import { toResourceKey } from "./match.ts";
import { SHOWN_COLUMNS, SHOWN_MEMBERS } from "./wire-recommendation.ts";

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
type RecommendationLine = z.output<typeof Line>;

/**
 * Import of recommendations that the platform's analysis computed. It does not overwrite state, verification
 * and savings that a call set.
 */
export const recommendationsImport = importKind({
  line: Line,
  key: ({ id }) => id,
  write: async (trx, account, lines) => {
    const rows = lines.map((line) => ({ account, ...toColumns(line) }));
    await putRows(trx, "platform_recommendations", rows, { key: ["account", "id"], keep: KEEP });
    await putLabels(trx, account, lines);
    await analyzeGrownTables(trx);
  },
});

/** What a call has set is not an import's to change: columns, and the flag of each. */
const KEEP = {
  state: "state_set",
  applied_by_user_id: "state_set",
  applied_by_user_name: "state_set",
  applied_savings: "state_set",
  applied_ms: "state_set",
  verification_status: "verification_set",
  variance_notes: "verification_set",
  overridden_savings: "savings_set",
} as const;

/** Further columns that keep a member of the line as it is, and are only filtered by. */
const FILTERED_COLUMNS = {
  instance_type: "instanceType",
  cs_cluster_name: "csClusterName",
  cs_launch_type: "csLaunchType",
  governance_rule_name: "governanceRuleName",
  parent_id: "parentId",
} as const satisfies Readonly<Record<string, keyof RecommendationLine>>;

const toColumns = (line: RecommendationLine) => ({
  ...Object.fromEntries(
    Object.entries({ ...SHOWN_COLUMNS, ...FILTERED_COLUMNS }).map(([column, member]) => [
      column,
      line[member] ?? null,
    ]),
  ),
  resource_key: findResourceKey(line),
  state: line.recommendationState ?? "OPEN",
  family: line.parentId ? "child" : line.isParent ? "parent" : "alone",
  // Only what is stated: most lines state little of it, and writing it all takes a tenth of an import.
  item: JSON.stringify(
    Object.fromEntries(SHOWN_MEMBERS.flatMap((name) => (line[name] === null ? [] : [[name, line[name]]]))),
  ),
});

const findResourceKey = ({ resourceId, resourceName }: RecommendationLine): string | null => {
  const known = resourceId ?? resourceName;
  return known ? toResourceKey(known) : null;
};

async function putLabels(trx: Db, account: string, lines: readonly RecommendationLine[]): Promise<void> {
  await trx
    .deleteFrom("platform_recommendation_labels")
    .where("account", "=", account)
    .where("id", "=", sql<string>`any(${lines.map(({ id }) => id)}::text[])`)
    .execute();
  const labels = lines.flatMap(({ id, tags, costCategoryDetails }) => [
    ...Object.entries(tags ?? {}).map(([key, value]) => ({ account, id, kind: "tag", key, value })),
    ...(costCategoryDetails ?? []).map(({ costCategory: key, costBucket: value }) => {
      return { account, id, kind: "cost-category", key, value };
    }),
  ]);
  const key = ["account", "id", "kind", "key", "value"];
  await putRows(trx, "platform_recommendation_labels", labels, { key });
}

const GROWING = ["platform_recommendations", "platform_recommendation_labels"] as const;
/** In blocks of 8 KiB: below it every plan is quick. */
const SMALL = 50;

/**
 * Tells the planner about tables that have grown to more than twice what it knows of. Without it a list is sorted in full
 * instead of read from an index: PostgreSQL's own look comes a minute later, the embedded database never looks.
 */
async function analyzeGrownTables(trx: Db): Promise<void> {
  for (const table of GROWING) {
    const { rows } = await sql<{ known: number; now: number }>`
      select relpages::int as known, (pg_relation_size(oid) / current_setting('block_size')::int)::int as now
      from pg_class where oid = ${table}::regclass`.execute(trx);
    const { known = 0, now = 0 } = rows[0] ?? {};
    if (now > SMALL && now > 2 * known) await sql`analyze ${sql.table(table)}`.execute(trx);
  }
}
