import { z } from "zod";
import {
  ANOMALY_STATUSES,
  ANOMALY_VIEWS,
  CRITICALITIES,
  createEntitySchema,
  DailyBreakdown,
  FEEDBACKS,
} from "../../platform/contract/anomalies.ts";
import { CLOUD_PROVIDERS, createTokenSchema, identifier } from "../../platform/contract/shapes/fields.ts";
import { importKind, putRows } from "../area/import-kind.ts";
import { foldCase } from "../area/perspective-filter.ts";
import { AMOUNT_COLUMNS, SHOWN_COLUMNS } from "./wire-anomaly.ts";

/** The end of the year 9999, beyond which dates are written otherwise; in ms since 1970. */
const LAST_MS = 253_402_300_799_999;
const text = z.string().min(1).max(1024).nullish();
const longText = z.string().max(8192).nullish();
const time = z.int().min(0).max(LAST_MS).nullish();
const amount = z.number().min(-1e15).max(1e15);

const CostCategories = z
  .array(
    z.strictObject({
      costCategory: z.string().min(1).max(1024),
      costBucket: z.string().min(1).max(1024).nullish(),
    }),
  )
  .max(100)
  .refine(
    (all) => new Set(all.map(({ costCategory }) => costCategory.toWellFormed())).size === all.length,
    "names a category twice",
  );

const AnomalyLine = z
  .strictObject({
    id: identifier,
    time,
    endTime: time,
    ongoingAnomaly: z.boolean().nullish(),
    actualAmount: amount,
    expectedAmount: amount,
    anomalousSpend: amount.nullish(),
    expectedCostLower: amount.nullish(),
    expectedCostUpper: amount.nullish(),
    anomalyScore: amount.nullish(),
    resourceName: text,
    resourceInfo: longText,
    details: longText,
    comment: longText,
    criticality: z.enum(CRITICALITIES).nullish(),
    cloudProvider: createTokenSchema("cloud", CLOUD_PROVIDERS),
    anomalyView: z.enum(ANOMALY_VIEWS).default("RESOURCE"),
    status: z.enum(ANOMALY_STATUSES).default("ACTIVE"),
    statusUpdatedBy: text,
    statusUpdatedAt: time,
    userFeedback: z.enum(FEEDBACKS).default("NOT_RESPONDED"),
    perspectiveId: identifier.nullish(),
    perspectiveName: text,
    unitMetricName: text,
    entity: createEntitySchema(text).strict().default({}),
    tags: z.record(z.string().min(1).max(1024), z.string().max(1024)).default({}),
    costCategoryDetails: CostCategories.default([]),
    dailyBreakdown: z.array(DailyBreakdown.strict()).max(1000).default([]),
    alertedRecipients: z.array(z.string().max(1024)).max(1000).default([]),
    costPreferences: z
      .record(z.string().max(256), z.union([z.string().max(1024), z.number(), z.boolean()]))
      .nullish(),
    allowListed: z.boolean().default(false),
  })
  .refine(({ time: startMs, endTime }) => (endTime ?? LAST_MS) >= (startMs ?? 0), {
    path: ["endTime"],
    message: "is before the anomaly's begin",
  });
type AnomalyLine = z.output<typeof AnomalyLine>;

/** What somebody set here is not an import's to change. */
const KEEP = {
  status: "status_set",
  status_by: "status_set",
  status_ms: "status_set",
  feedback: "feedback_set",
} as const;

/** Import of anomalies, which the platform detects elsewhere. It does not overwrite a status or feedback that a call set. */
export const anomalyImport = importKind({
  line: AnomalyLine,
  key: ({ id }) => id.toWellFormed(),
  write: (trx, account, lines) => {
    const rows = lines.map((line) => ({ account, ...toAnomalyColumns(line) }));
    return putRows(trx, "platform_anomalies", rows, { key: ["account", "id"], keep: KEEP });
  },
});

const toAnomalyColumns = (line: AnomalyLine) => ({
  ...Object.fromEntries(
    Object.entries({ ...SHOWN_COLUMNS, ...AMOUNT_COLUMNS }).map(([column, member]) => [
      column,
      line[member] ?? null,
    ]),
  ),
  ongoing: line.ongoingAnomaly ?? (line.endTime ?? null) === null,
  stated_spend: line.anomalousSpend ?? null,
  view: line.anomalyView,
  entity: line.entity,
  tags: line.tags,
  cost_categories: line.costCategoryDetails.map((one) => ({ ...one, costBucket: one.costBucket ?? null })),
  daily_breakdown: line.dailyBreakdown,
  alerted_recipients: line.alertedRecipients,
  allow_listed: line.allowListed,
  search: listSearchedTexts(line).map(foldCase).join("\n"),
});

/** Folded texts hold no line feed, so nothing is found across two of them. */
const listSearchedTexts = ({ entity, ...line }: AnomalyLine): readonly string[] =>
  [
    ...[line.id, line.resourceName, line.resourceInfo, line.details, line.comment],
    ...[line.perspectiveId, line.perspectiveName, line.unitMetricName],
    ...Object.values(entity),
  ].filter((one) => one !== null && one !== undefined);
