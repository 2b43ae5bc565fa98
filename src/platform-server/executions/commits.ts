import type { Token } from "../../store/tokens.ts";
import type { Context } from "../area/deps.ts";
import type { ExecutionKey } from "../area/keys.ts";
import { createProblem, type Problem } from "../area/problem.ts";
import { checkProject } from "../http/access.ts";
import { listStages } from "./store/executions.ts";
import type { ExecutionTables } from "./store/tables.ts";

/**
 * Why the token may not write to an execution, or bind it to the commit `sha`; null when it may. The token of a CI job writes data of its
 * own head only, to executions that jobs of this head created.
 */
export async function checkExecution(
  { db, token }: Pick<Context<ExecutionTables>, "db" | "token">,
  execution: ExecutionKey,
  sha: string | null = token.headSha,
): Promise<Problem<"forbidden"> | null> {
  const refused = checkProject(token, execution);
  if (refused !== null || token.headSha === null) return refused;
  const heads = (await listStages(db, execution)).map(({ head_sha }) => head_sha);
  return [sha, ...heads].every((one) => one === token.headSha)
    ? null
    : createProblem("forbidden", `the token of this CI job is bound to the commit ${token.headSha}`);
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
