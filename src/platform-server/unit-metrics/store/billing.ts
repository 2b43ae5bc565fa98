import { type Insertable, type Kysely, sql } from "kysely";
import { toStorableJson } from "../../../kernel/storable.ts";
import type { UnitMetricTables } from "./tables.ts";

export type BillingRow = Omit<
  Insertable<UnitMetricTables["platform_billing_rows"]>,
  "account" | "labels" | "cost_categories"
> & {
  readonly labels: Readonly<Record<string, string>>;
  readonly cost_categories: Readonly<Record<string, string>>;
};

/** Name and type of every column but the account, in the order in which they are written. */
const COLUMNS = {
  row_id: "text",
  start_ms: "bigint",
  cost: "numeric",
  currency: "text",
  cloud_provider: "text",
  cloud_account: "text",
  region: "text",
  product: "text",
  usage_type: "text",
  instance_type: "text",
  resource: "text",
  resource_group: "text",
  cluster_name: "text",
  namespace: "text",
  workload_name: "text",
  usage_amount: "numeric",
  labels: "jsonb",
  cost_categories: "jsonb",
} as const satisfies Record<keyof BillingRow, string>;

const NAMES = Object.keys(COLUMNS);
const INTO = sql.raw(NAMES.join(", "));
const TYPED = sql.raw(
  Object.entries(COLUMNS)
    .map((pair) => pair.join(" "))
    .join(", "),
);
const FROM = sql.raw(NAMES.map((name) => `new.${name}`).join(", "));
const REPLACED = sql.raw(NAMES.map((name) => `${name} = excluded.${name}`).join(", "));

/** Adds rows of an account, or replaces those with the same id. Ids must be unique. */
export async function putBillingRows(
  trx: Kysely<UnitMetricTables>,
  account: string,
  rows: readonly BillingRow[],
): Promise<void> {
  await sql`
    insert into platform_billing_rows (account, ${INTO})
    select ${account}, ${FROM} from json_to_recordset(${toStorableJson(rows)}::json) as new(${TYPED})
    on conflict (account, row_id) do update set ${REPLACED}`.execute(trx);
}
