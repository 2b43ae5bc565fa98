import type { InstallationClient } from "../../../github/client/installation-client.ts";
import type { HeadState } from "../../../github/head/head-state.ts";
import { listExecutions } from "../../../platform/contract/executions.ts";
import { createFailure, type Failure } from "../../../platform/errors.ts";
import { isWholeList } from "../../../platform/list-pages.ts";
import type { RefusedExecution, StageFacts, StageParts, UnknownReason } from "../../../report/model/facts.ts";
import { type Binding, claimProject, listHeadBindings } from "../../../store/bindings.ts";
import type { JobDeps } from "../../run/deps.ts";
import {
  canReadProject,
  type Grantee,
  isGrantedByName,
  toUnknownReason,
} from "../platform/platform-facts.ts";
import {
  type ExecutionCandidate,
  type ExecutionClaims,
  identifyExecution,
  isOfOtherPipeline,
  mergeCandidates,
  NO_TRACE,
  readClaims,
} from "./claims.ts";
import { rememberHidden, selectHiddenLong, toBoundCandidate } from "./remembered-executions.ts";

/** The stages that belong to a head. */
export interface FoundStages {
  readonly selected: readonly SelectedStage[];
  /** Placeholders for executions whose stages are unknown. */
  readonly placeholders: readonly StageFacts[];
  readonly refused: readonly RefusedExecution[];
}

/** A head, and the repository that may see the executions of some projects. */
export interface StagesRequest {
  readonly head: HeadState;
  readonly grantee: Grantee;
}

/**
 * Finds the stages that count for a head: of the executions that its statuses, checks and bindings name, as the platform lists them; once
 * more when GitHub's history of statuses has executions that the head does not show.
 *
 * @throws TollgateError `github_failed`, retryable
 */
export async function findStages(
  deps: JobDeps,
  client: InstallationClient,
  { head, grantee }: StagesRequest,
): Promise<FoundStages> {
  const { repository, pull } = head;
  const listBindings = () => listHeadBindings(deps.db, repository.id, pull.headSha);
  const claimed = readClaims(head.statuses, head.checks, deps.operator);
  const bindings = await listBindings();
  const [found, hasHidden] = await Promise.all([
    findNamedStages(deps, { head, grantee, claimed, bindings }),
    rememberHidden(deps, client, { head, bindings }),
  ]);
  if (!hasHidden) return found;
  return findNamedStages(deps, { head, grantee, claimed, bindings: await listBindings() });
}

interface NamedExecutions extends StagesRequest {
  readonly claimed: ExecutionClaims;
  readonly bindings: readonly Binding[];
}

async function findNamedStages(
  deps: JobDeps,
  { head, grantee, claimed, bindings }: NamedExecutions,
): Promise<FoundStages> {
  const { operator, clock } = deps;
  const candidates = mergeCandidates([
    ...claimed.candidates,
    ...bindings.map((binding) => toBoundCandidate(operator, binding)),
    ...(await readRecordedCandidates(deps, head)),
  ]);
  const readable = candidates.filter((candidate) => canReadProject(operator, grantee, candidate));
  const granted = (await hasLostName(deps, grantee, readable)) ? [] : readable;
  const refused = candidates.filter((candidate) => !granted.includes(candidate)).map(toRefusedExecution);
  const reads = await Promise.all(granted.map((candidate) => readExecution(deps, candidate)));
  const hiddenLong = selectHiddenLong(operator, {
    bindings,
    shown: claimed.candidates,
    nowMs: clock.now(),
  });
  return {
    selected: selectNewestStages(reads.flatMap((read) => (read.state === "read" ? read.stages : []))),
    placeholders: reads
      .filter(({ state, candidate }) => state !== "absent" || !hiddenLong.has(identifyExecution(candidate)))
      .flatMap(toPlaceholder),
    refused: removeDuplicates([...claimed.refused, ...refused]),
  };
}

/** Returns the executions that the embedded platform recorded with a commit of this head. */
async function readRecordedCandidates(
  { findByCommit }: JobDeps,
  { repository, pull }: HeadState,
): Promise<readonly ExecutionCandidate[]> {
  if (findByCommit === null) return [];
  const shas = [pull.headSha, ...(pull.testMergeSha === null ? [] : [pull.testMergeSha])];
  const repositoryKey = { repositoryId: repository.id, repository: `${repository.owner}/${repository.name}` };
  const found = await Promise.all(shas.map((sha) => findByCommit({ ...repositoryKey, sha })));
  return found
    .flat()
    .map((execution) => ({ ...execution, source: "audit", proven: true, trace: NO_TRACE }) as const);
}

/**
 * Whether another repository had this name before. Without a grant, a repository may see the project with its
 * name. Names can be given up and taken, so access stays with the repository that first had the name.
 */
async function hasLostName(
  { db, clock, operator }: JobDeps,
  grantee: Grantee,
  readable: readonly ExecutionCandidate[],
): Promise<boolean> {
  if (readable.length === 0 || !isGrantedByName(operator, grantee)) return false;
  const { account } = operator;
  const project = { account, org: grantee.owner, project: grantee.name };
  const { repositoryId } = grantee;
  return (await claimProject(db, project, { repositoryId, nowMs: clock.now() })) !== repositoryId;
}

const toRefusedExecution = ({ org, project, executionId }: ExecutionCandidate): RefusedExecution => ({
  org,
  project,
  executionId,
  reason: "not_granted",
});

/** One stage of a candidate, as the platform records it. */
export interface StageExecution {
  readonly candidate: ExecutionCandidate;
  readonly workspace: string;
  readonly stageExecutionId: string;
  readonly status: StageFacts["status"];
  /** In ms since 1970; null: not stated. */
  readonly createdMs: number | null;
}

/**
 * `absent`: the platform lists no stage of it. `canProvision`: false when the operator states that its pipeline
 * never provisions.
 */
type ExecutionRead = { readonly candidate: ExecutionCandidate } & (
  | { readonly state: "read"; readonly stages: readonly StageExecution[] }
  | { readonly state: "unread"; readonly failure: Failure }
  | { readonly state: "absent"; readonly canProvision: boolean }
);

/** Most stages of one execution: those on one page of the list. */
const MAX_STAGES = 100;

/**
 * Lists the stages of an execution by its id. A platform that ignores the filter lists other executions too: then its stages count only
 * if the page is the whole list, because an unread page might have further ones.
 */
export async function readExecution(
  { platform, operator }: Pick<JobDeps, "platform" | "operator">,
  candidate: ExecutionCandidate,
): Promise<ExecutionRead> {
  const { org, project, executionId } = candidate;
  const answer = await platform.call(listExecutions, {
    params: { org, project },
    query: { pipeline_execution_id: executionId, limit: MAX_STAGES },
  });
  if (!answer.ok) return { state: "unread", candidate, failure: answer.failure };
  const own = answer.value.filter(({ pipeline_execution_id: id }) => id === executionId);
  if (own.length === 0)
    return { state: "absent", candidate, canProvision: !isOfOtherPipeline(operator, candidate) };
  if (!isWholeList(listExecutions, answer))
    return { state: "unread", candidate, failure: createFailure("malformed", "its stages exceed one page") };
  const stages = own.map(
    ({ workspace, pipeline_stage_id: stageExecutionId, status, created }): StageExecution => {
      return {
        candidate,
        workspace,
        stageExecutionId,
        status: STATUS[status] ?? "unknown",
        createdMs: created,
      };
    },
  );
  return { state: "read", candidate, stages };
}

const STATUS: Readonly<Record<string, StageExecution["status"]>> = {
  none: "pending",
  success: "succeeded",
  failure: "failed",
};

/** The stage that counts for one workspace, and the executions that it replaces. */
export interface SelectedStage {
  readonly stage: StageExecution;
  readonly superseded: readonly string[];
}

/**
 * Returns one stage per org, project and workspace: the newest that ended, or a newer pending one. A stage
 * that is only claimed never replaces a proven one. Superseded executions are listed and never added to a sum.
 */
export function selectNewestStages(runs: readonly StageExecution[]): readonly SelectedStage[] {
  const byWorkspace = Map.groupBy(runs, ({ candidate, workspace }) =>
    JSON.stringify([candidate.org, candidate.project, workspace]),
  );
  return [...byWorkspace.values()].flatMap((group) => {
    const [stage, ...older] = [...group].sort(byProofThenAge);
    if (stage === undefined) return [];
    const others = older
      .map(({ candidate }) => candidate.executionId)
      .filter((id) => id !== stage.candidate.executionId);
    return [{ stage, superseded: [...new Set(others)] }];
  });
}

const byProofThenAge = (a: StageExecution, b: StageExecution): number =>
  Number(b.candidate.proven) - Number(a.candidate.proven) || (b.createdMs ?? 0) - (a.createdMs ?? 0);

/**
 * Returns the placeholder of an execution whose stages are unknown. An announced execution that has not ended
 * is pending; one that is named and not listed is unknown, which differs from absent.
 */
function toPlaceholder(read: ExecutionRead): readonly StageFacts[] {
  const { candidate } = read;
  switch (read.state) {
    case "read":
      return [];
    case "unread":
      return [buildStagelessFacts(candidate, { status: "unknown", reason: toUnknownReason(read.failure) })];
    case "absent":
      if (!read.canProvision) return [];
      return isAwaited(candidate)
        ? [buildStagelessFacts(candidate, { status: "pending", reason: "execution_pending" })]
        : [buildStagelessFacts(candidate, { status: "unknown", reason: "not_listed" })];
  }
}

const isAwaited = ({ source, proven, trace }: ExecutionCandidate): boolean =>
  source === "notification" || (proven && trace.isRunning);

/**
 * Returns a stage for an execution whose workspaces could not be read, so that its absence does not make the
 * verdict pass.
 */
const buildStagelessFacts = (
  candidate: ExecutionCandidate,
  { status, reason }: { status: StageFacts["status"]; reason: UnknownReason },
): StageFacts => ({
  ...buildStageFacts(
    { candidate, workspace: candidate.executionId, stageExecutionId: "", status, createdMs: null },
    { parts: buildUnknownParts(reason), superseded: [] },
  ),
  isUnread: true,
});

/** Returns the facts of a stage of which nothing is known. */
export function buildUnknownParts(reason: UnknownReason): StageParts {
  const fact = { state: "unknown", reason } as const;
  return { cost: fact, modules: fact, counts: fact, rows: fact };
}

/** Joins what was read of a stage with what it is. */
export function buildStageFacts(
  { candidate, workspace, stageExecutionId, status, createdMs }: StageExecution,
  { parts, superseded }: { readonly parts: StageParts; readonly superseded: readonly string[] },
): StageFacts {
  const { org, project, executionId, source, proven, trace } = candidate;
  const page = trace.page === null ? {} : { executionPage: trace.page };
  const origin = { org, project, workspace, executionId, ...page, stageExecutionId, source, proven, status };
  return { ...origin, createdMs, ...parts, superseded };
}

const removeDuplicates = <T>(values: readonly T[]): readonly T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];
