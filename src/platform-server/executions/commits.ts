import type { Token } from "../../store/tokens.ts";
import type { Context } from "../area/deps.ts";
import type { ExecutionKey } from "../area/keys.ts";
import type { ExecutionTables } from "./store/tables.ts";

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
  for (const { repository, repository_id, sha, org, project, pipeline_execution_id } of commits)
    await context.onIngest({
      repositoryId: repository_id,
      repository,
      sha,
      org,
      project,
      executionId: pipeline_execution_id,
    });
}
