import type { HeadState } from "../../github/head/head-state.ts";
import { NO_CONTEXT } from "../../report/context.ts";
import type { RefusedExecution, StageFacts, UnknownReason } from "../../report/facts.ts";
import type { PullFacts } from "../../report/pull-facts.ts";
import { bindingsOfHead } from "../../store/bindings.ts";
import type { JobDeps } from "../deps.ts";
import type { LoadedPolicy } from "../lane/policy.ts";
import { assumedCandidates } from "./assumed.ts";
import { type Candidate, mergeCandidates, readClaims } from "./claims.ts";
import { type ExecutionRead, pickNewest, readExecution } from "./executions.ts";
import { type Asker, mayRead } from "./grants.ts";
import { unknownReason } from "./platform-facts.ts";
import { readStages } from "./stages.ts";

/** Which executions belong to this head, and all that can be read about them. Reads only. */
export async function gatherFacts(deps: JobDeps, head: HeadState, policy: LoadedPolicy): Promise<PullFacts> {
  const asker = askerOf(head, policy);
  const claimed = readClaims(head.statuses, head.checks, deps.operator);
  const known = mergeCandidates([...claimed.candidates, ...(await boundCandidates(deps, head))]);
  const assumed = await assumedCandidates(deps, asker, policy);
  const candidates = mergeCandidates([...known, ...assumed]);
  const granted = candidates.filter((candidate) => mayRead(deps.operator, asker, candidate));
  const refused = candidates.filter((candidate) => !granted.includes(candidate)).map(toRefused);
  const reads = await Promise.all(granted.map((candidate) => readExecution(deps, candidate)));
  const winners = pickNewest(reads.flatMap((read) => (read.state === "read" ? read.runs : [])));
  const unread = reads.flatMap(withoutStages);
  const stages = await readStages(deps, winners);
  return {
    stages: [...stages, ...unread].sort(byName),
    refused: unique([...claimed.refused, ...refused]),
    context: NO_CONTEXT,
  };
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

/** What was told to us about this head: notifications, and commits recorded on the embedded platform. */
async function boundCandidates(
  deps: JobDeps,
  { repository, pull }: HeadState,
): Promise<readonly Candidate[]> {
  const rows = await bindingsOfHead(deps.db, repository.id, pull.headSha);
  const told = rows.map(({ org, project, pipeline_execution_id: executionId, source }): Candidate => {
    return { org, project, executionId, source, proven: true };
  });
  if (deps.findByCommit === null) return told;
  const shas = [pull.headSha, ...(pull.testMergeSha === null ? [] : [pull.testMergeSha])];
  const asked = { repositoryId: repository.id, repository: `${repository.owner}/${repository.name}` };
  const found = await Promise.all(shas.map((sha) => deps.findByCommit?.({ ...asked, sha }) ?? []));
  return [
    ...told,
    ...found.flat().map((execution): Candidate => ({ ...execution, source: "audit", proven: true })),
  ];
}

const toRefused = ({ org, project, executionId }: Candidate): RefusedExecution => ({
  org,
  project,
  executionId,
  reason: "not_granted",
});

/** What stands for an execution whose stages are not known. One that was announced to us is expected to have some. */
function withoutStages(read: ExecutionRead): readonly StageFacts[] {
  if (read.state === "unread") {
    const reason = unknownReason(read.failure);
    return [stageless(read.candidate, { status: "unknown", reason })];
  }
  const isAnnounced = read.candidate.source === "notification" && read.runs.length === 0;
  return isAnnounced ? [stageless(read.candidate, { status: "pending", reason: "execution_pending" })] : [];
}

/** An execution about which not even its workspaces could be read still has a row, so that nothing passes for lack of it. */
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
