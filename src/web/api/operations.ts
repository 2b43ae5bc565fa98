import { z } from "zod";
import { instant, parseInstant } from "../../kernel/instant.ts";
import { ApplyResult, Tolerance } from "../../policy/model/apply.ts";
import { listApplies } from "../../store/after-merge/applies.ts";
import { DECISION_KINDS, listDecisions } from "../../store/audit/decisions.ts";
import { formatDecision } from "../../store/evaluations.ts";
import { findLastDays } from "../../store/history/merged-changes.ts";
import { listMergedPulls } from "../../store/history/merged-pulls.ts";
import { listOpenPullsAfter, type OpenPull } from "../../store/history/open-pulls.ts";
import {
  findPullEvaluation,
  listTimeline,
  PULL_OUTCOMES,
  type PullEvaluation,
} from "../../store/history/pull-history.ts";
import { readRuleStatistics } from "../../store/history/rule-outcomes.ts";
import { listInstalledRepositories } from "../../store/installations.ts";
import { findPull } from "../../store/pulls.ts";
import { MERGE_WAYS } from "../../store/tables/after-merge.ts";
import { formatPullPath, formatRepositoryPath } from "../page/address.ts";
import { describeDecision } from "../pages/decisions/decision-view.ts";
import {
  findDayProblem,
  MERGED_FILTER_NAMES,
  MERGED_FILTERS,
  type MergedQuery,
  toMergedFilter,
} from "../pages/merged/filter.ts";
import { findReadableRepository } from "../pages/scope.ts";
import { parseTagChoice } from "../pages/tag-choice.ts";
import type { Reader } from "../reader.ts";
import { type ApiDeps, defineOperation, type Operation } from "./operation.ts";

const Text = z.string();
const MaybeText = z.string().nullable();
const Time = z.string().meta({ format: "date-time" });
const Amount = z
  .string()
  .meta({ description: "An exact decimal number in plain notation, per month.", examples: ["1234.5"] });
const Count = z.int().nonnegative();

/** A cost in one currency. Null: unknown, which is never zero. */
const Cost = z.object({
  currency: Text,
  before: Amount.nullable(),
  after: Amount.nullable(),
  change: Amount.nullable(),
  state: Text.meta({ description: "`known`, or why the amounts are not certain." }),
});
const Costs = z.array(Cost).meta({
  description: "One per currency; empty where figures are hidden or unknown. Currencies are never added.",
});

const Tag = z.object({
  key: Text,
  kind: z.enum(["value", "untagged", "unknown", "unattributed"]).meta({
    description: "`untagged`: without the tag; `unattributed`: beyond the resources that the estimate lists.",
  }),
  value: MaybeText,
});

const RepositoryShape = z.object({ id: z.int(), repository: Text, url: Text });

const NAMED_PULL = {
  repository: Text,
  number: z.int(),
  url: Text.meta({ description: "The page of the pull request." }),
  title: MaybeText,
  author: MaybeText,
};

const PullShape = z.object({
  ...NAMED_PULL,
  draft: z.boolean().nullable(),
  base: Text,
  head_sha: Text,
  opened_at: Time.nullable(),
  outcome: z.enum(PULL_OUTCOMES),
  evaluation: z.int().nullable(),
  evaluated_at: Time.nullable(),
  costs: Costs,
  tags: z.array(z.object({ ...Tag.shape, currency: Text, change: Amount.nullable(), state: Text })).meta({
    description:
      "What it changes of the cost by tag, the largest 200 changes; empty where figures are hidden.",
  }),
  waiting_for: z
    .array(Text)
    .meta({ description: "Logins, and teams as `acme/finops`, whose approval is missing." }),
});

const MergedPullShape = z.object({
  ...NAMED_PULL,
  merged_by: MaybeText,
  merged_at: Time,
  verdict: MaybeText.meta({ description: "Of the merged head; null: it had none." }),
  how: z.enum(MERGE_WAYS).meta({ description: "How it got through." }),
  consents: z
    .array(z.object({ login: Text, amount: Amount.nullable(), currency: MaybeText }))
    .meta({ description: "Who approved it, up to which amount, or overrode its check." }),
  cost: z.enum(["known", "unknown", "none", "hidden"]).meta({
    description:
      "Whether its monthly change is known. `unknown`: at least a part is not. `hidden`: readers may not see figures; then the lists below are empty.",
  }),
  changes: z
    .array(z.object({ currency: Text, change: Amount }))
    .meta({ description: "The known monthly change, one per currency. Currencies are never added." }),
  tags: z.array(Tag.omit({ key: true })),
  stages: z.array(Text),
  modules: z.array(Text),
});

const EvaluationShape = z.object({
  id: z.int(),
  head_sha: Text,
  base: Text,
  begun_at: Time,
  ended_at: Time.nullable().meta({
    description: "When another evaluation followed; null: it is the newest.",
  }),
  check: Text.meta({ description: "Conclusion of the check, `in_progress`, or `none`." }),
  situation: Text,
  verdict: MaybeText,
  costs: Costs,
  rules: z.array(z.object({ rule: Text, effect: Text })),
});

const Finding = z.object({
  rule: Text,
  outcome: z.enum(["passed", "violated", "undecided", "not_applicable"]),
  enforce: z.enum(["block", "warn"]),
  subject: MaybeText,
  measured: z.object({ amount: Amount, currency: Text }).nullable().meta({
    description: "The amount that the rule measured; null: it measures none, or figures are hidden.",
  }),
  approved: z.boolean(),
  waived: z.boolean(),
});

const EvaluationDetailShape = EvaluationShape.omit({ rules: true }).extend({
  repository: Text,
  number: z.int(),
  url: Text,
  evaluated_at: Time,
  figures: z.boolean().meta({ description: "False: readers of this repository may not see amounts." }),
  stages: z.array(z.object({ name: Text, workspace: Text, org: Text, project: Text, costs: Costs })),
  tags: z.array(z.object({ ...Tag.shape, ...Cost.shape })).meta({
    description: "The cost by the tag of `report.by_tag`; empty where there is none or figures are hidden.",
  }),
  findings: z.array(Finding),
});

const ApplyShape = z.object({
  at: Time,
  sha: Text,
  workspace: Text,
  actor: Text.meta({ description: "The token or the CI job that asked." }),
  pulls: z.array(z.int()).meta({ description: "Pull requests whose evaluations were compared." }),
  tolerance: Tolerance.nullable().meta({ description: "Null also where figures are hidden." }),
  result: ApplyResult,
});

const RuleShape = z.object({
  rule: Text,
  enforce: z.enum(["block", "warn"]),
  repositories: Count,
  pulls: Count,
  evaluations: Count,
  not_applicable: Count,
  violated: Count,
  warned: Count,
  blocked: Count,
  undecided: Count,
  approved: Count,
  waived: Count,
  overridden: Count,
  open: Count,
  median_resolution_seconds: z.number().nonnegative().nullable(),
  prevented: z
    .object({
      amounts: z.array(z.object({ currency: Text, change: Amount, pulls: Count })),
      unknown: Count,
      hidden: Count,
    })
    .meta({
      description:
        "Of closed pull requests: the largest change while the rule blocked, minus what was merged, where that is positive. `unknown`: pull requests with an unknown part; `hidden`: those whose figures are hidden.",
    }),
});

const DecisionShape = z.object({
  record: z.uuid().meta({ description: "Identifies it." }),
  at: Time,
  kind: Text,
  repository: Text,
  number: z.int(),
  head_sha: Text,
  base: MaybeText,
  outcome: MaybeText,
  person: MaybeText,
  rules: z.array(Text),
  reason: MaybeText,
  up_to: z.object({ amount: Amount, currency: Text }).nullable(),
  hash: MaybeText.meta({ description: "Null: figures are hidden, and an amount could be guessed from it." }),
});

/** Members of a query that choose repositories; without either: all that the reader can read. */
const SCOPE = {
  owner: z.string().max(100).optional().meta({ description: "Only repositories of this account." }),
  repository: z
    .string()
    .regex(/^[^/]+\/[^/]+$/)
    .max(200)
    .optional()
    .meta({ description: "Only this repository, as `owner/name`." }),
};

const MAX_LIMIT = 100;
const LIMIT = {
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(50).meta({ description: "Rows of a page." }),
};
const NO_PATH = z.object({});
const SEARCHED = z.string().max(200).optional();

const listRepositories = defineOperation({
  id: "listRepositories",
  path: "/api/v1/repositories",
  summary: "Repositories with Tollgate that you can read",
  pathShape: NO_PATH,
  queryShape: z.strictObject({ owner: SCOPE.owner }),
  answerShape: z.array(RepositoryShape),
  isPaged: false,
  answer: async ({ db, publicUrl }, reader, { owner }) => {
    const found = await listInstalledRepositories(db, await reader.listReadable(), owner);
    return {
      body: found.map(({ repositoryId, owner: login, name }) => ({
        id: repositoryId,
        repository: `${login}/${name}`,
        url: publicUrl + formatRepositoryPath(`${login}/${name}`),
      })),
    };
  },
});

const listPulls = defineOperation({
  id: "listPulls",
  path: "/api/v1/pulls",
  summary:
    "Open pull requests with their newest evaluation, or merged ones with `state=merged`, the newest first",
  pathShape: NO_PATH,
  queryShape: z
    .strictObject({
      ...{ ...SCOPE, ...MERGED_FILTERS },
      state: z.enum(["open", "merged"]).default("open"),
      outcome: z.enum(PULL_OUTCOMES).optional(),
      approver: SEARCHED.meta({ description: "Whose approval is missing." }),
      text: SEARCHED.meta({ description: "A part of title, repository, author or number." }),
      after: z
        .string()
        .regex(/^(\d{1,15}-)?\d{1,15}-\d{1,9}$/)
        .optional()
        .meta({ description: "From the `Link` to the next page." }),
      ...LIMIT,
    })
    .superRefine((query, context) => {
      const others = query.state === "merged" ? OF_OPEN : OF_MERGED;
      for (const name of others)
        if (query[name] !== undefined)
          context.addIssue({ code: "custom", path: [name], message: `is no filter of state=${query.state}` });
      const problem = findDayProblem(query);
      if (problem !== null)
        context.addIssue({ code: "custom", path: [problem.names[0] ?? "period"], message: problem.text });
      if ((query.after?.split("-").length ?? 0) === (query.state === "merged" ? 2 : 3))
        context.addIssue({ code: "custom", path: ["after"], message: "is of another state" });
    }),
  answerShape: z.array(z.union([PullShape, MergedPullShape])),
  isPaged: true,
  answer: async (deps, reader, { state, ...query }) => {
    const repositoryIds = await findScope(deps, reader, query);
    if (repositoryIds === null) return null;
    if (state === "merged") return listMerged(deps, repositoryIds, query);
    const { limit, after, outcome, author, stage, tag, approver, text } = query;
    const [repositoryId = 0, number = 0] = (after ?? "").split("-").map(Number);
    const given = Object.entries({ author, stage, approver, text }).filter(([, one]) => one !== undefined);
    const pulls = await listOpenPullsAfter(
      deps.db,
      {
        repositoryIds,
        ...Object.fromEntries(given),
        ...(outcome !== undefined && { outcomes: [outcome] }),
        ...(tag !== undefined && { tag: parseTagChoice(tag) }),
      },
      { after: after === undefined ? null : { repositoryId, number }, limit: limit + 1 },
    );
    return cutPage(pulls, limit, {
      describe: (pull) => describePull(pull, deps.publicUrl),
      next: (last) => ({ after: `${last.repositoryId}-${last.number}` }),
    });
  },
});

/** Filters of one state only. */
const OF_OPEN = ["outcome", "approver"] as const;
const OF_MERGED = MERGED_FILTER_NAMES.filter((name) => !["author", "stage", "tag", "text"].includes(name));

async function listMerged(
  deps: ApiDeps,
  repositoryIds: readonly number[],
  { limit, after, ...query }: MergedQuery & { readonly limit: number; readonly after?: string | undefined },
) {
  const filter = toMergedFilter(query, repositoryIds, deps);
  const [mergedMs = 0, repositoryId = 0, number = 0] = (after ?? "").split("-").map(Number);
  const page = { after: after === undefined ? null : { mergedMs, repositoryId, number }, limit: limit + 1 };
  return cutPage(await listMergedPulls(deps.db, filter, page), limit, {
    describe: ({ figures, ...pull }) => ({
      ...pull,
      url: deps.publicUrl + formatPullPath(pull.repository, pull.number),
      merged_by: pull.mergedBy,
      merged_at: pull.mergedAt.toISOString(),
      how: pull.way,
      cost: figures ? pull.cost : ("hidden" as const),
      changes: pull.totals,
      consents: pull.consents.map(({ login, upTo }) => ({ amount: null, currency: null, login, ...upTo })),
    }),
    next: (last) => ({ after: `${last.mergedAt.getTime()}-${last.repositoryId}-${last.number}` }),
  });
}

/** Cuts a page out of rows of which one more than its `limit` was read. */
function cutPage<Row, Described>(
  rows: readonly Row[],
  limit: number,
  { describe, next }: { describe: (row: Row) => Described; next: (last: Row) => Record<string, string> },
) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    body: shown.map(describe),
    next: rows.length > limit && last !== undefined ? next(last) : null,
  };
}

const describePull = (pull: OpenPull, publicUrl: string) => ({
  ...pull,
  url: publicUrl + formatPullPath(pull.repository, pull.number),
  draft: pull.isDraft,
  base: pull.baseRef,
  head_sha: pull.headSha,
  opened_at: pull.openedAt?.toISOString() ?? null,
  evaluation: pull.evaluationId,
  evaluated_at: pull.evaluatedAt?.toISOString() ?? null,
  costs: [...pull.totals],
  tags: [...pull.tags],
  waiting_for: [...pull.waitingFor],
});

const listRuleOutcomes = defineOperation({
  id: "listRules",
  path: "/api/v1/rules",
  summary: "What each rule did to pull requests",
  pathShape: NO_PATH,
  queryShape: z.strictObject({
    ...SCOPE,
    days: z.coerce
      .number()
      .int()
      .min(1)
      .max(3_650)
      .default(90)
      .meta({ description: "The last so many days." }),
  }),
  answerShape: z.array(RuleShape),
  isPaged: false,
  answer: async (deps, reader, { days, ...scope }) => {
    const ids = await findScope(deps, reader, scope);
    if (ids === null) return null;
    const span = findLastDays(days, deps.clock.now());
    const { rules } = await readRuleStatistics(deps.db, { repositoryIds: ids, span });
    return {
      body: rules.map(({ notApplicable, medianResolutionMs: median, prevented, ...rule }) => ({
        ...rule,
        not_applicable: notApplicable,
        median_resolution_seconds: median === null ? null : Math.round(median / 1_000),
        prevented: { ...prevented, amounts: [...prevented.amounts] },
      })),
    };
  },
});

const listDecided = defineOperation({
  id: "listDecisions",
  path: "/api/v1/decisions",
  summary: "Decisions of the hash chain, the newest first",
  pathShape: NO_PATH,
  queryShape: z.strictObject({
    ...SCOPE,
    kind: z.enum(DECISION_KINDS).optional(),
    person: z.string().max(100).optional(),
    rule: z.string().max(200).optional(),
    number: z.coerce.number().int().min(1).max(999_999_999).optional().meta({ description: "Pull request." }),
    from: instant.optional().meta({ description: "The first moment included." }),
    to: instant.optional().meta({ description: "The first moment excluded." }),
    before: z.uuid().optional().meta({ description: "From the `Link` to the next page." }),
    ...LIMIT,
  }),
  answerShape: z.array(DecisionShape),
  isPaged: true,
  answer: async (deps, reader, query) => {
    const repositoryIds = await findScope(deps, reader, query);
    if (repositoryIds === null) return null;
    const { kind = null, person = null, rule = null, number = null, from, to } = query;
    const time = {
      fromMs: from === undefined ? null : parseInstant(from),
      toMs: to === undefined ? null : parseInstant(to),
    };
    const filter = { repositoryIds, kind, person, rule, number, ...time };
    const { decisions, next } = await listDecisions(deps.db, filter, {
      before: query.before ?? null,
      limit: query.limit,
    });
    const described = decisions.map(describeDecision);
    return {
      body: described.map((decision) => ({ ...decision, rules: decision.rules ?? [] })),
      next: next === null ? null : { before: next },
    };
  },
});

const PATH = "/api/v1/repositories/{owner}/{name}/pulls/{number}/evaluations";
const PULL = {
  owner: z.string().max(100),
  name: z.string().max(100),
  number: z.coerce.number().int().min(1).max(999_999_999),
};

const listEvaluations = defineOperation({
  id: "listEvaluations",
  path: PATH,
  summary: "Evaluations of a pull request, the newest first",
  pathShape: z.object(PULL),
  queryShape: z.strictObject({
    before: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional().meta({
      description: "From the `Link` to the next page.",
    }),
    ...LIMIT,
  }),
  answerShape: z.array(EvaluationShape),
  isPaged: true,
  answer: async (deps, reader, { number, before, limit, ...names }) => {
    const repository = await findReadableRepository(deps, reader, names);
    if (repository === null) return null;
    const key = { repositoryId: repository.repositoryId, number };
    if ((await findPull(deps.db, key)) === undefined) return null;
    const found = await listTimeline(deps.db, key, limit + 1, before ?? null);
    return cutPage(found.toReversed(), limit, {
      describe: (one) => ({
        ...one,
        ...{ id: one.evaluationId, head_sha: one.headSha, base: one.baseRef, check: one.decision },
        begun_at: one.begunAt.toISOString(),
        ended_at: one.endedAt?.toISOString() ?? null,
        costs: [...one.totals],
        rules: [...one.rules],
      }),
      next: (last) => ({ before: String(last.evaluationId) }),
    });
  },
});

const getEvaluation = defineOperation({
  id: "getEvaluation",
  path: `${PATH}/{evaluation}`,
  summary: "One evaluation of a pull request with stages and findings",
  pathShape: z.object({
    ...PULL,
    evaluation: z
      .union([z.literal("latest"), z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)])
      .meta({ description: "The id of an evaluation, or `latest`." }),
  }),
  queryShape: z.strictObject({}),
  answerShape: EvaluationDetailShape,
  isPaged: false,
  answer: async (deps, reader, { number, evaluation, ...names }) => {
    const repository = await findReadableRepository(deps, reader, names);
    if (repository === null) return null;
    const key = { repositoryId: repository.repositoryId, number };
    const found = await findPullEvaluation(deps.db, key, evaluation === "latest" ? null : evaluation);
    if (found === null) return null;
    return { body: describeEvaluation(found, `${repository.owner}/${repository.name}`, deps.publicUrl) };
  },
});

function describeEvaluation({ stored, ...times }: PullEvaluation, repository: string, publicUrl: string) {
  const { pull, situation, check, report } = stored.evaluation;
  const verdict = "verdict" in situation ? situation.verdict : null;
  return {
    id: times.evaluationId,
    repository,
    number: pull.number,
    url: `${publicUrl}${formatPullPath(repository, pull.number)}/evaluations/${times.evaluationId}`,
    head_sha: pull.headSha,
    base: pull.baseRef,
    begun_at: times.begunAt.toISOString(),
    evaluated_at: times.evaluatedAt.toISOString(),
    ended_at: times.endedAt?.toISOString() ?? null,
    check: formatDecision(check),
    situation: situation.kind,
    verdict: verdict?.kind ?? null,
    figures: pull.figures,
    costs: pull.figures ? [...report.totals] : [],
    stages: report.stages.map((stage) => ({
      ...stage,
      costs: pull.figures && stage.currency !== null ? [{ ...stage, currency: stage.currency }] : [],
    })),
    tags: (pull.figures ? (report.byTag?.lines ?? []) : []).flatMap(({ currency, ...line }) =>
      currency === null ? [] : [{ ...line, currency, key: report.byTag?.key ?? "" }],
    ),
    findings: (verdict?.findings ?? []).map((finding) => ({
      ...finding,
      waived: finding.waiver !== null,
      measured: pull.figures && finding.measured?.kind === "money" ? finding.measured : null,
    })),
  };
}

const listPullApplies = defineOperation({
  id: "listApplies",
  path: PATH.replace(/evaluations$/, "applies"),
  summary: "What the apply gate answered about a pull request, the newest first",
  pathShape: z.object(PULL),
  queryShape: z.strictObject({}),
  answerShape: z.array(ApplyShape),
  isPaged: false,
  answer: async (deps, reader, { number, ...names }) => {
    const repository = await findReadableRepository(deps, reader, names);
    if (repository === null) return null;
    const applies = await listApplies(deps.db, { repositoryId: repository.repositoryId, number });
    return { body: applies.map(({ atMs, ...one }) => ({ ...one, at: new Date(atMs).toISOString() })) };
  },
});

/** All operations that read: routes and document have no others. */
export const OPERATIONS: readonly Operation[] = [
  listRepositories,
  listPulls,
  listEvaluations,
  getEvaluation,
  listPullApplies,
  listRuleOutcomes,
  listDecided,
];

/** Returns the ids of the repositories that a query chooses and the reader can read; null: there are none, or none may be seen. */
async function findScope(
  { db }: Pick<ApiDeps, "db">,
  reader: Reader,
  { owner, repository }: z.infer<z.ZodObject<typeof SCOPE>>,
): Promise<readonly number[] | null> {
  if (repository !== undefined) {
    const [first = "", name = ""] = repository.split("/");
    const found = await findReadableRepository({ db }, reader, { owner: first, name });
    return found === null ? null : [found.repositoryId];
  }
  const readable = await reader.listReadable();
  const installed = await listInstalledRepositories(db, readable, owner);
  if (owner !== undefined && installed.length === 0) return null;
  return installed.map(({ repositoryId }) => repositoryId);
}
