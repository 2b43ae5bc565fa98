import type { PerspectiveField } from "../../platform/contract/shapes/perspective-filter.ts";
import { DIALECTS } from "../../platform/contract/wire/dialect.ts";
import type { BillingText, TextColumn } from "./store/billing-condition.ts";
import type { BillingColumn } from "./store/series.ts";

const createBillingText = (column: TextColumn, cloud: string | null = null): BillingText => ({
  kind: "column",
  column,
  cloud,
});

/** Texts of a billing row by field id. Ids of one cloud have no value in rows of the others. */
const TEXTS: Readonly<Record<string, BillingText>> = {
  cloudProvider: createBillingText("cloud_provider"),
  account: createBillingText("cloud_account"),
  region: createBillingText("region"),
  product: createBillingText("product"),
  usageType: createBillingText("usage_type"),
  instanceType: createBillingText("instance_type"),
  resource: createBillingText("resource"),
  resourceGroup: createBillingText("resource_group"),
  currency: createBillingText("currency"),
  clusterName: createBillingText("cluster_name"),
  namespace: createBillingText("namespace"),
  workloadName: createBillingText("workload_name"),
  cloud1UsageAccountId: createBillingText("cloud_account", "CLOUD_1"),
  cloud1ServiceCode: createBillingText("product", "CLOUD_1"),
  cloud1UsageType: createBillingText("usage_type", "CLOUD_1"),
  cloud1InstanceType: createBillingText("instance_type", "CLOUD_1"),
  cloud2SubscriptionGuid: createBillingText("cloud_account", "CLOUD_2"),
  cloud2MeterCategory: createBillingText("product", "CLOUD_2"),
  cloud2MeterName: createBillingText("usage_type", "CLOUD_2"),
  cloud2ResourceGroup: createBillingText("resource_group", "CLOUD_2"),
  cloud2Resource: createBillingText("resource", "CLOUD_2"),
  cloud3ProjectId: createBillingText("cloud_account", "CLOUD_3"),
  cloud3Product: createBillingText("product", "CLOUD_3"),
  cloud3SkuDescription: createBillingText("usage_type", "CLOUD_3"),
};

const AMOUNTS = { cost: "cost", usageAmount: "usage_amount" } as const satisfies Readonly<
  Record<string, BillingColumn>
>;

const lowerKeys = <T>(fields: Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
  new Map(Object.entries(fields).map(([id, field]) => [id.toLowerCase(), field]));

const TEXT_BY_ID = lowerKeys(TEXTS);
const AMOUNT_BY_ID = lowerKeys(AMOUNTS);
const START_TIME = "starttime";

/** Ids of the fields, for messages. */
export const FIELD_IDS = { texts: Object.keys(TEXTS).join(", "), amounts: Object.keys(AMOUNTS).join(", ") };

/** The contract's id of a field that may be written as any dialect does, in lower case. */
function toNeutralFieldId(fieldId: string): string {
  const id = fieldId.toLowerCase();
  const words = Object.values(DIALECTS).flatMap(({ firstWords }) => Object.entries(firstWords));
  const [neutral, live] = words.find(([, other]) => id.startsWith(other)) ?? ["", ""];
  return neutral + id.slice(live.length);
}

/** Returns the column that a derived metric aggregates; null: there is none with this id. */
export function findBillingColumn(fieldId: string): BillingColumn | null {
  const id = toNeutralFieldId(fieldId);
  return AMOUNT_BY_ID.get(id) ?? TEXT_BY_ID.get(id) ?? null;
}

/** Returns the text of a billing row that a filter's field names, or the problem of the field. */
export function filterText(field: PerspectiveField): BillingText | { readonly wrong: string } {
  const { identifier, fieldId, fieldName = "" } = field;
  if (identifier === "CUSTOM") return { wrong: "custom fields are computed by the platform, not imported" };
  if (identifier === "LABEL" || identifier === "LABEL_V2")
    return fieldName === ""
      ? { wrong: "expected the label's key as fieldName" }
      : { kind: "label", key: fieldName };
  if (identifier === "BUSINESS_MAPPING")
    return { kind: "cost_category", key: fieldName === "" ? fieldId : fieldName };
  return (
    TEXT_BY_ID.get(toNeutralFieldId(fieldId)) ?? {
      wrong: `no field of a billing row; there are ${FIELD_IDS.texts}`,
    }
  );
}

/** Whether a field is the start of usage, the only time of a billing row. */
export const isStartTime = ({ fieldId }: PerspectiveField): boolean => fieldId.toLowerCase() === START_TIME;
