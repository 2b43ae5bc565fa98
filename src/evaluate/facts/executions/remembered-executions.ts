import type { InstallationClient } from "../../../github/client/installation-client.ts";
import { readStatusHistory } from "../../../github/head/claims.ts";
import type { HeadState } from "../../../github/head/head-state.ts";
import type { CommitEvent } from "../../../github/webhooks/lane-event.ts";
import { MINUTE_MS } from "../../../kernel/clock.ts";
import { TollgateError } from "../../../kernel/errors.ts";
import { addBinding, type Binding } from "../../../store/bindings.ts";
import type { JobDeps } from "../../run/deps.ts";
import type { OperatorRules } from "../../run/operator-rules.ts";
import {
  type ClaimedExecution,
  type ExecutionCandidate,
  identifyExecution,
  isOfOtherPipeline,
  isTrustedPoster,
  NO_TRACE,
  readClaim,
  readClaims,
} from "./claims.ts";

type Deps = Pick<JobDeps, "db" | "clock" | "operator">;

/**
 * Saves the execution that a delivery of a status or check names, if its poster is trusted: GitHub's replicas may show the status or
 * check later, and an evaluation until then must not pass without it (invariant 1).
 */
export async function rememberDelivered(
  deps: Deps,
  { repositoryId, sha }: { readonly repositoryId: number; readonly sha: string },
  { by: source, posterId, url }: NonNullable<CommitEvent["named"]>,
): Promise<void> {
  const claim = readClaim({ source, posterId, url, isRunning: false }, deps.operator);
  if (claim === null || claim === "other_account" || !counts(deps.operator, claim)) return;
  await saveBinding(deps, { repository_id: repositoryId, head_sha: sha }, claim);
}

/**
 * Saves the executions that trusted statuses named on this head before other statuses of their contexts hid them, as far as they are not
 * among `bindings`: when an older execution ends after a newer one, its status hides the newer one, which still counts, also when its
 * delivery was lost. True: there were some, so what is found without them is not all.
 *
 * @throws TollgateError `github_failed`, retryable
 */
export async function rememberHidden(
  deps: Deps,
  client: InstallationClient,
  { head, bindings }: { readonly head: HeadState; readonly bindings: readonly Binding[] },
): Promise<boolean> {
  const { operator } = deps;
  const { repository, pull, statuses } = head;
  if (operator.trustedUsers.size === 0 || statuses.length === 0) return false;
  const history = await readStatusHistory(client, { repositoryId: repository.id, sha: pull.headSha });
  if (!history.ok)
    throw new TollgateError("github_failed", `GitHub does not list the statuses: ${history.failure.kind}`, {
      retryable: true,
    });
  const known = new Set(
    [
      ...readClaims(statuses, [], operator).candidates.filter(({ proven }) => proven),
      ...bindings.map((binding) => toBoundCandidate(operator, binding)),
    ].map(identifyExecution),
  );
  const hidden = readClaims(history.value, [], operator).candidates.filter(
    (claim) => counts(operator, claim) && !known.has(identifyExecution(claim)),
  );
  const at = { repository_id: repository.id, head_sha: pull.headSha };
  for (const claim of hidden) await saveBinding(deps, at, claim);
  return hidden.length > 0;
}

/** Returns an execution bound to a head: one that proves nothing when the operator does not trust its poster any more. */
export function toBoundCandidate(
  operator: OperatorRules,
  { org, project, pipeline_execution_id: executionId, source, poster_id: posterId }: Binding,
): ExecutionCandidate {
  const proven =
    source === "notification" || source === "audit" || isTrustedPoster(operator, { source, posterId });
  return { org, project, executionId, source, proven, trace: NO_TRACE };
}

/** How long an execution whose status is hidden is waited for when the platform does not list it, in ms. */
const UNLISTED_MS = 5 * MINUTE_MS;

/**
 * Returns the executions that ended before a stage began, if the platform does not list them: a status or check named them minutes ago,
 * and names another one now. Otherwise nobody could ever make up for such an execution on the same head.
 */
export function selectHiddenLong(
  operator: OperatorRules,
  {
    bindings,
    shown,
    nowMs,
  }: {
    readonly bindings: readonly Binding[];
    /** What the head's statuses and checks name now. */
    readonly shown: readonly ExecutionCandidate[];
    readonly nowMs: number;
  },
): ReadonlySet<string> {
  const onHead = new Set(shown.map(identifyExecution));
  const hidden = bindings
    .filter(({ source }) => source === "status" || source === "check")
    .filter(({ created_at }) => nowMs - created_at.getTime() > UNLISTED_MS)
    .map((binding) => identifyExecution(toBoundCandidate(operator, binding)));
  return new Set(hidden.filter((id) => !onHead.has(id)));
}

const counts = (operator: OperatorRules, claim: ClaimedExecution): boolean =>
  claim.proven && !isOfOtherPipeline(operator, claim);

const saveBinding = (
  { db, clock }: Deps,
  at: Pick<Binding, "repository_id" | "head_sha">,
  { org, project, executionId: pipeline_execution_id, source, posterId: poster_id }: ClaimedExecution,
): Promise<void> =>
  addBinding(db, { ...at, org, project, pipeline_execution_id, source, poster_id }, new Date(clock.now()));
