import type { Token } from "../../store/tokens.ts";
import type { Context } from "../area/deps.ts";
import type { ExecutionKey } from "../area/keys.ts";
import type { Problem } from "../area/problem.ts";
import { checkCommit } from "../http/access.ts";
import { listExecutionCommits } from "./store/commits.ts";
import type { ExecutionTables } from "./store/tables.ts";

/** Why the token may not write to an execution: it is bound to a commit, and the execution belongs to another one. */
export async function checkExecutionCommit(
  { db, token }: Pick<Context<ExecutionTables>, "db" | "token">,
  execution: ExecutionKey,
): Promise<Problem<"forbidden"> | null> {
  if (token.headSha === null) return null;
  for (const sha of await listExecutionCommits(db, execution)) {
    const refused = checkCommit(token, sha);
    if (refused !== null) return refused;
  }
  return null;
}

/** Returns the repository that a token is bound to; null: it is a token of the whole account. */
export const getWriterId = (token: Token): number | null =>
  token.purpose === "api" ? null : token.repositoryId;

/** Notifies the bot of executions of commits, one after the other. */
export async function announce(
  context: Context<ExecutionTables>,
  commits: readonly (ExecutionKey & {
    readonly repository: string;
    readonly repository_id: number | null;
    readonly sha: string;
  })[],
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
