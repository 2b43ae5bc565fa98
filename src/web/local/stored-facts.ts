import type { Kysely } from "kysely";
import { z } from "zod";
import type { ValueOf } from "../../kernel/schemas.ts";
import { Evaluation } from "../../policy/model/evaluation.ts";
import { collectRecentNames, RecentNames } from "../../policy/recent-names.ts";
import { LimitSuggestions } from "../../policy/suggest.ts";
import { listDeferred } from "../../report/model/report.ts";
import { type AuditExportLine, readAuditLines } from "../../store/audit/chain.ts";
import { findEvaluation, listNewestEvaluations } from "../../store/evaluations.ts";
import { findLastDays } from "../../store/history/merged-changes.ts";
import { suggestFromHistory } from "../../store/history/pull-history.ts";
import { findRepositoryByName, listEvaluatedRepositories } from "../../store/repositories.ts";
import { listResolvedNames, ResolvedName } from "../../store/resolved-names.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { createRefusalError, LOCAL_PATH, type LocalOperation } from "./operation.ts";

/** Returns the names of the operator's file that were resolved, with the ids in force. */
export const READ_RESOLVED_NAMES: LocalOperation<object, { readonly names: readonly ResolvedName[] }> = {
  path: `${LOCAL_PATH}/read-resolved-names`,
  input: z.strictObject({}),
  output: z.object({ names: z.array(ResolvedName) }),
  perform: async ({ db }) => ({ names: await listResolvedNames(db) }),
};

/** `owner/name`, or GitHub's numeric id. */
const RepositoryName = z.string();

const AuditRequest = z.strictObject({
  /** Null: every repository. */
  repository: RepositoryName.nullable(),
  /** Start (inclusive) and end (exclusive), ms since 1970. */
  fromMs: z.int().nullable(),
  toMs: z.int().nullable(),
});
export type AuditRequest = Readonly<z.infer<typeof AuditRequest>>;

/** Returns the current chain of decisions, then its head. The first read happens at the first line; a route sends lines of JSON. */
export const READ_AUDIT: Omit<LocalOperation<AuditRequest, AsyncGenerator<AuditExportLine>>, "output"> = {
  path: `${LOCAL_PATH}/read-audit`,
  input: AuditRequest,
  perform: async ({ db }, { repository, ...time }) => {
    const repositoryId = repository === null ? null : await resolveRepositoryId(db, repository);
    if (repositoryId !== undefined) return readAuditLines(db, { repositoryId, ...time });
    throw createRefusalError(
      `no repository ${JSON.stringify(repository)} is known here`,
      "Give owner/name as it is on GitHub now, or GitHub's numeric id of the repository.",
    );
  },
};

const PullName = z.strictObject({ repository: RepositoryName, number: z.int().positive() });
export type PullName = Readonly<z.infer<typeof PullName>>;

const Shape = Evaluation.pick({
  situation: true,
  check: true,
  checkName: true,
  unshared: true,
  rulePlaces: true,
}).extend({
  pull: Evaluation.shape.pull.pick({ repository: true, number: true, headSha: true }),
  /** Addresses that its plans leave to a later one. */
  deferred: z.array(z.string()),
});

/** The part of an evaluation that an explanation reads. */
export type ExplainableEvaluation = ValueOf<typeof Shape>;

/** Returns the newest evaluation of a pull request. */
export const READ_EVALUATION: LocalOperation<PullName, ExplainableEvaluation> = {
  path: `${LOCAL_PATH}/read-evaluation`,
  input: PullName,
  /** Accepts an answer unchanged, with its members in order, so that it prints like the stored one. */
  output: z.custom<ExplainableEvaluation>((answer) => Shape.safeParse(answer).success),
  perform: async ({ db }, { repository, number }) => {
    const repositoryId = await resolveRepositoryId(db, repository);
    const stored = repositoryId === undefined ? null : await findEvaluation(db, { repositoryId, number });
    if (stored === null) {
      const what =
        repositoryId === undefined ? `the repository ${repository}` : `#${number} of ${repository}`;
      throw createRefusalError(
        `No evaluation of ${what} is stored here`,
        "Name a pull request that Tollgate has evaluated, and run this where its database is.",
      );
    }
    const { pull, situation, check, checkName, unshared, report, rulePlaces } = stored.evaluation;
    return {
      pull: { repository: pull.repository, number: pull.number, headSha: pull.headSha },
      ...{ situation, check, checkName, deferred: listDeferred(report) },
      ...(unshared && { unshared }),
      ...(rulePlaces && { rulePlaces }),
    };
  },
};

/** Names that occur in the recent pull requests of a repository. */
const RepositoryNames = RecentNames.extend({
  /** `owner/name`, or the name in the request. */
  repository: z.string(),
});
export type RepositoryNames = ValueOf<typeof RepositoryNames>;

const NamesRequest = z.strictObject({
  /** Null: the only evaluated repository. */
  repository: RepositoryName.nullable(),
});

/** Returns names of recent pull requests, and no figure. */
export const READ_RECENT_NAMES: LocalOperation<z.infer<typeof NamesRequest>, RepositoryNames> = {
  path: `${LOCAL_PATH}/read-recent-names`,
  input: NamesRequest,
  output: RepositoryNames,
  perform: async ({ db }, { repository }) => {
    const repositoryId = await requireRepositoryId(db, repository);
    const evaluations = await listNewestEvaluations(db, { repositoryId });
    const label = evaluations[0]?.pull.repository ?? repository ?? String(repositoryId);
    return { repository: label, ...collectRecentNames(evaluations) };
  },
};

const SuggestionRequest = NamesRequest.extend({ days: z.int().min(1).max(3_650) });

/** Returns the limits that the pull requests of the last days suggest. */
export const SUGGEST_LIMITS: LocalOperation<z.infer<typeof SuggestionRequest>, LimitSuggestions> = {
  path: `${LOCAL_PATH}/suggest-limits`,
  input: SuggestionRequest,
  output: LimitSuggestions,
  perform: async ({ db, clock }, { repository, days }) => {
    const repositoryId = await requireRepositoryId(db, repository);
    return suggestFromHistory(db, repositoryId, findLastDays(days, clock.now()));
  },
};

/** Null: the only evaluated repository. */
async function requireRepositoryId(db: Kysely<Tables>, repository: string | null): Promise<number> {
  const found = await (repository === null ? findOnlyRepository(db) : resolveRepositoryId(db, repository));
  if (found !== undefined) return found;
  throw createRefusalError(
    repository === null
      ? "There is not exactly one repository here"
      : `The repository ${repository} is not known here`,
    "Name a repository that has Tollgate installed, as owner/name or by GitHub's numeric id, and run this where its database is.",
  );
}

async function findOnlyRepository(db: Kysely<Tables>): Promise<number | undefined> {
  const [only, ...others] = await listEvaluatedRepositories(db, 2);
  return others.length === 0 ? only : undefined;
}

/** Returns GitHub's id of `owner/name`. Stored data outlives its repository, so a number is returned unchecked. */
async function resolveRepositoryId(db: Kysely<Tables>, repository: string): Promise<number | undefined> {
  if (/^[1-9]\d{0,15}$/.test(repository)) return Number(repository);
  return (await findRepositoryByName(db, repository))?.repository_id;
}
