import { sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import { ZERO } from "../../kernel/money.ts";
import { toStorableJson } from "../../kernel/storable.ts";
import { listApprovalNeeds } from "../../policy/approvals/requests.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import { decideEffect, type Finding } from "../../policy/model/finding.ts";
import type { Policy } from "../../policy/model/policy.ts";
import { isOf, upsert } from "../database/statements.ts";
import { toIndexText } from "../index-text.ts";
import { storedEvaluation, storedPolicy } from "../json/stored-values.ts";
import type { CostKnowledge, RuleEffect } from "../tables/history.ts";
import type { Db } from "../tables/tables.ts";

export interface NewestEvaluation {
  readonly evaluation: Evaluation;
  readonly digest: string;
  readonly decision: string;
  readonly policyBlobs: string;
}

export interface WrittenEvaluation {
  readonly evaluationId: number;
  /** Whether the policy that decided it is stored. */
  readonly isPolicyStored: boolean;
}

/**
 * Writes the newest evaluation of a pull request in one statement. One with another result than the newest so far gets a new id,
 * and the database moves the old row to the past ones; a repetition keeps its id. A result of the same report with the same findings,
 * such as one that only another pull request's use of a budget changed, replaces the old one: otherwise every merge would add a row
 * per open pull request. What blocks a pull request that is opened again as it was blocks it again. The caller holds the lane.
 */
export async function writeNewestEvaluation(
  trx: Db,
  newest: NewestEvaluation,
  now: Date,
): Promise<WrittenEvaluation> {
  const { evaluation, digest, decision, policyBlobs } = newest;
  const { pull, situation, checkName } = evaluation;
  const verdict = "verdict" in situation ? (situation.verdict?.kind ?? null) : null;
  const below = (pull.stack?.below ?? []).map(({ number }) => String(number));
  const rows = toStorableJson(buildEvaluationRows(evaluation));
  const { rows: written } = await sql<WrittenEvaluation>`
    with given as materialized (
      select ${rows}::jsonb as rows, ${storedEvaluation.write(evaluation)}::jsonb as stored, ${now}::timestamptz as now
    ), newest as materialized (
      select * from evaluations where repository_id = ${pull.repositoryId} and number = ${pull.number}
    ), kept as materialized (
      select evaluation_id, begun_at from newest
      where digest = ${digest} and decision = ${decision} and figures = ${pull.figures}
    ), replaced as materialized (
      select newest.evaluation_id, newest.begun_at from newest, given
      where not exists (select from kept) and newest.head_sha = ${pull.headSha} and newest.base_ref = ${pull.baseRef}
        and newest.decision = ${decision} and newest.policy_blobs = ${policyBlobs} and newest.figures = ${pull.figures}
        and newest.evaluation #> '{value,report}' = given.stored #> '{value,report}'
        and ${selectOutcomes("newest.evaluation")} = ${selectOutcomes("given.stored")}
    ), moved as (
      insert into past_evaluations (${PAST_COLUMNS}, ended_at)
      select ${PAST_COLUMNS}, given.now from newest, given
      where not exists (select from kept) and not exists (select from replaced)
    ), reopened as (
      update rule_outcomes set resolved_at = null, resolution = null
      where repository_id = ${pull.repositoryId} and number = ${pull.number} and resolution = 'closed'
        and effect ${sql.raw(IS_OPEN)} and last_at >= (select begun_at from kept)
    ), ${FORGOTTEN}, written as (
      insert into evaluations (repository_id, number, head_sha, base_ref, check_name, digest, decision, policy_blobs, settled,
        evaluation, created_at, begun_at, figures, situation, verdict, cost, below)
      select ${pull.repositoryId}, ${pull.number}, ${pull.headSha}, ${pull.baseRef}, ${checkName}, ${digest}, ${decision},
        ${policyBlobs}, false, given.stored, given.now, given.now, ${pull.figures}::boolean, ${situation.kind}, ${verdict},
        ${decideCostKnowledge(evaluation)}, ${below}::text[] from given
      on conflict (repository_id, number) do update set head_sha = excluded.head_sha, base_ref = excluded.base_ref,
        check_name = excluded.check_name, digest = excluded.digest, decision = excluded.decision,
        policy_blobs = excluded.policy_blobs, settled = excluded.settled, evaluation = excluded.evaluation,
        created_at = excluded.created_at, figures = excluded.figures, situation = excluded.situation,
        verdict = excluded.verdict, cost = excluded.cost, below = excluded.below,
        evaluation_id = coalesce((select evaluation_id from kept), excluded.evaluation_id),
        begun_at = coalesce((select begun_at from kept), (select begun_at from replaced), excluded.begun_at)
      returning repository_id, number, evaluation_id
    ), fresh as materialized (
      select written.*, given.rows, given.now from written, given
      where not exists (select from kept)
    ), ${INSERTS}
    select evaluation_id as "evaluationId", exists (select from policies where policy_blobs = ${policyBlobs}
      and version = ${POLICY_VERSION}) as "isPolicyStored" from written`.execute(trx);
  const [row] = written;
  if (row === undefined) throw new Error("an upsert returns its row");
  return row;
}

const IS_OPEN = "in ('blocked', 'undecided')";

const PAST_COLUMNS =
  sql.raw(`repository_id, number, evaluation_id, situation, verdict, cost, begun_at, head_sha, base_ref,
        digest, decision, policy_blobs, evaluation, created_at`);

const selectOutcomes = (stored: string) =>
  sql.raw(`jsonb_build_array(jsonb_path_query_array(${stored}, '$.value.situation.verdict.findings[*].rule'),
          jsonb_path_query_array(${stored}, '$.value.situation.verdict.findings[*].outcome'))`);

/** Deletes the list rows of an evaluation that is replaced, and those by tag of each that is no longer the newest. */
const FORGOTTEN = sql.raw(
  ["totals", "stages", "rules", "approvals", "tags"]
    .map(
      (list) => `forgotten_${list} as (
      delete from evaluation_${list} where evaluation_id in (${
        list === "tags"
          ? "select evaluation_id from newest where not exists (select from kept)"
          : "select evaluation_id from replaced"
      }))`,
    )
    .join(", "),
);

const insertList = (list: string, columns: string): string => `${list} as (
  insert into evaluation_${list} select fresh.evaluation_id, line.* from fresh,
    jsonb_to_recordset(fresh.rows -> '${list}') as line(${columns})
  on conflict do nothing)`;

const firstTime = (column: string): string => `${column} = coalesce(had.${column}, excluded.${column})`;

/** The larger change of each currency. */
const LARGEST_CHANGES = `(select coalesce(jsonb_object_agg(currency, change), '{}') from (
      select currency, max(change::numeric)::text as change
      from (select * from jsonb_each_text(had.blocked_changes) union all select * from jsonb_each_text(excluded.blocked_changes)) as one (currency, change)
      group by currency) as largest)`;

/**
 * A rule is resolved when it stops blocking, and open again when it blocks again. The first violation, warning, block, approval and
 * waiver stay.
 */
const OUTCOMES = `outcomes as (
  insert into rule_outcomes as had (repository_id, number, rule, enforce, effect, evaluations, first_at, last_at, violated_at,
    violated_id, warned_at, blocked_at, undecided_at, approved_at, waived_at, blocked_changes, blocked_unknown)
  select repository_id, number, rule, enforce, effect, (effect <> 'not_applicable')::integer, now, now,
    case when violated then now end, case when violated then evaluation_id end,
    case effect when 'warned' then now end, case effect when 'blocked' then now end, case effect when 'undecided' then now end,
    case effect when 'approved' then now end, case effect when 'waived' then now end,
    case effect when 'blocked' then rows -> 'changes' else '{}' end, effect = 'blocked' and (rows -> 'isPartlyUnknown')::boolean
  from fresh, jsonb_to_recordset(fresh.rows -> 'outcomes') as line(rule text, enforce text, effect text, violated boolean)
  on conflict (repository_id, number, rule) do update set enforce = excluded.enforce, effect = excluded.effect,
    evaluations = had.evaluations + excluded.evaluations, last_at = excluded.last_at,
    violated_id = coalesce(excluded.violated_id, had.violated_id),
    ${["violated_at", "warned_at", "blocked_at", "undecided_at", "approved_at", "waived_at"].map(firstTime).join(", ")},
    passed_at = case when excluded.effect = 'passed' and had.violated_at is not null then coalesce(had.passed_at, excluded.last_at) end,
    blocked_changes = ${LARGEST_CHANGES}, blocked_unknown = had.blocked_unknown or excluded.blocked_unknown,
    resolved_at = case when excluded.effect ${IS_OPEN} or coalesce(had.blocked_at, had.undecided_at) is null then null
      else coalesce(had.resolved_at, excluded.last_at) end,
    resolution = case when excluded.effect ${IS_OPEN} or coalesce(had.blocked_at, had.undecided_at) is null then null
      else coalesce(nullif(had.resolution, 'closed'), case when excluded.effect in ('approved', 'waived') then excluded.effect else 'changed' end) end
), removed as (
  update rule_outcomes as had set resolved_at = fresh.now, resolution = 'removed'
  from fresh where had.repository_id = fresh.repository_id and had.number = fresh.number and had.effect ${IS_OPEN}
    and had.resolved_at is null and (fresh.rows -> 'isVerdict')::boolean
    and had.rule not in (select line ->> 'rule' from jsonb_array_elements(fresh.rows -> 'outcomes') as line))`;

const INSERTS = sql.raw(
  [
    insertList("totals", "currency text, before numeric, after numeric, change numeric, state text"),
    insertList("stages", "org text, project text, workspace text, name text"),
    insertList(
      "tags",
      "position integer, key text, kind text, value text, currency text, change numeric, state text",
    ),
    insertList("rules", "rule text, effect text, position integer"),
    insertList("approvals", "rule text, approver text"),
    OUTCOMES,
  ].join(",\n"),
);

/** What pages list of an evaluation, as rows. Where readers may not see figures there is no amount among them. */
function buildEvaluationRows(evaluation: Evaluation) {
  const { pull, report, situation } = evaluation;
  const findings = "verdict" in situation ? (situation.verdict?.findings ?? []) : [];
  const open = findings.filter(
    ({ outcome, objections }) =>
      outcome === "violated" || outcome === "undecided" || objections !== undefined,
  );
  const totals = (pull.figures ? report.totals : []).map((total) => {
    return { ...total, currency: toIndexText(total.currency) };
  });
  return {
    totals,
    changes: Object.fromEntries(
      totals.flatMap(({ currency, change }) => (change === null ? [] : [[currency, change]])),
    ),
    isPartlyUnknown: ["unknown", "hidden"].includes(decideCostKnowledge(evaluation)),
    stages: pull.figures ? report.stages.map(toStageRow) : [],
    tags: pull.figures ? listTagRows(report) : [],
    rules: open.map((finding, position) => ({
      rule: finding.rule,
      effect: decideFindingEffect(finding),
      position,
    })),
    approvals: listApprovalNeeds(evaluation),
    // The verdict on a draft is provisional, so it counts for no rule.
    outcomes: situation.kind === "evaluated" ? listRuleEffects(findings) : [],
    isVerdict: situation.kind === "evaluated",
  };
}

const decideCostKnowledge = (evaluation: Evaluation): CostKnowledge =>
  evaluation.pull.figures || evaluation.situation.kind === "failed" ? decideOwnCost(evaluation) : "hidden";

/** Whether the monthly change of an evaluation is known, also where readers may not see it. */
export function decideOwnCost({
  report,
  situation,
}: Pick<Evaluation, "report" | "situation">): Exclude<CostKnowledge, "hidden"> {
  if (situation.kind === "failed") return "unknown";
  const { stages, totals, refused } = report;
  if (stages.length === 0 && refused.length === 0) return COSTLESS.has(situation.kind) ? "none" : "unknown";
  const isKnown = [...stages, ...totals].every(({ state }) => state === "known") && refused.length === 0;
  return isKnown ? "known" : "unknown";
}

/** Situations in which a pull request without an execution changes no cost. */
const COSTLESS: ReadonlySet<Evaluation["situation"]["kind"]> = new Set([
  "evaluated",
  "nothing_expected",
  "no_policy",
]);

/** Most lines by tag that are stored for lists; the evaluation itself has all. */
const MAX_TAGS = 200;

const listTagRows = ({ byTag }: Evaluation["report"]) =>
  (byTag?.lines ?? [])
    .filter(({ currency, change }) => currency !== null && change !== ZERO)
    .slice(0, MAX_TAGS)
    .map(({ kind, value, currency, change, state }, position) => ({
      ...{ position, key: byTag?.key, kind, value },
      ...{ currency, change, state },
    }));

const toStageRow = (stage: Evaluation["report"]["stages"][number]) => {
  const [org, project, workspace] = [stage.org, stage.project, stage.workspace].map(toIndexText);
  return { org, project, workspace, name: stage.name };
};

function decideFindingEffect(finding: Finding): RuleEffect {
  const { outcome, waiver, approved, objections } = finding;
  const isCovered = outcome === "violated" && objections === undefined;
  if (isCovered && waiver !== null) return "waived";
  if (isCovered && approved) return "approved";
  const effect = decideEffect(finding);
  if (effect === "pass") return outcome === "not_applicable" ? "not_applicable" : "passed";
  return ({ block: "blocked", undecided: "undecided", warn: "warned" } as const)[effect];
}

/** Worst first: the effect of a rule is the worst effect of its findings. */
const EFFECTS: readonly RuleEffect[] = [
  "blocked",
  "undecided",
  "approved",
  "waived",
  "warned",
  "passed",
  "not_applicable",
];

function listRuleEffects(findings: readonly Finding[]) {
  return [...Map.groupBy(findings, ({ rule }) => rule)].map(([rule, own]) => {
    const effects = new Set(own.map(decideFindingEffect));
    return {
      rule,
      enforce: own.some(({ enforce }) => enforce === "block") ? ("block" as const) : ("warn" as const),
      effect: EFFECTS.find((effect) => effects.has(effect)) ?? "passed",
      violated: own.some(({ outcome }) => outcome === "violated"),
    };
  });
}

/**
 * Ends the rules that block a pull request when it is closed. `merged`: it was merged although they blocked, so they were
 * overridden. A repetition changes nothing.
 */
export async function closeRuleOutcomes(
  db: Db,
  pull: PullKey,
  { as, at }: { readonly as: "merged" | "closed"; readonly at: Date },
): Promise<void> {
  await db
    .updateTable("rule_outcomes")
    .set({ resolved_at: at, resolution: as })
    .where(isOf(pull))
    .where("resolved_at", "is", null)
    .where("effect", "in", ["blocked", "undecided"])
    .execute();
}

/** Counted up when `savePolicy` stores more of a policy than before: then each policy in force is stored again. */
const POLICY_VERSION = 1;

/** Saves the parts of a policy that pages show, by the joined blobs of its files. */
export async function savePolicy(
  db: Db,
  { policyBlobs, policy }: { readonly policyBlobs: string; readonly policy: Policy },
  now: Date,
): Promise<void> {
  const { waivers, stages, organisationStages } = policy;
  const rules = policy.rules.map(({ id, limit, per, scope, enforce, mandatory }) => {
    return { id, limit, per, scope, enforce, mandatory };
  });
  const written = storedPolicy.write({ rules, waivers, stages, organisationStages });
  const row = { policy_blobs: policyBlobs, version: POLICY_VERSION, policy: written, saved_at: now };
  await upsert(db, "policies", row);
}
