import { sql } from "kysely";
import { z } from "zod";
import { instant } from "../../kernel/instant.ts";
import { absolute, compare, decimal, parseDecimal } from "../../kernel/money.ts";
import { CLOUD_PROVIDERS, createTokenSchema, identifier } from "../../platform/contract/shapes/fields.ts";
import { PerspectiveFilter } from "../../platform/contract/shapes/perspective-filter.ts";
import { toSecond } from "../../platform/contract/unit-metrics.ts";
import { translate } from "../../platform/contract/wire/translate.ts";
import { importKind, putRows } from "../area/import-kind.ts";
import { parseRules } from "../area/perspective-filter.ts";
import { BILLING_ROWS } from "./billing-fields.ts";

const MAX_AMOUNT = decimal("1000000000000000");

/** An exact decimal: "12.30", or a number that JavaScript writes without exponent. */
const amount = z
  .union([z.string(), z.number()])
  .transform((value) => parseDecimal(`${value}`))
  .refine((read) => read !== null && compare(absolute(read), MAX_AMOUNT) <= 0, {
    error: 'expected a plain decimal such as "12.30", between -10^15 and 10^15',
  })
  .transform((read) => `${read}`);

/** Half a character of two cannot be stored. */
const replaceLoneSurrogates = (value: string): string => value.toWellFormed();

/** A text that a row may lack; empty: it lacks it. */
const createOptionalText = (max: number) =>
  z
    .string()
    .max(max)
    .nullish()
    .transform((value) => (value ? replaceLoneSurrogates(value) : null));

const texts = z
  .record(z.string().min(1).max(256), z.string().max(1024))
  .refine((all) => Object.keys(all).length <= 128, "expected at most 128")
  .nullish()
  .transform((all) =>
    Object.fromEntries(
      Object.entries(all ?? {}).map(([key, value]) => [
        replaceLoneSurrogates(key),
        replaceLoneSurrogates(value),
      ]),
    ),
  );

const BillingLine = z.strictObject({
  id: z.string().min(1).max(256).transform(replaceLoneSurrogates),
  startTime: instant,
  cost: amount,
  currency: z.string().regex(/^[A-Z]{3}$/, "expected an ISO 4217 code such as USD"),
  cloudProvider: createTokenSchema("cloud", CLOUD_PROVIDERS),
  account: createOptionalText(512),
  region: createOptionalText(512),
  product: createOptionalText(512),
  usageType: createOptionalText(512),
  instanceType: createOptionalText(512),
  resource: createOptionalText(2048),
  resourceGroup: createOptionalText(512),
  clusterName: createOptionalText(512),
  namespace: createOptionalText(512),
  workloadName: createOptionalText(512),
  usageAmount: amount.nullish(),
  labels: texts,
  costCategories: texts,
});

const toBillingRow = (line: z.output<typeof BillingLine>) => ({
  row_id: line.id,
  start_ms: toSecond(line.startTime),
  cost: line.cost,
  currency: line.currency,
  cloud_provider: line.cloudProvider,
  cloud_account: line.account,
  region: line.region,
  product: line.product,
  usage_type: line.usageType,
  instance_type: line.instanceType,
  resource: line.resource,
  resource_group: line.resourceGroup,
  cluster_name: line.clusterName,
  namespace: line.namespace,
  workload_name: line.workloadName,
  usage_amount: line.usageAmount ?? null,
  labels: line.labels,
  cost_categories: line.costCategories,
});

const acceptAnyDialect = <S extends z.ZodType>(schema: S) =>
  z.preprocess((line) => translate(schema, line, "neutral"), schema);

/** Import of billing rows, from which derived unit metrics are computed. */
export const billingImport = importKind({
  line: acceptAnyDialect(BillingLine).transform(toBillingRow),
  key: ({ row_id }) => row_id,
  write: (trx, account, lines) => {
    const rows = lines.map((row) => ({ account, ...row }));
    return putRows(trx, "platform_billing_rows", rows, { key: ["account", "row_id"] });
  },
});

const Condition = PerspectiveFilter.shape.ruleFilter.unwrap().shape.conditions.unwrap().element;
const StrictCondition = z.strictObject({
  ...Condition.shape,
  field: Condition.shape.field.strict(),
});

const PerspectiveLine = z
  .strictObject({
    id: identifier.transform(replaceLoneSurrogates),
    name: z.string().min(1).max(256),
    /** Of several rules one must hold; none: every billing row. */
    rules: z
      .array(z.strictObject({ conditions: z.array(StrictCondition).min(1).max(100) }))
      .max(100)
      .default([]),
    /** Identifiers of the unit metrics that it refers to. */
    unitMetrics: z.array(identifier.transform(replaceLoneSurrogates)).max(1000).default([]),
  })
  .superRefine(({ rules }, context) => {
    for (const { field, error } of parseRules(BILLING_ROWS, rules).problems)
      context.addIssue({ code: "custom", path: field.split("."), message: error });
  });

/** Import of perspectives with their rules, and the unit metrics that they refer to. */
export const perspectivesImport = importKind({
  line: acceptAnyDialect(PerspectiveLine),
  key: ({ id }) => id,
  write: async (trx, account, lines) => {
    const rows = lines.map(({ id, name, rules }) => {
      return { account, perspective_id: id, name, rules: JSON.stringify(rules) };
    });
    await putRows(trx, "platform_perspectives", rows, { key: ["account", "perspective_id"] });
    await trx
      .deleteFrom("platform_perspective_metrics")
      .where("account", "=", account)
      .where("perspective_id", "=", sql<string>`any(${lines.map(({ id }) => id)}::text[])`)
      .execute();
    const references = lines.flatMap(({ id: perspective_id, unitMetrics }) =>
      unitMetrics.map((metric_identifier) => ({ account, metric_identifier, perspective_id })),
    );
    const key = ["account", "metric_identifier", "perspective_id"];
    await putRows(trx, "platform_perspective_metrics", references, { key });
  },
});
