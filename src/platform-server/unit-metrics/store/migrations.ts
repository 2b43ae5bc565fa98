import { createSqlMigration, type MigrationList } from "../../../store/migrations/migration-list.ts";

const METRIC = `account text not null,
    metric_identifier text not null`;

/**
 * Tables of unit metrics, of the billing rows that derived ones are computed from, and of perspectives over
 * those rows.
 */
export const unitMetricsMigrations: MigrationList = {
  "0005-unit-metrics": createSqlMigration([
    `create table platform_unit_metrics (
    ${METRIC},
    metric_name text not null,
    folded_name text not null,
    description text,
    labels text not null,
    default_aggregation text not null,
    handle_empty_value text not null,
    type text not null,
    data_source text,
    field_id text,
    column_aggregation text,
    created_ms bigint not null,
    updated_ms bigint not null,
    primary key (account, metric_identifier))`,
    `create table platform_unit_metric_records (
    ${METRIC},
    at_ms bigint not null,
    value numeric not null,
    primary key (account, metric_identifier, at_ms))`,
    `create table platform_billing_rows (
    account text not null,
    row_id text not null,
    start_ms bigint not null,
    cost numeric not null,
    currency text not null,
    cloud_provider text not null,
    cloud_account text,
    region text,
    product text,
    usage_type text,
    instance_type text,
    resource text,
    resource_group text,
    cluster_name text,
    namespace text,
    workload_name text,
    usage_amount numeric,
    labels jsonb not null,
    cost_categories jsonb not null,
    primary key (account, row_id))`,
    "create index platform_billing_rows_by_time on platform_billing_rows (account, start_ms)",
    `create table platform_perspectives (
    account text not null,
    perspective_id text not null,
    name text not null,
    rules text not null,
    primary key (account, perspective_id))`,
    `create table platform_perspective_metrics (
    ${METRIC},
    perspective_id text not null,
    primary key (account, metric_identifier, perspective_id))`,
    "create index platform_perspective_metrics_of on platform_perspective_metrics (account, perspective_id)",
  ]),
};
