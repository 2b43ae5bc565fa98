import { z } from "zod";
import {
  CRITICALITIES,
  DailyBreakdown,
  ENTITY_MEMBERS,
  FEEDBACKS,
} from "../../platform/contract/anomalies.ts";
import { ANOMALY_STATUSES, ANOMALY_VIEWS } from "../../platform/contract/shapes/anomaly-filter.ts";
import { CLOUD_PROVIDERS, createTokenSchema, identifier } from "../../platform/contract/shapes/fields.ts";
import { foldCase } from "../area/fold-case.ts";
import { importKind } from "../area/import-kind.ts";
import type { AnomalyTables } from "./store/tables.ts";
import { type NewAnomaly, writeAnomalies } from "./store/write.ts";
import { ENTITY_COLUMNS } from "./wire-anomaly.ts";

/** The end of the year 9999, beyond which dates are written otherwise; in ms since 1970. */
const LAST_MS = 253_402_300_799_999;
const text = z.string().min(1).max(1024).nullish();
const longText = z.string().max(8192).nullish();
const time = z.int().min(0).max(LAST_MS).nullish();
const amount = z.number().min(-1e15).max(1e15);

const Entity = z.strictObject(
  Object.fromEntries(ENTITY_MEMBERS.map((member) => [member, text])) as Record<
    (typeof ENTITY_MEMBERS)[number], // made of these names
    typeof text
  >,
);

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
    entity: Entity.default({}),
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

/**
 * Import of anomalies, which the platform detects elsewhere. It does not overwrite a status or feedback that
 * a call set.
 */
export const anomalyImport = importKind<AnomalyTables, AnomalyLine>({
  name: "anomalies",
  about: "one cost anomaly each, by its id",
  line: AnomalyLine,
  key: ({ id }) => id.toWellFormed(),
  write: (trx, account, rows) => writeAnomalies(trx, account, rows.map(toAnomalyColumns)),
});

function toAnomalyColumns(line: AnomalyLine): NewAnomaly {
  return {
    ...toNameColumns(line),
    ...toAmountColumns(line),
    id: line.id,
    time_ms: line.time ?? null,
    end_ms: line.endTime ?? null,
    ongoing: line.ongoingAnomaly ?? isOpen(line.endTime),
    status: line.status,
    status_by: line.statusUpdatedBy ?? null,
    status_ms: line.statusUpdatedAt ?? null,
    feedback: line.userFeedback,
    criticality: line.criticality ?? null,
    cloud_provider: line.cloudProvider,
    view: line.anomalyView,
    tags: line.tags,
    cost_categories: line.costCategoryDetails.map((one) => ({ ...one, costBucket: one.costBucket ?? null })),
    daily_breakdown: line.dailyBreakdown,
    alerted_recipients: line.alertedRecipients,
    cost_preferences: line.costPreferences ?? null,
    allow_listed: line.allowListed,
    search: searchTexts(line),
  };
}

const isOpen = (end: number | null | undefined): boolean => end === undefined || end === null;

const toAmountColumns = (line: AnomalyLine) => ({
  actual_amount: line.actualAmount,
  expected_amount: line.expectedAmount,
  anomalous_spend: line.anomalousSpend ?? null,
  expected_cost_lower: line.expectedCostLower ?? null,
  expected_cost_upper: line.expectedCostUpper ?? null,
  anomaly_score: line.anomalyScore ?? null,
});

const toNameColumns = (line: AnomalyLine) => ({
  resource_name: line.resourceName ?? null,
  resource_info: line.resourceInfo ?? null,
  details: line.details ?? null,
  comment: line.comment ?? null,
  perspective_id: line.perspectiveId ?? null,
  perspective_name: line.perspectiveName ?? null,
  unit_metric_name: line.unitMetricName ?? null,
  ...toEntityColumns(line),
});

type EntityColumns = Pick<NewAnomaly, (typeof ENTITY_COLUMNS)[keyof typeof ENTITY_COLUMNS]>;

const toEntityColumns = ({ entity }: AnomalyLine): EntityColumns =>
  Object.fromEntries(
    ENTITY_MEMBERS.map((member) => [ENTITY_COLUMNS[member], entity[member] ?? null]),
  ) as unknown as EntityColumns; // one entry for each column

/** Folded texts hold no line feed, so nothing is found across two of them. */
const searchTexts = (line: AnomalyLine): string =>
  [line.id, ...Object.values(toNameColumns(line))]
    .filter((one) => one !== null)
    .map(foldCase)
    .join("\n");
