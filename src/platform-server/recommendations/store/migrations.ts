import { createSqlMigration, type MigrationList } from "../../../store/migrations/migration-list.ts";

const KEY = `account text collate "C" not null,
    id text collate "C" not null`;

const TEXTS = [
  ...["verification_status", "variance_notes", "cloud_provider", "cloud_account_id", "cloud_account_name"],
  ...[
    "region",
    "cluster_name",
    "namespace",
    "resource_name",
    "resource_id",
    "resource_key",
    "resource_group",
  ],
  ...["instance_type", "cs_cluster_name", "cs_launch_type", "governance_rule_name", "perspective_id"],
  ...["applied_by_user_id", "applied_by_user_name"],
];

const createBothIndexes = (name: string, column: string): readonly string[] => [
  `create index platform_recommendations_${name}_down
    on platform_recommendations (account, ${column} desc nulls last, id)`,
  `create index platform_recommendations_${name}_up on platform_recommendations (account, ${column}, id)`,
];

/**
 * Tables of recommendations. Filtered and sorted columns are in one narrow table, so that counting all rows
 * of an account is fast; members that are only shown are in another. Texts are collated "C", so that the
 * order is the same on every engine.
 */
export const recommendationsMigrations: MigrationList = {
  "0003-recommendations": createSqlMigration([
    `create table platform_recommendations (
    ${KEY},
    resource_type text collate "C" not null,
    state text collate "C" not null,
    family text collate "C" not null check (family in ('alone', 'parent', 'child')),
    ${TEXTS.map((name) => `${name} text collate "C"`).join(",\n    ")},
    monthly_saving numeric,
    monthly_cost numeric,
    overridden_savings numeric,
    saving numeric generated always as (coalesce(overridden_savings, monthly_saving)) stored,
    applied_savings numeric,
    applied_ms bigint,
    created_ms bigint,
    processed_ms bigint,
    generated_ms bigint generated always as (coalesce(processed_ms, created_ms)) stored,
    updated_ms bigint,
    state_set boolean not null default false,
    verification_set boolean not null default false,
    savings_set boolean not null default false,
    primary key (account, id))`,
    ...createBothIndexes("saving", "saving"),
    ...createBothIndexes("cost", "monthly_cost"),
    ...createBothIndexes("applied", "applied_ms"),
    ...createBothIndexes("type", "resource_type"),
    "create index platform_recommendations_resource on platform_recommendations (account, resource_key)",
    `create table platform_recommendation_items (
    ${KEY},
    item text not null,
    primary key (account, id))`,
    `create table platform_recommendation_labels (
    ${KEY},
    kind text collate "C" not null check (kind in ('tag', 'cost-category')),
    key text collate "C" not null,
    value text collate "C" not null,
    primary key (account, id, kind, key, value))`,
    `create index platform_recommendation_labels_by_value
    on platform_recommendation_labels (account, kind, key, value, id)`,
  ]),
  // Which recommendation another one is a part of.
  "0016-recommendation-parts": createSqlMigration([
    `alter table platform_recommendations add column parent_id text collate "C"`,
    `create index platform_recommendations_parts on platform_recommendations (account, parent_id)
      where parent_id is not null`,
  ]),
};
