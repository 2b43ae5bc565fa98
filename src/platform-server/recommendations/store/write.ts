import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import type { RecommendationTables } from "./tables.ts";

type ComputedColumn = "state_set" | "verification_set" | "savings_set" | "saving" | "generated_ms";

/** An imported recommendation. */
export interface ImportedRecommendation {
  readonly row: Omit<
    Insertable<RecommendationTables["platform_recommendations"]>,
    ComputedColumn | "account"
  >;
  /** JSON text of the members that are only shown. */
  readonly item: string;
  readonly labels: readonly Pick<
    Selectable<RecommendationTables["platform_recommendation_labels"]>,
    "kind" | "key" | "value"
  >[];
}

/** Type of each column, and the mark that keeps its value from an import; null: an import always replaces it. */
const COLUMNS: Readonly<
  Record<keyof ImportedRecommendation["row"], readonly [type: string, keptBy: string | null]>
> = {
  id: ["text", null],
  resource_type: ["text", null],
  state: ["text", "state_set"],
  family: ["text", null],
  parent_id: ["text", null],
  verification_status: ["text", "verification_set"],
  variance_notes: ["text", "verification_set"],
  cloud_provider: ["text", null],
  cloud_account_id: ["text", null],
  cloud_account_name: ["text", null],
  region: ["text", null],
  cluster_name: ["text", null],
  namespace: ["text", null],
  resource_name: ["text", null],
  resource_id: ["text", null],
  resource_key: ["text", null],
  resource_group: ["text", null],
  instance_type: ["text", null],
  cs_cluster_name: ["text", null],
  cs_launch_type: ["text", null],
  governance_rule_name: ["text", null],
  perspective_id: ["text", null],
  applied_by_user_id: ["text", "state_set"],
  applied_by_user_name: ["text", "state_set"],
  monthly_saving: ["numeric", null],
  monthly_cost: ["numeric", null],
  overridden_savings: ["numeric", "savings_set"],
  applied_savings: ["numeric", "state_set"],
  applied_ms: ["bigint", "state_set"],
  created_ms: ["bigint", null],
  processed_ms: ["bigint", null],
  updated_ms: ["bigint", null],
};
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]; // its own keys

/**
 * Adds recommendations of an account, or replaces those with the same id. Values that a call set are not
 * overwritten. Ids must be unique.
 */
export async function putRecommendations(
  trx: Kysely<RecommendationTables>,
  account: string,
  all: readonly ImportedRecommendation[],
): Promise<void> {
  if (all.length === 0) return;
  const arrays = NAMES.map((name) => sql`${all.map(({ row }) => row[name])}::${sql.raw(COLUMNS[name][0])}[]`);
  await sql`
    insert into platform_recommendations as r (account, ${sql.raw(NAMES.join(", "))})
    select ${account}, new.* from unnest(${sql.join(arrays)}) as new
    on conflict (account, id) do update set ${sql.raw(
      NAMES.filter((name) => name !== "id")
        .map(createReplacement)
        .join(", "),
    )}`.execute(trx);
  await putItems(trx, account, all);
  await putLabels(trx, account, all);
  await analyzeGrownTables(trx);
}

function createReplacement(name: keyof typeof COLUMNS): string {
  const flagColumn = COLUMNS[name][1];
  return flagColumn === null
    ? `${name} = excluded.${name}`
    : `${name} = case when r.${flagColumn} then r.${name} else excluded.${name} end`;
}

async function putItems(
  trx: Kysely<RecommendationTables>,
  account: string,
  all: readonly ImportedRecommendation[],
): Promise<void> {
  await sql`
    insert into platform_recommendation_items (account, id, item)
    select ${account}, new.* from unnest(${listIds(all)}::text[], ${all.map(({ item }) => item)}::text[]) as new
    on conflict (account, id) do update set item = excluded.item`.execute(trx);
}

async function putLabels(
  trx: Kysely<RecommendationTables>,
  account: string,
  all: readonly ImportedRecommendation[],
): Promise<void> {
  await trx
    .deleteFrom("platform_recommendation_labels")
    .where("account", "=", account)
    .where("id", "=", sql<string>`any(${listIds(all)}::text[])`)
    .execute();
  const labels = all.flatMap(({ row, labels: own }) => own.map((label) => ({ id: row.id, ...label })));
  if (labels.length === 0) return;
  const column = (name: "id" | "kind" | "key" | "value") =>
    sql`${labels.map((label) => label[name])}::text[]`;
  await sql`
    insert into platform_recommendation_labels (account, id, kind, key, value)
    select ${account}, new.* from unnest(${column("id")}, ${column("kind")}, ${column("key")}, ${column("value")}) as new
    on conflict do nothing`.execute(trx);
}

const listIds = (all: readonly ImportedRecommendation[]): string[] => all.map(({ row }) => row.id);

const GROWING = ["platform_recommendations", "platform_recommendation_labels"] as const;
/** In blocks of 8 KiB: below it every plan is quick. */
const SMALL = 50;

/**
 * Tells the planner about tables that have grown to more than twice what it knows of. Without it a list is sorted in full
 * instead of read from an index: PostgreSQL's own look comes a minute later, the embedded database never looks.
 */
async function analyzeGrownTables(trx: Kysely<RecommendationTables>): Promise<void> {
  for (const table of GROWING) {
    const { rows } = await sql<{ known: number; now: number }>`
      select relpages::int as known, (pg_relation_size(oid) / current_setting('block_size')::int)::int as now
      from pg_class where oid = ${table}::regclass`.execute(trx);
    const { known = 0, now = 0 } = rows[0] ?? {};
    if (now > SMALL && now > 2 * known) await sql`analyze ${sql.table(table)}`.execute(trx);
  }
}
