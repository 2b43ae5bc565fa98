import type { HeadState } from "../../../github/head/head-state.ts";
import { addBinding } from "../../../store/bindings.ts";
import type { JobDeps } from "../../run/deps.ts";
import type { ExecutionCandidate } from "./claims.ts";
import type { ExecutionRead } from "./executions.ts";

/**
 * Saves which executions trusted statuses and checks name on this head. GitHub shows only the newest status of a context: when an
 * older execution ends after a newer one of the same context, its status hides the newer one, which still counts.
 * `bound`: what is saved already.
 */
export async function rememberExecutions(
  { db, clock }: Pick<JobDeps, "db" | "clock">,
  { repository, pull }: Pick<HeadState, "repository" | "pull">,
  {
    reads,
    bound,
  }: { readonly reads: readonly ExecutionRead[]; readonly bound: readonly ExecutionCandidate[] },
): Promise<void> {
  const known = new Set(bound.map(identify));
  for (const { state, candidate } of reads) {
    const { org, project, executionId, source, proven } = candidate;
    if (state !== "read" || !proven || known.has(identify(candidate))) continue;
    if (source !== "status" && source !== "check") continue;
    const at = { repository_id: repository.id, head_sha: pull.headSha };
    const binding = { ...at, org, project, pipeline_execution_id: executionId, source };
    await addBinding(db, binding, new Date(clock.now()));
  }
}

const identify = ({ org, project, executionId }: ExecutionCandidate): string =>
  JSON.stringify([org, project, executionId]);
