import { TollgateError } from "../../kernel/errors.ts";
import type { Sha } from "../../kernel/ids.ts";
import type { Estimate, EstimateStage } from "../../plan-files/estimate/estimate.ts";
import { maskStage } from "../../plan-files/estimate/project-stage.ts";
import { generateSnapshotPages } from "../../plan-files/plan/pages.ts";
import type { PlanSnapshot } from "../../plan-files/plan/snapshot.ts";
import type { PlatformClient } from "../../platform/client.ts";
import type { CostChangeBody } from "../../platform/contract/cost-changes.ts";
import type { ClientInput, Endpoint, EndpointOutput } from "../../platform/contract/endpoint.ts";
import { createExecution, recordAuditEvent } from "../../platform/contract/executions.ts";
import { ingest } from "../../platform/contract/own-operations.ts";
import { uploadChangeCounts, uploadChangePage } from "../../platform/contract/resource-changes.ts";
import { getPushDisabled } from "../../platform/contract/settings.ts";
import type { Failure } from "../../platform/errors.ts";
import type { Transport } from "../../platform/transport.ts";
import { computeDigest } from "../../store/digest.ts";

/** A platform with write access, and its credentials. */
export interface ReachablePlatform {
  readonly url: string;
  readonly token: string;
  readonly account: string;
  /** Absent: connections to the address. */
  readonly transport?: Transport;
  /** Ends everything that was started to reach the platform. */
  close(): Promise<void>;
}

/**
 * Finds the embedded platform of this machine, running or not, and creates a token for its whole account.
 * Throws `usage` with a hint when there is none.
 */
export type ResolveLocalPlatform = () => Promise<ReachablePlatform>;

export interface ImportInput {
  readonly org: string;
  readonly project: string;
  readonly workspace: string;
  readonly pipeline: string;
  /** Chosen once by the caller, so that a repeated import changes nothing. */
  readonly executionId: string;
  readonly stageId: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly repositoryUrl: string;
  /** The head or the test-merge commit of the pull request. */
  readonly sha: Sha;
  /** Branch of the commit; empty: unknown. */
  readonly branch: string;
  readonly plan: PlanSnapshot | null;
  readonly estimate: EstimateStage | null;
  /** True: it is stated that there is nothing to plan; there are no files. */
  readonly nothingToPlan?: boolean;
  /** True: the pipeline failed before there was a plan. Absent: the plan states whether it failed. */
  readonly hasFailed?: boolean;
}

export interface ImportResult {
  readonly pages: number;
  /** True: the project does not accept plan data, so the changes were not sent. */
  readonly changesRefused: boolean;
}

/**
 * Records one execution with one stage on the platform: the execution, the pages of its change snapshot and
 * its commit, and at the end its costs and its final status, so that no reader sees an incomplete execution.
 * `onPage` receives the number of pages that were sent. Every step may be repeated; a step that finally fails throws `platform_failed`.
 */
export async function importExecution(
  platform: PlatformClient,
  input: ImportInput,
  retrying: RetryOptions,
  onPage: (pages: number) => void = () => {},
): Promise<ImportResult> {
  const call = createRetryingCall(platform, retrying);
  const { org, project, executionId, stageId } = input;
  const stage = { org, project, pipeline_execution_id: executionId, pipeline_stage_id: stageId };
  await announceStage(platform, input, retrying);
  const { disabled } = await call(getPushDisabled, { params: { org, project } });
  let pages = 0;
  if (input.plan !== null && !disabled) {
    for (const { body, change, category, page } of generateSnapshotPages(input.plan)) {
      const query = change === undefined ? {} : { change };
      await call(uploadChangePage, { params: { ...stage, category, page }, query, body });
      pages += 1;
      onPage(pages);
    }
    const marker = new TextEncoder().encode(JSON.stringify(input.plan.marker));
    await call(uploadChangeCounts, { params: stage, body: marker });
  }
  const git = { hash: input.sha, name: input.branch, repo_url: input.repositoryUrl, type: "branch" };
  await call(recordAuditEvent, { params: stage, body: { audit: { git_audit_data: git } } });
  await call(ingest, { body: { ...stage, ...buildOutcome(input) } });
  return { pages, changesRefused: input.plan !== null && disabled };
}

/** Creates the execution, or one more stage of it, without a result yet. */
export async function announceStage(
  platform: PlatformClient,
  { org, project, executionId, stageId, pipeline, workspace }: ImportInput,
  retrying: RetryOptions,
): Promise<void> {
  const ids = { pipeline_execution_id: executionId, pipeline_stage_id: stageId };
  const body = { ...ids, pipeline, workspace };
  await createRetryingCall(platform, retrying)(createExecution, { params: { org, project }, body });
}

function buildOutcome(input: ImportInput) {
  const { plan, estimate, repository, sha, nothingToPlan, hasFailed = plan?.errored === true } = input;
  const status = hasFailed ? ("failure" as const) : ("success" as const);
  return {
    status,
    commit: { repository, sha },
    ...(nothingToPlan === true && { no_changes: true as const }),
    ...(estimate === null ? {} : buildCosts(estimate, input)),
  };
}

function buildCosts(estimate: EstimateStage, { plan, stageId, workspace, sha }: ImportInput) {
  const { modules, ...stage } = plan === null ? estimate : maskStage(estimate, plan);
  const cost = withoutLongList(withCommitNotice(stage, sha));
  const toChangeBody = (one: Estimate): CostChangeBody => ({
    ...one,
    stage_execution_id: stageId,
    stage_id: STAGE,
    workspace_id: workspace,
  });
  if (modules === null) return { cost: toChangeBody(cost) };
  const perModule = Object.entries(modules).map(([module, own]) => [module, toChangeBody(own)] as const);
  return { cost: toChangeBody(cost), modules: Object.fromEntries(perModule) };
}

/** The same execution imported again is the same stage, and each workspace of it is another one. */
export const computeStageId = (executionId: string, workspace: string): string =>
  computeDigest(`${executionId}/${workspace}`);

/** Says that an estimate was made at another commit. That alone is no doubt: jobs of pull requests check out a test merge. */
function withCommitNotice({ cost, commit }: Pick<EstimateStage, "cost" | "commit">, sha: Sha): Estimate {
  if (commit === null || commit === sha || cost.estimate === undefined) return cost;
  const notice = `it was made at commit ${commit.slice(0, 8)}, and the head is ${sha.slice(0, 8)}: that is a test merge of it, or other code`;
  const notices = [...(cost.estimate.notices ?? []), notice];
  return { ...cost, estimate: { ...cost.estimate, notices } };
}

/** In characters of JSON. The platform takes 16 MiB of costs, and the cost itself needs some. */
const MAX_RESOURCES = 10_000_000;

/** Leaves out the list of resources where it is too long to be sent: the tags of what the plan does not change are unknown then. */
function withoutLongList(cost: Estimate): Estimate {
  const { estimate } = cost;
  if (estimate === undefined || JSON.stringify(estimate.resources ?? []).length <= MAX_RESOURCES) return cost;
  const notice = "it has too many resources to send them all, so costs by tag are incomplete";
  const notices = [...(estimate.notices ?? []), notice];
  return { ...cost, estimate: { ...estimate, notices, resources: undefined } };
}

/** Name of the only stage of an imported execution. */
const STAGE = "import";

export interface RetryOptions {
  /** Most attempts of a call. */
  readonly tries: number;
  /** Pause before the second attempt, in ms; doubles with each attempt. */
  readonly pauseMs: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Hints that differ from those of the import of one execution. */
  readonly hints?: Hints;
}

type EndpointCall = <E extends Endpoint>(endpoint: E, input: ClientInput<E>) => Promise<EndpointOutput<E>>;

/** Failures that may be temporary. */
const TRANSIENT_FAILURES: ReadonlySet<Failure["kind"]> = new Set([
  "unavailable",
  "timed_out",
  "rate_limited",
]);

type Hints = { readonly [K in Failure["kind"]]?: string };

const HINTS: Hints = {
  unauthorised:
    "Check the token (TOLLGATE_TOKEN, --token): it may be mistyped, revoked, expired or for another account.",
  forbidden:
    "The token may not write to this org and project: make one with `tollgate token create --for import`.",
  not_found: "Check --url, --org and --project. Costs can be imported into the embedded platform only.",
  unavailable:
    "Check that the platform runs and --url is its address, then repeat with --execution and the id above.",
  timed_out: "The platform is slow or stuck. Repeat with --execution and the id above.",
  too_large: "The files are larger than this platform takes.",
};

/**
 * Returns a function that repeats idempotent calls when the failure may be temporary. Throws
 * `platform_failed` when a call finally fails.
 */
export function createRetryingCall(
  platform: PlatformClient,
  { tries, pauseMs, sleep, hints }: RetryOptions,
): EndpointCall {
  return async (endpoint, input) => {
    for (let next = 1; ; next += 1) {
      const outcome = await platform.call(endpoint, input);
      if (outcome.ok) return outcome.value;
      const { failure } = outcome;
      if (next >= tries || !TRANSIENT_FAILURES.has(failure.kind))
        throw createFinalError(failure, { ...HINTS, ...hints });
      await sleep(Math.max(failure.retryAfterMs ?? 0, pauseMs * 2 ** (next - 1)));
    }
  };
}

function createFinalError({ kind, message }: Failure, hints: Hints): TollgateError {
  const hint = hints[kind];
  const retryable = TRANSIENT_FAILURES.has(kind);
  return new TollgateError(
    "platform_failed",
    message,
    hint === undefined ? { retryable } : { retryable, hint },
  );
}
