import type { ExpressionBuilder, Kysely, Selectable } from "kysely";
import { type ExecutionKey, pickExecutionKey, pickStageKey, type StageKey } from "../../area/keys.ts";
import type { ExecutionTables } from "./tables.ts";

/** Records that a stage was executed for a commit; recording it again has no effect. */
export async function bindCommit(
  db: Kysely<ExecutionTables>,
  row: Selectable<ExecutionTables["platform_commits"]>,
): Promise<void> {
  await db
    .insertInto("platform_commits")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes what binds any stage of an execution to these commits of a repository. False: nothing does. */
export async function deleteCommits(
  db: Kysely<ExecutionTables>,
  key: ExecutionKey,
  { shas, ...repository }: RecordedRepository & { readonly shas: readonly string[] },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("platform_commits")
    .where((eb) => eb.and(pickExecutionKey(key)))
    .where("sha", "in", shas)
    .where((eb) => isOfRepository(eb, repository))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

interface RecordedRepository {
  /** GitHub's numeric id. */
  readonly repositoryId: number;
  /** `owner/name`. */
  readonly repository: string;
}

/**
 * A record belongs to a repository if its token was bound to that repository's id, or was a token of the whole account and the record names
 * the repository (case-insensitively).
 */
const isOfRepository = (
  eb: ExpressionBuilder<ExecutionTables, "platform_commits">,
  { repositoryId, repository }: RecordedRepository,
) =>
  eb.or([
    eb("repository_id", "=", repositoryId),
    eb.and([eb("repository_id", "is", null), eb("repository", "=", repository.toLowerCase())]),
  ]);

export interface CommitExecutionRow {
  readonly org: string;
  readonly project: string;
  readonly pipelineExecutionId: string;
}

/** Returns the executions for a commit of a repository, from audit events and ingestion. */
export async function findExecutionsByCommit(
  db: Kysely<ExecutionTables>,
  commit: RecordedRepository & { readonly account: string; readonly sha: string },
): Promise<CommitExecutionRow[]> {
  const rows = await db
    .selectFrom("platform_commits")
    .select(["org", "project", "pipeline_execution_id"])
    .distinct()
    .where("account", "=", commit.account)
    .where("sha", "=", commit.sha.toLowerCase())
    .where((eb) => isOfRepository(eb, commit))
    .orderBy("org")
    .orderBy("project")
    .orderBy("pipeline_execution_id")
    .execute();
  return rows.map(({ org, project, pipeline_execution_id }) => ({
    org,
    project,
    pipelineExecutionId: pipeline_execution_id,
  }));
}

/** Returns the commits that a stage is bound to. */
export function listCommits(
  db: Kysely<ExecutionTables>,
  key: StageKey,
): Promise<Selectable<ExecutionTables["platform_commits"]>[]> {
  return db
    .selectFrom("platform_commits")
    .selectAll()
    .where((eb) => eb.and(pickStageKey(key)))
    .orderBy("created_ms")
    .execute();
}
