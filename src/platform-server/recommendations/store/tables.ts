import type { ColumnType, GeneratedAlways } from "kysely";

/** numeric: exact in the database; written as a decimal text, read as text unless cast. */
type Amount = ColumnType<string | null, string | null, string | null>;

interface RecommendationKey {
  account: string;
  id: string;
}

/**
 * The filtered and sorted columns of a recommendation. Times in ms since 1970, amounts per month; null:
 * unknown.
 */
export interface RecommendationsTable extends RecommendationKey {
  resource_type: string;
  state: string;
  /** Whether it is part of another one, has parts, or neither. */
  family: "alone" | "parent" | "child";
  /**
   * The recommendation that it is part of; null: none, or unknown because it was imported by an older
   * version.
   */
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
  /**
   * Digest of the last part of the resource's identifier, in lower case; finds the rows that an identifier
   * may refer to.
   */
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
  /** The effective saving: the overridden one, else the computed one. */
  saving: GeneratedAlways<string | null>;
  applied_savings: Amount;
  applied_ms: number | null;
  created_ms: number | null;
  processed_ms: number | null;
  /** Time of the last processing, else of the creation. */
  generated_ms: GeneratedAlways<number | null>;
  updated_ms: number | null;
  /**
   * True: a call set the state, so an import does not overwrite the state and its members. The next two flags
   * mean the same for theirs.
   */
  state_set: ColumnType<boolean, boolean | undefined, boolean>;
  verification_set: ColumnType<boolean, boolean | undefined, boolean>;
  savings_set: ColumnType<boolean, boolean | undefined, boolean>;
}

export interface RecommendationItemsTable extends RecommendationKey {
  /** JSON text of the members that are only shown. Not jsonb, which refuses some valid JSON texts. */
  item: string;
}

export interface RecommendationLabelsTable extends RecommendationKey {
  kind: "tag" | "cost-category";
  key: string;
  value: string;
}

/** Tables of the embedded platform's recommendations. */
export interface RecommendationTables {
  platform_recommendations: RecommendationsTable;
  platform_recommendation_items: RecommendationItemsTable;
  platform_recommendation_labels: RecommendationLabelsTable;
}
