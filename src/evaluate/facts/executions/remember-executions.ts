import type { InstallationClient } from "../../../github/client/installation-client.ts";
import type { HeadState } from "../../../github/head/head-state.ts";
import { readStatusHistory } from "../../../github/head/status-history.ts";
import { TollgateError } from "../../../kernel/errors.ts";
import type { NamedExecution } from "../../../queue/named-execution.ts";
import { addBinding, type Binding } from "../../../store/bindings.ts";
import type { JobDeps } from "../../run/deps.ts";
import type { StartedReads } from "../../run/pull-run.ts";
import { type ClaimedExecution, type ExecutionCandidate, readClaims } from "./claims.ts";
import { type ExecutionRead, identifyExecution, isOfOtherPipeline } from "./executions.ts";
import { readNamedCandidate } from "./named-candidate.ts";

type Deps = Pick<JobDeps, "db" | "clock">;

interface Commit {
  readonly repositoryId: number;
  readonly sha: string;
}

/**
 * Saves which executions trusted statuses and checks name on this head, after their stages were read. GitHub shows only the newest
 * status of a context: when an older execution ends after a newer one of the same context, its status hides the newer one, which
 * still counts. `bound`: what is saved already.
 */
export async function rememberExecutions(
  deps: Deps,
  { repository, pull }: Pick<HeadState, "repository" | "pull">,
  {
    claimed,
    reads,
    bound,
  }: {
    readonly claimed: readonly ClaimedExecution[];
    readonly reads: readonly ExecutionRead[];
    readonly bound: readonly ExecutionCandidate[];
  },
): Promise<void> {
  const known = new Set(bound.filter(({ proven }) => proven).map(identifyExecution));
  const read = new Set(
    reads.filter(({ state }) => state === "read").map(({ candidate }) => identifyExecution(candidate)),
  );
  for (const claim of claimed) {
    const id = identifyExecution(claim);
    if (!claim.proven || !read.has(id) || known.has(id)) continue;
    await saveNamed(deps, { repositoryId: repository.id, sha: pull.headSha }, claim);
  }
}

/** Saves the execution that a delivery of a status or check names: no evaluation may see it before another status hides it. */
export async function rememberNamedExecution(
  deps: Deps & Pick<JobDeps, "operator">,
  commit: Commit,
  named: Extract<NamedExecution, { by: "status" | "check" }>,
): Promise<void> {
  const candidate = readNamedCandidate(named, deps.operator);
  if (candidate?.proven !== true || isOfOtherPipeline(deps.operator, candidate)) return;
  await saveNamed(deps, commit, { ...candidate, source: named.by, posterId: named.posterId });
}

/** Starts to read every status that was posted on a head; null: no status names an execution, or none is hidden by another one. */
export function startStatusHistory(
  { operator }: Pick<JobDeps, "operator">,
  client: InstallationClient,
  { repository, pull, statuses }: Pick<HeadState, "repository" | "pull" | "statuses">,
): StartedReads["statusHistory"] {
  if (operator.trustedUsers.size === 0 || statuses.length === 0) return null;
  const history = readStatusHistory(client, { repositoryId: repository.id, sha: pull.headSha });
  history.catch(() => {}); // who awaits the history gets the same error
  return history;
}

/**
 * Saves the executions that trusted statuses named on this head before other statuses of their contexts hid them, as far as they are not
 * among `bindings`. True: there were some, so what is read without them is not all.
 *
 * @throws TollgateError `github_failed`, retryable
 */
export async function rememberHiddenExecutions(
  deps: Deps & Pick<JobDeps, "operator">,
  { repository, pull, statuses }: Pick<HeadState, "repository" | "pull" | "statuses">,
  bindings: readonly Binding[],
  statusHistory: StartedReads["statusHistory"],
): Promise<boolean> {
  const commit = { repositoryId: repository.id, sha: pull.headSha };
  const listProven = (claims: HeadState["statuses"]) =>
    readClaims(claims, [], deps.operator).candidates.filter(
      (claim) => claim.proven && !isOfOtherPipeline(deps.operator, claim),
    );
  if (statusHistory === null) return false;
  const history = await statusHistory;
  if (!history.ok)
    throw new TollgateError("github_failed", `GitHub does not list the statuses: ${history.failure.kind}`, {
      retryable: true,
    });
  const known = new Set(
    [
      ...listProven(statuses),
      ...bindings.map(({ pipeline_execution_id: executionId, ...rest }) => ({ ...rest, executionId })),
    ].map(identifyExecution),
  );
  const hidden = listProven(history.value).filter((claim) => !known.has(identifyExecution(claim)));
  for (const claim of hidden) await saveNamed(deps, commit, claim);
  return hidden.length > 0;
}

const saveNamed = (
  { db, clock }: Deps,
  { repositoryId, sha }: Commit,
  { org, project, executionId, source, posterId }: NamedByTrusted,
): Promise<void> =>
  addBinding(
    db,
    {
      repository_id: repositoryId,
      head_sha: sha,
      org,
      project,
      pipeline_execution_id: executionId,
      source,
      poster_id: posterId,
    },
    new Date(clock.now()),
  );

type NamedByTrusted = Pick<ClaimedExecution, "org" | "project" | "executionId" | "source" | "posterId">;
