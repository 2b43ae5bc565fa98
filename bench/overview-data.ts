import { sql } from "kysely";
import { savePolicy } from "../src/store/history/write-evaluation.ts";
import { storedEvaluation } from "../src/store/json/stored-values.ts";
import type { Database } from "../src/wiring/database/schema.ts";
import { policy } from "../test/policy/policies.ts";
import {
  evaluatedSituation,
  evaluation,
  finding,
  report,
  resource,
  stage,
} from "../test/render/evaluation-builder.ts";

const PULLS = 10_000;
const EVALUATIONS = 100_000;
const OPEN = 1_500;
/** Pull requests with numbers up to this one were merged, but the open ones. */
const MERGED = 100_000 + OPEN;
export const REPOSITORIES = 40;
/** Noon of the day on which the bench is: everything happened in the year before. */
export const NOW = new Date("2026-11-01T12:00:00Z");

const POLICY = `
stages: [{ match: { workspace: "prod*" }, name: production }]
rules: [{ id: rule-1, limit: { increase: 100 USD } }]
budgets: [{ id: budget, scope: { stages: [production] }, amount: 100000 USD }]
waivers: [{ rule: rule-1, until: 2026-11-20, up_to: 300 USD, reason: "load test", owner: finops }]
`;

/** An evaluation of forty resources: what most pull requests have at most. */
const EVALUATION = storedEvaluation.write(
  evaluation({
    report: report([stage("prod", ["0", "600"]), stage("staging", ["0", "60"])], {
      resources: Array.from({ length: 40 }, (_, at) =>
        resource(`module.web.aws_instance.thing-${at}`, String(at)),
      ),
    }),
    situation: evaluatedSituation("block", [finding("rule-1")]),
  }),
);

const PER_PULL = EVALUATIONS / PULLS;
/** Everything is spread by multiplication with a prime, so that nothing is stored in the order in which it is asked for. */
const spread = (name: string, prime: number, below: number) =>
  `(${name}::bigint * ${prime} % ${below})::integer`;
const REPOSITORY = `(1 + pull % ${REPOSITORIES})`;
const IS_OPEN = `(${spread("pull", 7919, PULLS)} < ${OPEN})`;
const CHANGE = `((${spread("id", 104_729, 200_000)} - 80000) / 100.0)::numeric(20, 2)`;
const WAY = "(array['passed', 'passed', 'passed', 'warned', 'approved', 'over_check'])[1 + pull % 6]";
/** Merges lie over four years, and are stored when they happen: the higher the number, the later. */
const MERGED_AT = `($1::timestamptz - make_interval(hours => (4 * 8760 - pull::bigint * 4 * 8760 / ${MERGED})::integer))`;
const CONSENTS = `jsonb_build_array(jsonb_build_object('id', pull % 20, 'login', 'person-' || pull % 20,
  'upTo', jsonb_build_object('amount', '900', 'currency', 'USD')))`;
const HEAD = "lpad(to_hex(pull), 40, 'a')";
const AT = `($1::timestamptz - make_interval(hours => ${spread("pull", 6_151, 8_760)}))`;
const DECISION =
  "(array['success', 'success', 'neutral', 'action_required', 'failure', 'in_progress'])[1 + pull % 6]";
const VERDICT = "(array['pass', 'pass', 'warn', 'block', 'block', null])[1 + pull % 6]";
const RESULT = `${HEAD}, 'main', 'd' || id, ${DECISION}, 'b' || ${REPOSITORY}`;

const each = (what: string, count: number) => `from generate_series(1, ${count}) as ${what}`;
const COLUMNS = "repository_id, number, head_sha, base_ref, digest, decision, policy_blobs";
const TIMES = "evaluation_id, situation, verdict, cost, begun_at, created_at";

const MERGES = `from generate_series(1, ${MERGED}) as pull where pull > ${PULLS} or not ${IS_OPEN}`;

/** What is stored of each merged pull request: a total, three modules, two tags and two stages. */
const PARTS = `select pull, position, merged_at, part, kind, detail, name || coalesce((pull + position) % names, pull % 300) as name,
    case part when 'stage' then date_bin('7 days', merged_at, '1970-01-05Z') end as week
  from (select pull, ${MERGED_AT} as merged_at, ${WAY} as way ${MERGES}) as merged, lateral (values
    (0, 'total', 'person-', way, null, null), (1, 'module', 'service.module-', null, null, 200),
    (2, 'module', 'service.module-', null, null, 200), (3, 'module', 'service.module-', null, null, 200),
    (4, 'tag', 'team-', 'value', 'team', 30), (5, 'tag', 'team-', 'value', 'team', 30),
    (6, 'stage', 'prod', null, 'prod', 1), (7, 'stage', 'staging', null, 'staging', 1)
  ) as own (position, part, name, kind, detail, names)`;
const ITEM = `md5(concat_ws('|', ${REPOSITORY}, part, name, kind, week))::uuid`;

const STATEMENTS = [
  `insert into repositories (repository_id, installation_id, owner_id, owner_login, name, updated_at, figures)
    select n, 9, 5, 'acme', 'service-' || n, $1, true ${each("n", REPOSITORIES)}`,
  `insert into pulls (repository_id, number, head_sha, base_ref, state, head_seen_at, updated_at, title, author_id,
      author_login, is_draft, opened_at)
    select ${REPOSITORY}, pull, ${HEAD}, 'main', case when ${IS_OPEN} then 'open' else 'closed' end, ${AT}, ${AT},
      'Change ' || md5(pull::text), pull % 300, 'person-' || pull % 300, false, ${AT} ${each("pull", PULLS)}`,
  `insert into evaluations (${COLUMNS}, settled, check_name, figures, evaluation, ${TIMES})
    select ${REPOSITORY}, pull, ${RESULT}, true, 'tollgate: main', true, $2::jsonb, id, 'evaluated', ${VERDICT}, 'known', ${AT}, ${AT}
    from (select pull, pull * ${PER_PULL} as id ${each("pull", PULLS)}) as made`,
  `insert into past_evaluations (${COLUMNS}, evaluation, ${TIMES}, ended_at)
    select ${REPOSITORY}, pull, ${RESULT}, $2::jsonb, id, 'evaluated', ${VERDICT}, 'known', ${AT}, ${AT}, ${AT}
    from (select pull, pull * ${PER_PULL} - past as id ${each("pull", PULLS)},
      generate_series(1, ${PER_PULL - 1}) as past) as made`,
  `insert into evaluation_totals select id, 'USD', 1000, 1000 + ${CHANGE}, ${CHANGE}, 'known' ${each("id", EVALUATIONS)}`,
  `insert into evaluation_totals select id, 'EUR', 1000, 1000 + ${CHANGE}, ${CHANGE}, 'known'
    ${each("id", EVALUATIONS)} where id % 20 = 0`,
  `insert into evaluation_stages select id, 'default', 'payments', workspace, workspace
    ${each("id", EVALUATIONS)}, unnest(array['prod', 'staging']) as workspace`,
  `insert into evaluation_tags select pull * ${PER_PULL}, team, 'team', 'value', 'team-' || (pull + team) % 30, 'USD', pull % 900, 'known'
    ${each("pull", PULLS)}, generate_series(0, 3) as team`,
  `insert into evaluation_rules select id, 'rule-' || 1 + id % 8, 'blocked', 0 ${each("id", EVALUATIONS)} where id % 5 < 2`,
  `insert into evaluation_approvals select pull * ${PER_PULL}, 'rule-1', 'acme/team-' || pull % 12
    ${each("pull", PULLS)} where pull % 6 = 3`,
  `insert into rule_outcomes (repository_id, number, rule, enforce, effect, evaluations, first_at, last_at, violated_at,
      violated_id, blocked_at, resolved_at, resolution, blocked_changes)
    select ${REPOSITORY}, pull, 'rule-' || rule, 'block', case when pull % 5 = rule % 5 then 'approved' else 'passed' end, 3,
      ${AT}, ${AT}, case when pull % 5 = rule % 5 then ${AT} end,
      case when pull % 5 = rule % 5 then pull * ${PER_PULL} end,
      case when pull % 5 = rule % 5 then ${AT} end, case when pull % 5 = rule % 5 then ${AT} end,
      case when pull % 5 = rule % 5 then 'approved' end,
      case when pull % 5 = rule % 5 then jsonb_build_object('USD', (pull % 1200)::text) else '{}' end
    ${each("pull", PULLS)}, generate_series(1, 8) as rule`,
  `insert into pulls (repository_id, number, head_sha, base_ref, state, head_seen_at, updated_at, title)
    select ${REPOSITORY}, pull, ${HEAD}, 'main', 'closed', ${AT}, ${AT}, 'Change ' || md5(pull::text)
    from generate_series(${PULLS + 1}, ${MERGED}) as pull`,
  `insert into merged_pulls (repository_id, number, merged_at, author_login, merged_by_login, verdict, way, cost, consents)
    select ${REPOSITORY}, pull, ${MERGED_AT}, 'person-' || pull % 300, 'person-' || pull % 90, 'pass',
      ${WAY}, case when pull % 50 = 0 then 'unknown' else 'known' end,
      case when pull % 6 = 4 then ${CONSENTS} else '[]' end
    ${MERGES}`,
  `insert into merged_stages (repository_id, org, project, workspace, number, currency, before, after, change, merged_at)
    select ${REPOSITORY}, 'default', 'payments', workspace, pull, 'USD', '0', (pull % 900)::text, (pull % 900)::text, ${MERGED_AT}
    from unnest(array['prod', 'staging']) as workspace, (select pull ${MERGES}) as made`,
  `insert into merged_items select distinct ${ITEM}, ${REPOSITORY}, part, name, kind, detail, week, 'USD' from (${PARTS}) as made`,
  `insert into merged_parts select ${REPOSITORY}, pull, position, ${ITEM}, merged_at, pull % 900 from (${PARTS}) as made
    order by merged_at, position`,
  `insert into merge_comparisons select ${REPOSITORY}, pull, 'USD', pull % 700, pull % 900, pull % 800, 14, 2, 2, ${AT}
    ${each("pull", PULLS)} where pull % 3 = 0`,
  `insert into applied_recommendations (repository_id, number, recommendation_id, org, project, pipeline_execution_id,
      pipeline_stage_id, savings, state, updated_at, currency)
    select ${REPOSITORY}, pull, 'r' || pull, 'o', 'p', 'e', 's', (pull % 90)::text, 'marked', ${AT}, 'USD'
    ${each("pull", PULLS)} where pull % 5 = 0`,
  `insert into workspace_costs (repository_id, org, project, workspace, currency, amount, known_at)
    select n, 'default', 'payments', workspace, 'USD', '4000', $1
    ${each("n", REPOSITORIES)}, unnest(array['prod', 'staging']) as workspace`,
  `insert into budget_claims select ${REPOSITORY}, 'default', 'payments', 'prod', pull, 'USD', (pull % 900)::text
    ${each("pull", PULLS)} where ${IS_OPEN}`,
] as const;

/** Fills a database with a year of an organisation: 100,000 evaluations of 10,000 pull requests, 1,500 of them open, and four years of 100,000 merged ones. */
export async function fillYear({ db }: Pick<Database, "db">): Promise<void> {
  for (const statement of STATEMENTS) {
    const [text = "", ...rest] = statement.split(/\$[12]/);
    const given = [...statement.matchAll(/\$([12])/g)].map(([, which]) => (which === "1" ? NOW : EVALUATION));
    const parts = given.flatMap((value, at) => [sql`${value}`, sql.raw(rest[at] ?? "")]);
    await sql.join([sql.raw(text), ...parts], sql.raw("")).execute(db);
  }
  for (let id = 1; id <= REPOSITORIES; id++)
    await savePolicy(db, { policyBlobs: `b${id}`, policy: policy(POLICY) }, NOW);
  await sql`analyze`.execute(db);
}
