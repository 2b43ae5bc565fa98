import { z } from "zod";
import { createTokenSchema, optionalText } from "./fields.ts";

/** The source of a perspective's field. */
const FIELD_IDENTIFIERS = [
  "CLUSTER",
  "CLOUD_1",
  "CLOUD_2",
  "CLOUD_3",
  "AI_VENDOR_1",
  "AI_VENDOR_2",
  "AI",
  "AI_TRACE",
  "EXTERNAL_DATA",
  "COMMON",
  "CUSTOM",
  "BUSINESS_MAPPING",
  "LABEL",
  "LABEL_V2",
] as const;

/**
 * How a field is compared with `values`. `IN` and `EQUALS`: it equals one of them. `NOT_IN`: it equals none
 * of them, or has no value. `LIKE`: it matches one as a pattern (`%` any text, `_` one character). `SEARCH`:
 * it contains one, case-insensitively by Unicode's rules. `NULL`, `NOT_NULL`: it has no value, or has one; `values` is ignored.
 */
export const VIEW_OPERATORS = ["NOT_IN", "IN", "EQUALS", "NOT_NULL", "NULL", "LIKE", "SEARCH"] as const;
export type ViewOperator = (typeof VIEW_OPERATORS)[number];

/** A field of a perspective (cost management 2.4). */
export const PerspectiveField = z
  .object({
    fieldId: z.string().min(1).max(256).describe("Which field, e.g. `region`."),
    fieldName: optionalText(
      256,
      "Its display name; of a label its key, of a cost category the category's name.",
    ),
    identifier: createTokenSchema("cloud", FIELD_IDENTIFIERS)
      .optional()
      .describe("Where the field comes from."),
    identifierName: optionalText(256, "Display name of `identifier`."),
  })
  .meta({ id: "PerspectiveField" });
export type PerspectiveField = z.output<typeof PerspectiveField>;

const values = z.array(z.string().max(1024)).max(1000).default([]);

export const PerspectiveCondition = z
  .object({
    field: PerspectiveField,
    operator: z
      .enum(VIEW_OPERATORS)
      .describe(
        "`IN`, `EQUALS`: one of the values. `NOT_IN`: none of them, or nothing. `LIKE`: a pattern with `%` and `_`. " +
          "`SEARCH`: contains, in upper or lower case. `NULL`, `NOT_NULL`: has no value, has one.",
      ),
    values: values.describe("At most 1,000."),
  })
  .meta({ id: "PerspectiveFieldCondition" });
export type PerspectiveCondition = z.output<typeof PerspectiveCondition>;

/** One filter of a perspective (cost management 2.5); all of its members must match. */
export const PerspectiveFilter = z
  .object({
    idFilter: PerspectiveCondition.optional(),
    timeFilter: z
      .object({
        field: PerspectiveField,
        operator: z
          .enum(["AFTER", "BEFORE"])
          .describe("`AFTER`: at the time or later. `BEFORE`: at the time or earlier."),
        value: z.int().describe("Milliseconds since 1970."),
      })
      .optional(),
    timeRangeTypeFilter: z
      .enum(["LAST_MONTH", "CURRENT_MONTH"])
      .optional()
      .describe("A calendar month in UTC."),
    viewMetadataFilter: z
      .object({
        viewId: z.string().min(1).max(128).describe("Identifier of a perspective."),
        isPreview: z.boolean().optional(),
        preview: z.boolean().optional(),
      })
      .optional(),
    ruleFilter: z
      .object({
        conditions: z.array(PerspectiveCondition).max(100).default([]).describe("All of them must hold."),
      })
      .optional()
      .describe("Of several rules in one request one must hold."),
  })
  .meta({ id: "PerspectiveFilter" });
export type PerspectiveFilter = z.output<typeof PerspectiveFilter>;

export const perspectiveFilters = z.array(PerspectiveFilter).max(100);

/** Filters and grouping over a perspective (cost management 2.5). */
export const PerspectiveQuery = z
  .object({
    filters: perspectiveFilters.optional(),
    groupBy: z
      .array(
        z.object({
          entityGroupBy: PerspectiveField.optional(),
          timeTruncGroupBy: z
            .object({ resolution: z.enum(["HOUR", "DAY", "MONTH", "WEEK", "QUARTER", "YEAR"]) })
            .optional(),
        }),
      )
      .max(20)
      .optional(),
  })
  .meta({ id: "PerspectiveQuery" });
export type PerspectiveQuery = z.output<typeof PerspectiveQuery>;
