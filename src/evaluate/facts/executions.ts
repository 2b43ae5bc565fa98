import type { InstallationClient } from "../../github/client/installation-client.ts";
import { readStatusHistory } from "../../github/head/commit-claims.ts";
import type { CheckClaim, CommitState, StatusClaim } from "../../github/head/head-state.ts";
import type { CommitEvent } from "../../github/webhooks/lane-event.ts";
import { MINUTE_MS } from "../../kernel/clock.ts";
import type { ExecutionRef } from "../../kernel/ids.ts";
import { parseExecutionUrl } from "../../platform/execution-url.ts";
import type { BindingSource, RefusedExecution } from "../../report/model/facts.ts";
import { addBinding, type Binding } from "../../store/bindings.ts";
import type { ExecutionKey } from "../../store/final-facts.ts";
import type { JobDeps } from "../run/deps.ts";
import type { OperatorRules } from "../run/operator-rules.ts";
import type { StageRef } from "./read-rows.ts";

/** Returns the identity of an execution within the platform account. */
export const identifyExecution = ({ org, project, executionId }: ExecutionRef): string =>
  JSON.stringify([org, project, executionId]);

/** The key under which facts of an execution are stored. */
export const buildExecutionKey = (
  { account }: Pick<OperatorRules, "account">,
  { org, project, executionId }: ExecutionRef,
): ExecutionKey => ({ account, org, project, pipeline_execution_id: executionId });

/** A stage of an execution, as the platform addresses it. */
export const toStageRef = ({
  org,
  project,
  executionId,
  stageExecutionId,
}: ExecutionRef & { readonly stageExecutionId: string }): StageRef => ({
  org,
  project,
  pipeline_execution_id: executionId,
  pipeline_stage_id: stageExecutionId,
});

/** An execution that a source claims to belong to the head. */
export interface ExecutionCandidate extends ExecutionRef {
  readonly source: BindingSource;
  /** Whether the source is trusted: a trusted poster, our own store, the embedded platform. */
  readonly proven: boolean;
  /** Identifier of its pipeline, as a URL names it; null: unknown. It proves nothing. */
  readonly pipeline: string | null;
  /** Its page on the platform, from the URL that named it; null: no URL named it, or the platform has no pages. */
  readonly page: string | null;
  /** Whether it was announced and has not ended: the platform may not list it yet. */
  readonly isRunning: boolean;
}

/** What is unknown of an execution that no status or check names. */
export const UNANNOUNCED = { pipeline: null, page: null, isRunning: false } as const;

/** An execution that a status or check names. */
interface ClaimedExecution extends ExecutionCandidate {
  readonly source: "status" | "check";
  /** Of the account that posted the status, or of the check's App; null: GitHub does not say. */
  readonly posterId: number | null;
}

export interface ExecutionClaims {
  readonly candidates: readonly ClaimedExecution[];
  readonly refused: readonly RefusedExecution[];
}

/** Reads the executions from the URLs of a head's statuses and checks. A claim by an untrusted poster is included as unproven. */
export function readClaims(
  statuses: readonly StatusClaim[],
  checks: readonly CheckClaim[],
  rules: OperatorRules,
): ExecutionClaims {
  const read = [
    ...statuses.map(({ targetUrl: url, creator, state }) => {
      const isRunning = state === "pending" || state === "expected";
      return readClaim({ source: "status", posterId: creator?.id ?? null, url, isRunning }, rules);
    }),
    ...checks.map(({ detailsUrl: url, appId: posterId, status }) =>
      readClaim({ source: "check", posterId, url, isRunning: status !== "completed" }, rules),
    ),
  ];
  return {
    candidates: read.flatMap((claim) => (claim === null || claim === "other_account" ? [] : [claim])),
    refused: read.flatMap((claim) => (claim === "other_account" ? [OF_OTHER_ACCOUNT] : [])),
  };
}

/** The ids in a URL of another account are not read: a report counts refused executions and does not name them. */
const OF_OTHER_ACCOUNT = { org: "", project: "", executionId: "", reason: "other_account" } as const;

type Claim = Pick<ClaimedExecution, "source" | "posterId" | "isRunning"> & { readonly url: string | null };

/** Returns the execution that the URL of one status or check names; null: it names none of the platform. */
function readClaim(
  { source, posterId, url, isRunning }: Claim,
  rules: OperatorRules,
): ClaimedExecution | "other_account" | null {
  if (url === null) return null;
  const parsed = parseExecutionUrl(url, { hosts: rules.platformHosts, account: rules.account });
  if (parsed.state === "refused" && parsed.reason === "other_account") return parsed.reason;
  if (parsed.state !== "found") return null;
  const { org, project, executionId, pipeline } = parsed;
  const page = rules.embedded ? null : parsed.page; // the embedded platform's pages are ours
  const proven = isTrustedPoster(rules, { source, posterId });
  return { org, project, executionId, source, posterId, proven, pipeline, page, isRunning };
}

/** Whether the operator trusts who posted a status or check: an account or an App. */
const isTrustedPoster = (
  { trustedUsers, trustedApps }: OperatorRules,
  { source, posterId }: Pick<Claim, "source" | "posterId">,
): boolean => posterId !== null && (source === "status" ? trustedUsers : trustedApps).has(posterId);

/** Whether the operator states that the pipeline of a candidate provisions nothing. */
export const isOfOtherPipeline = (
  { otherPipelines }: OperatorRules,
  { org, project, pipeline }: ExecutionCandidate,
): boolean =>
  otherPipelines.some(
    (other) =>
      other.org === org &&
      (other.project === undefined || other.project === project) &&
      pipeline !== null &&
      other.isMatch(pipeline),
  );

const PREFERENCE: readonly BindingSource[] = ["notification", "audit", "status", "check", "file"];

/**
 * Returns one candidate per execution: proven when any source proves it, and with the name of the strongest
 * source. An untrusted source adds nothing to what a trusted one says.
 */
export function mergeCandidates(candidates: readonly ExecutionCandidate[]): readonly ExecutionCandidate[] {
  const merged = new Map<string, ExecutionCandidate>();
  const ranked = [...candidates].sort((a, b) => PREFERENCE.indexOf(a.source) - PREFERENCE.indexOf(b.source));
  for (const candidate of ranked) {
    const key = identifyExecution(candidate);
    const known = merged.get(key);
    merged.set(
      key,
      known === undefined ? candidate : { ...joinCandidates(known, candidate), source: known.source },
    );
  }
  return [...merged.values()];
}

function joinCandidates(a: ExecutionCandidate, b: ExecutionCandidate): ExecutionCandidate {
  if (a.proven !== b.proven) return a.proven ? a : b;
  return {
    ...a,
    pipeline: a.pipeline ?? b.pipeline,
    page: a.page ?? b.page,
    isRunning: a.isRunning || b.isRunning,
  };
}

type BindingDeps = Pick<JobDeps, "db" | "clock" | "operator">;

/**
 * Saves the execution that a delivery of a status or check names, if its poster is trusted: GitHub's replicas may show the status or
 * check later, and an evaluation until then must not pass without it.
 */
export async function rememberDelivered(
  deps: BindingDeps,
  { repositoryId, sha }: { readonly repositoryId: number; readonly sha: string },
  { by: source, posterId, url }: NonNullable<CommitEvent["named"]>,
): Promise<void> {
  const claim = readClaim({ source, posterId, url, isRunning: false }, deps.operator);
  if (claim === null || claim === "other_account" || !isWorthBinding(deps.operator, claim)) return;
  await saveBinding(deps, { repository_id: repositoryId, head_sha: sha }, claim);
}

/**
 * Saves the executions that trusted statuses named on this head before other statuses of their contexts hid them, as far as they are not
 * among `bindings`: when an older execution ends after a newer one, its status hides the newer one, which still counts, also when its
 * delivery was lost. True: there were some, so what is found without them is not all.
 *
 * @throws GitHubError
 */
export async function rememberHidden(
  deps: BindingDeps,
  client: InstallationClient,
  { head, bindings }: { readonly head: CommitState; readonly bindings: readonly Binding[] },
): Promise<boolean> {
  const { operator } = deps;
  const { repository, pull, statuses } = head;
  if (operator.trustedUsers.size === 0 || statuses.length === 0) return false;
  const history = await readStatusHistory(client, { repositoryId: repository.id, sha: pull.headSha });
  const known = new Set(
    [
      ...readClaims(statuses, [], operator).candidates.filter(({ proven }) => proven),
      ...bindings.map((binding) => toBoundCandidate(operator, binding)),
    ].map(identifyExecution),
  );
  const hidden = readClaims(history, [], operator).candidates.filter(
    (claim) => isWorthBinding(operator, claim) && !known.has(identifyExecution(claim)),
  );
  const commit = { repository_id: repository.id, head_sha: pull.headSha };
  for (const claim of hidden) await saveBinding(deps, commit, claim);
  return hidden.length > 0;
}

/** Returns an execution bound to a head: one that proves nothing when the operator does not trust its poster any more. */
export function toBoundCandidate(
  operator: OperatorRules,
  { org, project, pipeline_execution_id: executionId, source, poster_id: posterId }: Binding,
): ExecutionCandidate {
  const proven =
    source === "notification" || source === "audit" || isTrustedPoster(operator, { source, posterId });
  return { org, project, executionId, source, proven, ...UNANNOUNCED };
}

/** How long an execution whose status is hidden is waited for when the platform does not list it, in ms. */
const UNLISTED_MS = 5 * MINUTE_MS;

/**
 * Returns the executions that ended before a stage began, if the platform does not list them: a status or check named them minutes ago,
 * and names another one now. Otherwise nobody could ever make up for such an execution on the same head. `shown`: what the head's statuses
 * and checks name now.
 */
export function selectHiddenLong(
  bindings: readonly Binding[],
  shown: readonly ExecutionCandidate[],
  nowMs: number,
): ReadonlySet<string> {
  const onHead = new Set(shown.map(identifyExecution));
  const hidden = bindings
    .filter(({ source }) => source === "status" || source === "check")
    .filter(({ created_at }) => nowMs - created_at.getTime() > UNLISTED_MS)
    .map(({ pipeline_execution_id: executionId, ...ids }) => identifyExecution({ ...ids, executionId }));
  return new Set(hidden.filter((id) => !onHead.has(id)));
}

const isWorthBinding = (operator: OperatorRules, claim: ClaimedExecution): boolean =>
  claim.proven && !isOfOtherPipeline(operator, claim);

const saveBinding = (
  { db, clock }: BindingDeps,
  commit: Pick<Binding, "repository_id" | "head_sha">,
  { org, project, executionId: pipeline_execution_id, source, posterId: poster_id }: ClaimedExecution,
): Promise<void> =>
  addBinding(
    db,
    { ...commit, org, project, pipeline_execution_id, source, poster_id },
    new Date(clock.now()),
  );
