import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The amounts that count towards budgets, and the pending work of merged pull requests. */
export const afterMerge: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const WORKSPACE = `repository_id bigint not null,
    org text not null,
    project text not null,
    workspace text not null`;

const STATEMENTS = [
  `create table workspace_costs (
    ${WORKSPACE},
    currency text,
    amount text,
    known_at timestamptz not null,
    merged_from text,
    primary key (repository_id, org, project, workspace))`,
  `create table budget_claims (
    ${WORKSPACE},
    number integer not null,
    currency text,
    amount text,
    primary key (repository_id, number, org, project, workspace))`,
  `create table budget_pulls (
    repository_id bigint not null,
    number integer not null,
    primary key (repository_id, number))`,
  `create table budget_versions (
    repository_id bigint primary key,
    version bigint not null)`,
  `create table merged_pulls (
    repository_id bigint not null,
    number integer not null,
    merge_sha text,
    base_ref text not null,
    merged_at timestamptz not null,
    compare_at timestamptz,
    compared_at timestamptz,
    primary key (repository_id, number))`,
  `create table merged_stages (
    ${WORKSPACE},
    number integer not null,
    currency text,
    previous text,
    current text,
    change text,
    planned_at timestamptz not null,
    merged_at timestamptz not null,
    primary key (repository_id, number, org, project, workspace))`,
  "create index merged_stages_by_time on merged_stages (repository_id, merged_at)",
  `create table applied_recommendations (
    repository_id bigint not null,
    number integer not null,
    recommendation_id text not null,
    org text not null,
    project text not null,
    pipeline_execution_id text not null,
    pipeline_stage_id text not null,
    savings text not null,
    state text not null,
    updated_at timestamptz not null,
    primary key (repository_id, number, recommendation_id))`,
];
