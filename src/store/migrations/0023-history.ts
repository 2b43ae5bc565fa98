import { createSqlMigration } from "./migration-list.ts";

/** The members that say which evaluation a row is, and its result in a few columns. */
const RESULT = `evaluation_id bigint,
  figures boolean,
  situation text,
  verdict text,
  cost text,
  begun_at timestamptz`;

/** An evaluation without its envelope; rows of the first version have none. */
const VALUE = "coalesce(evaluations.evaluation -> 'value', evaluations.evaluation)";

const COSTS = `before numeric,
  after numeric,
  change numeric,
  state text not null`;

/** The first version called the amounts "previous" and "current", and the situation of a verdict "judged". */
const STORED_COSTS = `coalesce(line ->> 'before', line ->> 'previous')::numeric,
  coalesce(line ->> 'after', line ->> 'current')::numeric, (line ->> 'change')::numeric, line ->> 'state'`;

const storedLines = (path: string) =>
  `from evaluations, jsonb_array_elements(${VALUE} -> 'report' -> '${path}') as line
    where evaluations.figures and jsonb_typeof(${VALUE} -> 'report' -> '${path}') = 'array'`;

/** Earlier evaluations, what pages list of them in tables of their own, and the names that pages show. */
export const history = createSqlMigration([
  "create sequence evaluation_ids",
  ...RESULT.split(",").map((column) => `alter table evaluations add column ${column.trim()}`),
  `update evaluations set evaluation_id = ordered.position, begun_at = created_at,
      figures = (${VALUE} -> 'pull' ->> 'figures')::boolean,
      situation = replace(${VALUE} -> 'situation' ->> 'kind', 'judged', 'evaluated'),
      verdict = ${VALUE} -> 'situation' -> 'verdict' ->> 'kind'
    from (select repository_id, number, row_number() over (order by created_at, repository_id, number) as position
      from evaluations) as ordered
    where ordered.repository_id = evaluations.repository_id and ordered.number = evaluations.number`,
  "select setval('evaluation_ids', coalesce(max(evaluation_id), 0) + 1, false) from evaluations",
  `alter table evaluations alter column evaluation_id set not null,
    alter column evaluation_id set default nextval('evaluation_ids'),
    alter column begun_at set not null`,
  `create table past_evaluations (
    repository_id bigint not null,
    number integer not null,
    ${RESULT.replace("begun_at timestamptz", "begun_at timestamptz not null")},
    head_sha text not null,
    base_ref text not null,
    check_name text not null,
    digest text not null,
    decision text not null,
    policy_blobs text not null,
    evaluation jsonb not null,
    created_at timestamptz not null,
    ended_at timestamptz not null,
    primary key (repository_id, number, evaluation_id))`,
  `create table evaluation_totals (
    evaluation_id bigint not null,
    currency text not null,
    ${COSTS},
    primary key (evaluation_id, currency))`,
  `create table evaluation_stages (
    evaluation_id bigint not null,
    org text not null,
    project text not null,
    workspace text not null,
    name text not null,
    currency text,
    ${COSTS},
    primary key (evaluation_id, org, project, workspace))`,
  `create table evaluation_findings (
    evaluation_id bigint not null,
    position integer not null,
    rule text not null,
    outcome text not null,
    enforce text not null,
    effect text not null,
    per text not null,
    subject text,
    others integer not null,
    "limit" jsonb not null,
    measured jsonb,
    primary key (evaluation_id, position))`,
  `create table evaluation_approvals (
    evaluation_id bigint not null,
    rule text not null,
    approver text not null,
    primary key (evaluation_id, rule, approver))`,
  `create table rule_outcomes (
    repository_id bigint not null,
    number integer not null,
    rule text not null,
    enforce text not null,
    effect text not null,
    evaluations integer not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    violated_at timestamptz,
    violated_id bigint,
    blocked_at timestamptz,
    undecided_at timestamptz,
    approved_at timestamptz,
    waived_at timestamptz,
    resolved_at timestamptz,
    resolution text,
    primary key (repository_id, number, rule))`,
  `create table policies (
    policy_blobs text primary key,
    version integer not null,
    policy jsonb not null,
    saved_at timestamptz not null)`,
  `create table merge_comparisons (
    repository_id bigint not null,
    number integer not null,
    currency text not null,
    estimated numeric not null,
    actual numeric not null,
    days integer not null,
    compared integer not null,
    workspaces integer not null,
    compared_at timestamptz not null,
    primary key (repository_id, number, currency))`,
  `alter table pulls add column title text,
    add column author_id bigint,
    add column author_login text,
    add column is_draft boolean,
    add column opened_at timestamptz,
    add column closed_at timestamptz,
    add column merged_at timestamptz,
    add column merged_by_id bigint,
    add column merged_by_login text`,
  "create index pulls_open on pulls (repository_id, number) where state = 'open'",
  "alter table repositories add column figures boolean",
  `update repositories set figures = seen.figures from (
      select distinct on (repository_id) repository_id, figures from evaluations
      where situation <> 'failed' order by repository_id, created_at desc) as seen
    where seen.repository_id = repositories.repository_id`,
  "alter table merged_stages add column stage text",
  "alter table applied_recommendations add column currency text",
  `insert into evaluation_totals
    select evaluation_id, line ->> 'currency', ${STORED_COSTS} ${storedLines("totals")} on conflict do nothing`,
  `insert into evaluation_stages
    select evaluation_id, line ->> 'org', line ->> 'project', line ->> 'workspace', coalesce(line ->> 'name', line ->> 'workspace'),
      line ->> 'currency', ${STORED_COSTS} ${storedLines("stages")} on conflict do nothing`,
  `insert into evaluation_approvals
    select evaluation_id, rule, approver from approval_requests natural join evaluations`,
  `insert into merge_comparisons
    select evaluations.repository_id, evaluations.number, line ->> 'currency',
      (line ->> 'estimated')::numeric, (line ->> 'actual')::numeric, round((${VALUE} -> 'afterMerge' ->> 'days')::numeric),
      (${VALUE} -> 'afterMerge' ->> 'compared')::integer, (${VALUE} -> 'afterMerge' ->> 'workspaces')::integer,
      coalesce(merged_pulls.compared_at, evaluations.created_at)
    from evaluations left join merged_pulls
      on merged_pulls.repository_id = evaluations.repository_id and merged_pulls.number = evaluations.number,
      jsonb_array_elements(${VALUE} -> 'afterMerge' -> 'totals') as line
    where evaluations.figures and jsonb_typeof(${VALUE} -> 'afterMerge' -> 'totals') = 'array'
    on conflict do nothing`,
]);
