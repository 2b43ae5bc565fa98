import { type RawBuilder, sql } from "kysely";
import { type FilterableRows, findField, textCondition } from "../area/perspective-filter.ts";

/** A column of billing rows. Money is in the row's currency; a text can only be counted. */
export interface BillingColumn {
  readonly value: RawBuilder<unknown>;
  readonly kind: "money" | "quantity" | "text";
}

const column = (name: string): RawBuilder<unknown> => sql.ref(name);

/** Ids of one cloud have no value in rows of the others. */
const ofCloud = (cloud: string, name: string): RawBuilder<unknown> =>
  sql`(case when cloud_provider = ${cloud} then ${sql.ref(name)} end)`;

const TEXTS: Readonly<Record<string, RawBuilder<unknown>>> = {
  cloudProvider: column("cloud_provider"),
  account: column("cloud_account"),
  region: column("region"),
  product: column("product"),
  usageType: column("usage_type"),
  instanceType: column("instance_type"),
  resource: column("resource"),
  resourceGroup: column("resource_group"),
  currency: column("currency"),
  clusterName: column("cluster_name"),
  namespace: column("namespace"),
  workloadName: column("workload_name"),
  cloud1UsageAccountId: ofCloud("CLOUD_1", "cloud_account"),
  cloud1ServiceCode: ofCloud("CLOUD_1", "product"),
  cloud1UsageType: ofCloud("CLOUD_1", "usage_type"),
  cloud1InstanceType: ofCloud("CLOUD_1", "instance_type"),
  cloud2SubscriptionGuid: ofCloud("CLOUD_2", "cloud_account"),
  cloud2MeterCategory: ofCloud("CLOUD_2", "product"),
  cloud2MeterName: ofCloud("CLOUD_2", "usage_type"),
  cloud2ResourceGroup: ofCloud("CLOUD_2", "resource_group"),
  cloud2Resource: ofCloud("CLOUD_2", "resource"),
  cloud3ProjectId: ofCloud("CLOUD_3", "cloud_account"),
  cloud3Product: ofCloud("CLOUD_3", "product"),
  cloud3SkuDescription: ofCloud("CLOUD_3", "usage_type"),
};

export const BILLING_ROWS: FilterableRows = {
  one: "a billing row",
  texts: TEXTS,
  times: { startTime: column("start_ms") },
  testLabel: ({ kind, key }, test) =>
    textCondition(sql`(${column(kind === "tag" ? "labels" : "cost_categories")} ->> ${key}::text)`, test),
};

const COLUMNS: Readonly<Record<string, BillingColumn>> = {
  cost: { value: column("cost"), kind: "money" },
  usageAmount: { value: column("usage_amount"), kind: "quantity" },
  ...Object.fromEntries(Object.entries(TEXTS).map(([id, value]) => [id, { value, kind: "text" as const }])),
};

export const FIELD_IDS = Object.keys(COLUMNS).join(", ");

/** Returns the column that a derived metric aggregates; null: there is none with this id. */
export const findBillingColumn = (fieldId: string): BillingColumn | null =>
  findField(COLUMNS, fieldId) ?? null;
