import { type ExpressionBuilder, sql } from "kysely";
import { has, insertNew } from "../../store/database/statements.ts";
import type { Token } from "../../store/tokens.ts";
import type { Context } from "../area/area.ts";
import { refuse } from "../area/problem.ts";
import { checkProject } from "../http/access.ts";
import { type ExecutionKey, pickExecutionKey, pickStageKey, type StageKey } from "../tables/keys.ts";
import type { AllTables, Db, Row } from "../tables/tables.ts";
import { listStages } from "./stages.ts";

type CommitRow = Row<"platform_commits">;

/**
 * Refuses a token that may not write to an execution, or bind it to the commit `sha`. The token of a CI job writes data of its
 * own head only, to executions that jobs of this head created. @throws Refusal
 */
export async function checkExecution(
  { db, token }: Pick<Context, "db" | "token">,
  execution: ExecutionKey,
  sha: string | null = token.headSha,
): Promise<void> {
  checkProject(token, execution);
  if (token.headSha === null) return;
  const heads = (await listStages(db, execution)).map(({ head_sha }) => head_sha);
  if (![sha, ...heads].every((one) => one === token.headSha))
    refuse("forbidden", `the token of this CI job is bound to the commit ${token.headSha}`);
}

/** Returns the repository that a token is bound to; null: it is a token of the whole account. */
export const getWriterId = (token: Token): number | null =>
  token.purpose === "api" ? null : token.repositoryId;

/** Notifies the bot of executions of commits, one after the other. */
export async function announce(
  context: Context,
  commits: readonly Omit<CommitRow, "source" | "created_ms">[],
): Promise<void> {
  for (const { account, repository, repository_id, sha, org, project, pipeline_execution_id } of commits)
    await context.onIngest({
      account,
      repositoryId: repository_id,
      repository,
      sha,
      org,
      project,
      executionId: pipeline_execution_id,
    });
}

/** Records that a stage was executed for a commit; recording it again has no effect. */
export async function bindCommit(db: Db, row: CommitRow): Promise<void> {
  await insertNew(db, "platform_commits", row);
}

/** Returns the commits that a stage is bound to. */
export const listCommits = (db: Db, key: StageKey): Promise<CommitRow[]> =>
  db
    .selectFrom("platform_commits")
    .selectAll()
    .where(has(pickStageKey(key)))
    .orderBy("created_ms")
    .execute();

/**
 * Returns the commits that an execution is bound to, the first recorded one first: each with its repository, and the name of the token that sent
 * its audit event; null: it has none, or was deleted. A commit of a repository that is not known is left out.
 */
export const listExecutionCommits = (db: Db, key: ExecutionKey) =>
  db
    .selectFrom("platform_commits as own")
    .innerJoin("repositories", (join) => join.on(OWN_REPOSITORY))
    .leftJoin("platform_audit_events as event", (join) => join.on(OWN_EVENT))
    .leftJoin("tokens", "tokens.id", "event.token_id")
    .selectAll("repositories")
    .select(["own.sha", "tokens.name as writer"])
    .where(sql<boolean>`(own.account, own.org, own.project, own.pipeline_execution_id)
      = (${key.account}, ${key.org}, ${key.project}, ${key.pipeline_execution_id})`)
    .orderBy("own.created_ms")
    .execute();

const OWN_REPOSITORY = sql<boolean>`case when own.repository_id is null
  then own.repository = lower(repositories.owner_login || '/' || repositories.name)
  else own.repository_id = repositories.repository_id end`;
const OWN_EVENT = sql<boolean>`(event.account, event.org, event.project, event.pipeline_execution_id, lower(event.hash))
  = (own.account, own.org, own.project, own.pipeline_execution_id, own.sha)`;

interface RecordedRepository {
  readonly repositoryId: number;
  readonly repository: string;
}

/** Deletes what binds any stage of an execution to these commits of a repository. False: nothing does. */
export async function deleteCommits(
  db: Db,
  key: ExecutionKey,
  { shas, ...repository }: RecordedRepository & { readonly shas: readonly string[] },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("platform_commits")
    .where(has(pickExecutionKey(key)))
    .where("sha", "in", shas)
    .where((eb) => isOfRepository(eb, repository))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Returns the executions for a commit of a repository, from audit events and ingestion. */
export const findExecutionsByCommit = (
  db: Db,
  commit: RecordedRepository & { readonly account: string; readonly sha: string },
) =>
  db
    .selectFrom("platform_commits")
    .select(["org", "project", "pipeline_execution_id as executionId"])
    .distinct()
    .where(has({ account: commit.account, sha: commit.sha.toLowerCase() }))
    .where((eb) => isOfRepository(eb, commit))
    .orderBy("org")
    .orderBy("project")
    .orderBy("pipeline_execution_id")
    .execute();

/**
 * A record belongs to a repository if its token was bound to that repository's id, or was a token of the whole account and the record names
 * the repository (case-insensitively).
 */
const isOfRepository = (
  eb: ExpressionBuilder<AllTables, "platform_commits">,
  { repositoryId, repository }: RecordedRepository,
) =>
  eb.or([
    eb("repository_id", "=", repositoryId),
    eb.and([eb("repository_id", "is", null), eb("repository", "=", repository.toLowerCase())]),
  ]);
