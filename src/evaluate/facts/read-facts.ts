import type { HeadState } from "../../github/head/head-state.ts";
import { selectWantedFacts } from "../../policy/decide/wanted-facts.ts";
import type { LoadedPolicy } from "../../policy/model/loaded-policy.ts";
import type { RefusedExecution, StageFacts, UnknownReason } from "../../report/model/facts.ts";
import type { PullFacts } from "../../report/model/pull-facts.ts";
import { type Binding, listHeadBindings } from "../../store/bindings.ts";
import { claimProject } from "../../store/project-owners.ts";
import type { JobDeps } from "../run/deps.ts";
import type { OperatorRules } from "../run/operator-rules.ts";
import type { StartedReads } from "../run/pull-run.ts";
import { computeContextGrant } from "./context/grant.ts";
import { buildContextFacts, type ContextQuery, readContext } from "./context/read-context.ts";
import { readShownFacts } from "./context/read-shown-facts.ts";
import { readAssumedCandidates } from "./executions/assumed-candidates.ts";
import {
  type ExecutionCandidate,
  isTrustedPoster,
  mergeCandidates,
  NO_TRACE,
  readClaims,
} from "./executions/claims.ts";
import {
  type ExecutionRead,
  readExecutions,
  type SelectedStage,
  selectNewestStages,
} from "./executions/executions.ts";
import { leaveOutUnbegun } from "./executions/hidden-executions.ts";
import { rememberExecutions, rememberHiddenExecutions } from "./executions/remember-executions.ts";
import { canReadProject, type Grantee, isGrantedByName } from "./platform/grants.ts";
import { toUnknownReason } from "./platform/platform-facts.ts";
import { getExecutionPage, readStages, toStageRef } from "./stages.ts";

/** The facts of a head. */
export interface HeadFacts {
  /** The facts that the verdict depends on. */
  readonly facts: PullFacts;
  /** The facts including those that are only shown; settles within seconds. Null: there are none of these. */
  readonly shownFacts: Promise<PullFacts> | null;
}

/** A head whose facts are read, and the policy that wants them. */
export interface FactsRequest {
  readonly head: HeadState;
  readonly policy: LoadedPolicy;
  readonly reads: StartedReads;
}

/** Finds the executions that belong to this head and reads their facts. */
export async function readFacts(deps: JobDeps, { head, policy, reads }: FactsRequest): Promise<HeadFacts> {
  const grantee = buildGrantee(head, policy);
  const { selected, placeholders, refused } = await locateAllStages(deps, { head, policy, grantee, reads });
  const wanted = selectWantedFacts(policy);
  const stages = readStages(deps, selected, reads.stagePlatform).then((read) =>
    [...read, ...placeholders].sort(byName),
  );
  const ended = selected.filter(({ stage }) => stage.status !== "pending");
  const query: ContextQuery = {
    grant: computeContextGrant(deps.operator, grantee),
    refs: ended.map(({ stage }) => toStageRef(stage)),
    stages,
    hasRefused: refused.length > 0,
  };
  const [read, context] = await Promise.all([
    stages,
    ended.length === 0 ? {} : readContext(deps.platform, wanted.required, { query, tools: deps }),
  ]);
  const facts: PullFacts = { stages: read, refused, context: buildContextFacts(context) };
  return { facts, shownFacts: ended.length === 0 ? null : readShownFacts(deps, { facts, query, wanted }) };
}

interface GatherRequest extends FactsRequest {
  readonly grantee: Grantee;
}

interface LocatedStages {
  readonly selected: readonly SelectedStage[];
  /** Placeholders for executions whose stages are unknown. */
  readonly placeholders: readonly StageFacts[];
  readonly refused: readonly RefusedExecution[];
}

/** Finds the stages that count; once more when GitHub's history of statuses has executions that the head does not show. */
async function locateAllStages(deps: JobDeps, request: GatherRequest): Promise<LocatedStages> {
  const { reads, head } = request;
  const { repository, pull } = head;
  const listBindings = () => listHeadBindings(deps.db, repository.id, pull.headSha);
  const bindings = await listBindings();
  const [located, hasHidden] = await Promise.all([
    locateStages(deps, request, bindings),
    rememberHiddenExecutions(deps, head, bindings, reads.statusHistory),
  ]);
  return hasHidden ? locateStages(deps, request, await listBindings()) : located;
}

/** Finds the executions that are named for this head and picks the stages that count. */
async function locateStages(
  deps: JobDeps,
  { head, policy, grantee, reads: { listPlatform } }: GatherRequest,
  bindings: readonly Binding[],
): Promise<LocatedStages> {
  const claimed = readClaims(head.statuses, head.checks, deps.operator);
  const bound = [
    ...bindings.map((binding) => toBoundCandidate(deps.operator, binding)),
    ...(await readRecordedCandidates(deps, head)),
  ];
  const known = mergeCandidates([...claimed.candidates, ...bound]);
  const assumed = await readAssumedCandidates(deps, grantee, policy);
  const candidates = mergeCandidates([...known, ...assumed]);
  const readable = candidates.filter((candidate) => canReadProject(deps.operator, grantee, candidate));
  const granted = (await hasLostName(deps, grantee, readable)) ? [] : readable;
  const refused = candidates.filter((candidate) => !granted.includes(candidate)).map(toRefusedExecution);
  const sources = { bindings, shown: claimed.candidates, nowMs: deps.clock.now() };
  const reads = leaveOutUnbegun(await readExecutions({ ...deps, platform: listPlatform }, granted), sources);
  await rememberExecutions(deps, head, { claimed: claimed.candidates, reads, bound });
  const selected = selectNewestStages(reads.flatMap((read) => (read.state === "read" ? read.stages : [])));
  return {
    selected,
    placeholders: reads.flatMap(withoutStages),
    refused: removeDuplicates([...claimed.refused, ...refused]),
  };
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

function buildGrantee({ repository }: HeadState, policy: LoadedPolicy): Grantee {
  return {
    ownerId: repository.ownerId,
    repositoryId: repository.id,
    owner: repository.owner,
    name: repository.name,
    restriction: policy.state === "found" ? policy.policy.platform : { org: null, project: null },
  };
}

/**
 * Returns an execution bound to this head by a notification, or by a status or check that was seen before: one that proves nothing when
 * the operator does not trust its poster any more.
 */
function toBoundCandidate(
  operator: OperatorRules,
  { org, project, pipeline_execution_id: executionId, source, poster_id: posterId }: Binding,
): ExecutionCandidate {
  const proven =
    source === "notification" || source === "audit" || isTrustedPoster(operator, { source, posterId });
  return { org, project, executionId, source, proven, trace: NO_TRACE };
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

const toRefusedExecution = ({ org, project, executionId }: ExecutionCandidate): RefusedExecution => ({
  org,
  project,
  executionId,
  reason: "not_granted",
});

/**
 * Returns the placeholder of an execution whose stages are unknown. An announced execution that has not ended
 * is pending; one that is named and not listed is unknown, which differs from absent.
 */
function withoutStages(read: ExecutionRead): readonly StageFacts[] {
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
function buildStagelessFacts(
  candidate: ExecutionCandidate,
  { status, reason }: { status: StageFacts["status"]; reason: UnknownReason },
): StageFacts {
  const fact = { state: "unknown", reason } as const;
  const { org, project, executionId, source, proven } = candidate;
  return {
    org,
    project,
    workspace: executionId,
    executionId,
    ...getExecutionPage(candidate),
    stageExecutionId: "",
    source,
    proven,
    status,
    createdMs: null,
    cost: fact,
    modules: fact,
    counts: fact,
    rows: fact,
    superseded: [],
  };
}

function byName(a: StageFacts, b: StageFacts): number {
  const key = ({ org, project, workspace }: StageFacts) => `${org}/${project}/${workspace}`;
  return key(a) < key(b) ? -1 : 1;
}

const removeDuplicates = <T>(values: readonly T[]): readonly T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];
