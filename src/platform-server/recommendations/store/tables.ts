import type { ColumnType, GeneratedAlways } from "kysely";

/** numeric: exact in the database; written as a decimal text, read as text unless cast. */
type Amount = ColumnType<string | null, string | null, string | null>;

interface RecommendationKey {
  account: string;
  id: string;
}

/** What a recommendation is found and ordered by. Times in ms since 1970, amounts per month; null: not known. */
export interface RecommendationsTable extends RecommendationKey {
  resource_type: string;
  state: string;
  /** Whether it is part of another one, is said to have parts, or neither. */
  family: "alone" | "parent" | "child";
  /** The one that it is a part of; null: none, or not known of what was imported before this was kept. */
  parent_id: string | null;
  verification_status: string | null;
  variance_notes: string | null;
  cloud_provider: string | null;
  cloud_account_id: string | null;
  cloud_account_name: string | null;
  region: string | null;
  cluster_name: string | null;
  namespace: string | null;
  resource_name: string | null;
  resource_id: string | null;
  /** Digest of the last part of the resource's identifier, in lower case: rows that an identifier may mean. */
  resource_key: string | null;
  resource_group: string | null;
  instance_type: string | null;
  cs_cluster_name: string | null;
  cs_launch_type: string | null;
  governance_rule_name: string | null;
  perspective_id: string | null;
  applied_by_user_id: string | null;
  applied_by_user_name: string | null;
  monthly_saving: Amount;
  monthly_cost: Amount;
  overridden_savings: Amount;
  /** The saving that counts: the overridden one, else the computed one. */
  saving: GeneratedAlways<string | null>;
  applied_savings: Amount;
  applied_ms: number | null;
  created_ms: number | null;
  processed_ms: number | null;
  /** Last processed, else created. */
  generated_ms: GeneratedAlways<number | null>;
  updated_ms: number | null;
  /** Set by a call: an import leaves state and what belongs to it as they are. The two below say the same of theirs. */
  state_set: ColumnType<boolean, boolean | undefined, boolean>;
  verification_set: ColumnType<boolean, boolean | undefined, boolean>;
  savings_set: ColumnType<boolean, boolean | undefined, boolean>;
}

export interface RecommendationItemsTable extends RecommendationKey {
  /** JSON text of what is only shown. Text, because jsonb refuses some of JSON's texts. */
  item: string;
}

export interface RecommendationLabelsTable extends RecommendationKey {
  kind: "tag" | "cost-category";
  key: string;
  value: string;
}

/** Recommendations of the embedded platform. */
export interface RecommendationTables {
  platform_recommendations: RecommendationsTable;
  platform_recommendation_items: RecommendationItemsTable;
  platform_recommendation_labels: RecommendationLabelsTable;
}
