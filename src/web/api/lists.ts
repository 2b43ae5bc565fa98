import { z } from "zod";
import { instant, parseInstant } from "../../kernel/instant.ts";
import { getPerson, listRules, readRecord } from "../../store/audit/decision-record.ts";
import { DECISION_KINDS, type ListedDecision, listDecisions } from "../../store/audit/decisions.ts";
import { listOpenPullsAfter, type OpenPull } from "../../store/history/open-pulls.ts";
import { PULL_OUTCOMES } from "../../store/history/pull-history.ts";
import { listRuleStatistics } from "../../store/history/rule-outcomes.ts";
import { listInstalledRepositories } from "../../store/installations.ts";
import { formatPullPath, formatRepositoryPath } from "../page/address.ts";
import { decideOutcome } from "../pages/decisions/decision-view.ts";
import { defineOperation } from "./operation.ts";
import { findScope, SCOPE } from "./scope.ts";
import { DecisionShape, PullShape, RepositoryShape, RuleShape } from "./shapes.ts";

const MAX_LIMIT = 100;
const LIMIT = {
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(50).meta({ description: "Rows of a page." }),
};
const NO_PATH = z.object({});

export const listRepositories = defineOperation({
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

export const listPulls = defineOperation({
  id: "listPulls",
  path: "/api/v1/pulls",
  summary: "Open pull requests with their newest evaluation",
  pathShape: NO_PATH,
  queryShape: z.strictObject({
    ...SCOPE,
    outcome: z.enum(PULL_OUTCOMES).optional(),
    author: z.string().max(100).optional(),
    stage: z
      .string()
      .max(200)
      .optional()
      .meta({ description: "Name of a stage or workspace that it changes." }),
    approver: z.string().max(200).optional().meta({ description: "Whose approval is missing." }),
    text: z
      .string()
      .max(200)
      .optional()
      .meta({ description: "A part of title, repository, author or number." }),
    after: z
      .string()
      .regex(/^\d{1,15}-\d{1,9}$/)
      .optional()
      .meta({ description: "From the `Link` to the next page." }),
    ...LIMIT,
  }),
  answerShape: z.array(PullShape),
  isPaged: true,
  answer: async (deps, reader, { limit, after, outcome, author, stage, approver, text, ...scope }) => {
    const repositoryIds = await findScope(deps, reader, scope);
    if (repositoryIds === null) return null;
    const [repositoryId = 0, number = 0] = (after ?? "").split("-").map(Number);
    const conditions = Object.entries({ author, stage, approver, text }).filter(
      ([, value]) => value !== undefined,
    );
    const pulls = await listOpenPullsAfter(
      deps.db,
      {
        repositoryIds,
        ...Object.fromEntries(conditions),
        ...(outcome !== undefined && { outcomes: [outcome] }),
      },
      { after: after === undefined ? null : { repositoryId, number }, limit: limit + 1 },
    );
    const shown = pulls.slice(0, limit);
    const last = shown.at(-1);
    return {
      body: shown.map((pull) => describePull(pull, deps.publicUrl)),
      next:
        pulls.length > limit && last !== undefined ? { after: `${last.repositoryId}-${last.number}` } : null,
    };
  },
});

const describePull = (pull: OpenPull, publicUrl: string) => ({
  repository: pull.repository,
  number: pull.number,
  url: publicUrl + formatPullPath(pull.repository, pull.number),
  title: pull.title,
  author: pull.author,
  draft: pull.isDraft,
  base: pull.baseRef,
  head_sha: pull.headSha,
  opened_at: pull.openedAt?.toISOString() ?? null,
  outcome: pull.outcome,
  evaluation: pull.evaluationId,
  evaluated_at: pull.evaluatedAt?.toISOString() ?? null,
  costs: [...pull.totals],
  waiting_for: [...pull.waitingFor],
});

const DAY_MS = 86_400_000;

export const listRuleOutcomes = defineOperation({
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
    const nowMs = deps.clock.now();
    const span = { from: new Date(nowMs - days * DAY_MS), to: new Date(nowMs + DAY_MS) };
    const rules = await listRuleStatistics(deps.db, ids, span);
    return {
      body: rules.map(
        ({ rule, enforce, medianResolutionMs: median, concerned, notApplicable, ...counts }) => ({
          ...{ rule, enforce, not_applicable: notApplicable },
          ...{ repositories: counts.repositories, pulls: counts.pulls, evaluations: counts.evaluations },
          ...{ violated: counts.violated, blocked: counts.blocked, undecided: counts.undecided },
          ...{ approved: counts.approved, waived: counts.waived, overridden: counts.overridden },
          open: counts.open,
          median_resolution_seconds: median === null ? null : Math.round(median / 1_000),
          concerned: [...concerned],
        }),
      ),
    };
  },
});

export const listDecided = defineOperation({
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
    return { body: decisions.map(describeDecision), next: next === null ? null : { before: next } };
  },
});

function describeDecision({ id, atMs, kind, repository, number, headSha, hash, ...row }: ListedDecision) {
  const record = readRecord(row.record);
  const upTo = row.figures && record?.kind === "approval" ? record.upTo : null;
  return {
    ...{ record: id, at: new Date(atMs).toISOString(), kind, repository, number, head_sha: headSha },
    base: record?.baseRef ?? null,
    outcome: record === null ? null : decideOutcome(record),
    person: record === null ? null : getPerson(record),
    rules: record === null ? [] : [...listRules(record)],
    reason: record !== null && "reason" in record ? record.reason : null,
    up_to: upTo,
    hash,
  };
}
