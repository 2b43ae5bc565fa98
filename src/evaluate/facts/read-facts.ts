import type { HeadState } from "../../github/head/head-state.ts";
import { selectWantedFacts } from "../../policy/decide/wanted-facts.ts";
import type { LoadedPolicy } from "../../policy/model/loaded-policy.ts";
import type { RefusedExecution, StageFacts, UnknownReason } from "../../report/model/facts.ts";
import type { PullFacts } from "../../report/model/pull-facts.ts";
import { bindingsOfHead } from "../../store/bindings.ts";
import { claimProject } from "../../store/project-owners.ts";
import type { JobDeps } from "../run/deps.ts";
import { contextGrantOf } from "./context/grant.ts";
import { type Around, contextOf, readContext } from "./context/read-context.ts";
import { readMore } from "./context/read-more.ts";
import { assumedCandidates } from "./executions/assumed.ts";
import { type Candidate, mergeCandidates, NO_TRACE, readClaims } from "./executions/claims.ts";
import { type ExecutionRead, pickNewest, readExecutions, type Winner } from "./executions/executions.ts";
import { type Asker, mayRead, seesOwnName } from "./platform/grants.ts";
import { unknownReason } from "./platform/platform-facts.ts";
import { pageOf, readStages, refOf } from "./stages.ts";

/** The facts of a head. */
export interface HeadFacts {
  /** The facts that the verdict rests on. */
  readonly facts: PullFacts;
  /** The same with the facts that are only shown; settles within seconds. Null: there are none of these. */
  readonly more: Promise<PullFacts> | null;
}

/** Finds the executions that belong to this head and reads their facts. */
export async function readFacts(deps: JobDeps, head: HeadState, policy: LoadedPolicy): Promise<HeadFacts> {
  const asker = askerOf(head, policy);
  const { winners, unread, refused } = await locate(deps, { head, policy, asker });
  const wanted = selectWantedFacts(policy);
  const stages = readStages(deps, winners).then((read) => [...read, ...unread].sort(byName));
  const ended = winners.filter(({ run }) => run.status !== "pending");
  const around: Around = {
    grant: contextGrantOf(deps.operator, asker),
    refs: ended.map(({ run }) => refOf(run)),
    stages,
    hidden: refused.length > 0,
  };
  const [read, context] = await Promise.all([
    stages,
    ended.length === 0 ? {} : readContext(deps.platform, wanted.judged, { around, tools: deps }),
  ]);
  const facts: PullFacts = { stages: read, refused, context: contextOf(context) };
  return { facts, more: ended.length === 0 ? null : readMore(deps, { facts, around, wanted }) };
}

interface GatherRequest {
  readonly head: HeadState;
  readonly policy: LoadedPolicy;
  readonly asker: Asker;
}

interface LocatedStages {
  readonly winners: readonly Winner[];
  /** Placeholders for executions whose stages are unknown. */
  readonly unread: readonly StageFacts[];
  readonly refused: readonly RefusedExecution[];
}

/** Finds the executions that are named for this head and picks the stage runs that count. */
async function locate(deps: JobDeps, { head, policy, asker }: GatherRequest): Promise<LocatedStages> {
  const claimed = readClaims(head.statuses, head.checks, deps.operator);
  const known = mergeCandidates([...claimed.candidates, ...(await boundCandidates(deps, head))]);
  const assumed = await assumedCandidates(deps, asker, policy);
  const candidates = mergeCandidates([...known, ...assumed]);
  const readable = candidates.filter((candidate) => mayRead(deps.operator, asker, candidate));
  const granted = (await hasLostName(deps, asker, readable)) ? [] : readable;
  const refused = candidates.filter((candidate) => !granted.includes(candidate)).map(toRefused);
  const reads = await readExecutions(deps, granted);
  const winners = pickNewest(reads.flatMap((read) => (read.state === "read" ? read.runs : [])));
  return { winners, unread: reads.flatMap(withoutStages), refused: unique([...claimed.refused, ...refused]) };
}

/**
 * Whether another repository had this name before. Without a grant, a repository sees the project with its name; names can be
 * given up and taken, so the figures stay with the repository that first had the name.
 */
async function hasLostName(
  { db, clock, operator }: JobDeps,
  asker: Asker,
  readable: readonly Candidate[],
): Promise<boolean> {
  if (readable.length === 0 || !seesOwnName(operator, asker)) return false;
  const { account } = operator;
  const project = { account, org: asker.owner, project: asker.name };
  const { repositoryId } = asker;
  return (await claimProject(db, project, { repositoryId, nowMs: clock.now() })) !== repositoryId;
}

function askerOf({ repository }: HeadState, policy: LoadedPolicy): Asker {
  return {
    ownerId: repository.ownerId,
    repositoryId: repository.id,
    owner: repository.owner,
    name: repository.name,
    narrowed: policy.state === "found" ? policy.policy.platform : { org: null, project: null },
  };
}

/** Executions bound to this head by notifications and by commits recorded on the embedded platform. */
async function boundCandidates(
  deps: JobDeps,
  { repository, pull }: HeadState,
): Promise<readonly Candidate[]> {
  const rows = await bindingsOfHead(deps.db, repository.id, pull.headSha);
  const told = rows.map(({ org, project, pipeline_execution_id: executionId, source }): Candidate => {
    return { org, project, executionId, source, proven: true, trace: NO_TRACE };
  });
  if (deps.findByCommit === null) return told;
  const shas = [pull.headSha, ...(pull.testMergeSha === null ? [] : [pull.testMergeSha])];
  const asked = { repositoryId: repository.id, repository: `${repository.owner}/${repository.name}` };
  const found = await Promise.all(shas.map((sha) => deps.findByCommit?.({ ...asked, sha }) ?? []));
  return [
    ...told,
    ...found.flat().map(
      (execution): Candidate => ({
        ...execution,
        source: "audit",
        proven: true,
        trace: NO_TRACE,
      }),
    ),
  ];
}

const toRefused = ({ org, project, executionId }: Candidate): RefusedExecution => ({
  org,
  project,
  executionId,
  reason: "not_granted",
});

/**
 * The placeholder of an execution whose stages are unknown. An announced execution that has not ended is pending; one that is
 * named and not listed is unknown, which is not the same as absent.
 */
function withoutStages(read: ExecutionRead): readonly StageFacts[] {
  const { candidate } = read;
  switch (read.state) {
    case "read":
      return [];
    case "unread":
      return [stageless(candidate, { status: "unknown", reason: unknownReason(read.failure) })];
    case "absent":
      if (!read.provisions) return [];
      return isAwaited(candidate)
        ? [stageless(candidate, { status: "pending", reason: "execution_pending" })]
        : [stageless(candidate, { status: "unknown", reason: "not_listed" })];
  }
}

const isAwaited = ({ source, proven, trace }: Candidate): boolean =>
  source === "notification" || (proven && trace.isRunning);

/** A row for an execution whose workspaces could not be read, so that its absence lets nothing pass. */
function stageless(
  candidate: Candidate,
  { status, reason }: { status: StageFacts["status"]; reason: UnknownReason },
): StageFacts {
  const fact = { state: "unknown", reason } as const;
  const { org, project, executionId, source, proven } = candidate;
  return {
    org,
    project,
    workspace: executionId,
    executionId,
    ...pageOf(candidate),
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

const unique = <T>(values: readonly T[]): readonly T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];
