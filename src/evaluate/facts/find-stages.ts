import { listExecutions } from "../../platform/contract/executions.ts";
import { createFailure, type Failure } from "../../platform/errors.ts";
import { isWholeList } from "../../platform/list-pages.ts";
import type {
  NothingToPlan,
  RefusedExecution,
  StageFacts,
  StageParts,
  UnknownReason,
} from "../../report/model/facts.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import { type Binding, listHeadBindings } from "../../store/bindings.ts";
import type { CommitSource, JobDeps } from "../run/deps.ts";
import {
  type ExecutionCandidate,
  type ExecutionClaims,
  identifyExecution,
  isOfOtherPipeline,
  mergeCandidates,
  readClaims,
  rememberHidden,
  selectHiddenLong,
  toBoundCandidate,
  UNANNOUNCED,
} from "./executions.ts";
import { canReadProject, type Grantee, hasLostName } from "./grants.ts";
import { toUnknownReason, unknown } from "./platform-facts.ts";

/** The stages that belong to a head. */
interface FoundStages {
  readonly selected: readonly SelectedStage[];
  /** Placeholders for executions whose stages are unknown. */
  readonly placeholders: readonly StageFacts[];
  readonly refused: readonly RefusedExecution[];
  readonly nothingToPlan: readonly NothingToPlan[];
}

/**
 * Finds the stages that count for a head: of the executions that its statuses, checks and bindings name, as the platform lists them; once
 * more when GitHub's history of statuses has executions that the head does not show.
 *
 * @throws GitHubError
 */
export async function findStages(current: CommitSource, grantee: Grantee): Promise<FoundStages> {
  const { deps, client, head } = current;
  const listBindings = () => listHeadBindings(deps.db, head.repository.id, head.pull.headSha);
  const claimed = readClaims(head.statuses, head.checks, deps.operator);
  const bindings = await listBindings();
  const [found, hasHidden] = await Promise.all([
    findNamedStages(current, grantee, { claimed, bindings }),
    rememberHidden(deps, client, { head, bindings }),
  ]);
  if (!hasHidden) return found;
  return findNamedStages(current, grantee, { claimed, bindings: await listBindings() });
}

async function findNamedStages(
  { deps, head }: CommitSource,
  grantee: Grantee,
  { claimed, bindings }: { readonly claimed: ExecutionClaims; readonly bindings: readonly Binding[] },
): Promise<FoundStages> {
  const { operator, clock, buildExecutionPage } = deps;
  const candidates = mergeCandidates([
    ...claimed.candidates,
    ...bindings.map((binding) => toBoundCandidate(operator, binding)),
    ...(await readRecordedCandidates(deps, head)),
  ]).map((candidate) => ({ ...candidate, page: buildExecutionPage?.(candidate) ?? candidate.page }));
  const readable = candidates.filter((candidate) => canReadProject(operator, grantee, candidate));
  const granted = readable.length > 0 && (await hasLostName(deps, grantee)) ? [] : readable;
  const refused = candidates
    .filter((candidate) => !granted.includes(candidate))
    .map(({ org, project, executionId }) => ({ org, project, executionId, reason: "not_granted" }) as const);
  const reads = await Promise.all(granted.map((candidate) => readExecution(deps, candidate)));
  const hiddenLong = selectHiddenLong(bindings, claimed.candidates, clock.now());
  const listed = reads.flatMap((read) => (read.state === "read" ? read.stages : []));
  return {
    ...selectStages(listed),
    placeholders: reads
      .filter(({ state, candidate }) => state !== "absent" || !hiddenLong.has(identifyExecution(candidate)))
      .flatMap(toPlaceholder),
    refused: removeDuplicates([...claimed.refused, ...refused]),
  };
}

const removeDuplicates = <T>(values: readonly T[]): readonly T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

/** Returns the executions that the embedded platform recorded with a commit of this head. */
async function readRecordedCandidates(
  { findByCommit }: JobDeps,
  { repository, pull }: CommitSource["head"],
): Promise<readonly ExecutionCandidate[]> {
  if (findByCommit === null) return [];
  const shas = [pull.headSha, ...(pull.testMergeSha === null ? [] : [pull.testMergeSha])];
  const repositoryKey = { repositoryId: repository.id, repository: `${repository.owner}/${repository.name}` };
  const found = await Promise.all(shas.map((sha) => findByCommit({ ...repositoryKey, sha })));
  return found
    .flat()
    .map((execution) => ({ ...execution, source: "audit", proven: true, ...UNANNOUNCED }) as const);
}

/** One stage of a candidate, as the platform records it. */
export interface StageExecution extends ExecutionCandidate {
  readonly workspace: string;
  readonly stageExecutionId: string;
  readonly status: StageFacts["status"];
  /** In ms since 1970; null: not stated. */
  readonly createdMs: number | null;
  /** Who stated that there is nothing to plan; null: nobody. */
  readonly noChangesBy: string | null;
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
    ({ workspace, pipeline_stage_id: stageExecutionId, status, created, no_changes_by }): StageExecution => ({
      ...candidate,
      workspace,
      stageExecutionId,
      status: STATUS[status] ?? "unknown",
      createdMs: created,
      noChangesBy: no_changes_by ?? null,
    }),
  );
  return { state: "read", candidate, stages };
}

const STATUS: Readonly<Record<string, StageExecution["status"]>> = {
  none: "pending",
  success: "succeeded",
  failure: "failed",
};

/** The stage that counts for one workspace, and the executions that it replaces. */
export interface SelectedStage extends StageExecution {
  readonly superseded: readonly string[];
}

/**
 * Returns one stage per org, project and workspace: the newest that ended, or a newer pending one. A stage
 * that is only claimed never replaces a proven one. Superseded executions are listed and never added to a sum.
 */
export function selectNewestStages(stages: readonly StageExecution[]): readonly SelectedStage[] {
  const byWorkspace = Map.groupBy(stages, buildStageKey);
  return [...byWorkspace.values()].flatMap((group) => {
    const [stage, ...older] = [...group].sort(byProofThenAge);
    if (stage === undefined) return [];
    const others = older.map(({ executionId }) => executionId).filter((id) => id !== stage.executionId);
    return [{ ...stage, superseded: [...new Set(others)] }];
  });
}

/**
 * Returns the stages that count, and the statements that a workspace has nothing to plan. A statement that is not proven to belong here is
 * a stage of which nothing is known, and one beside an execution of the same workspace counts for nothing.
 */
export function selectStages(
  listed: readonly StageExecution[],
): Pick<FoundStages, "selected" | "nothingToPlan"> {
  const isStatement = ({ noChangesBy, proven }: StageExecution): boolean => noChangesBy !== null && proven;
  const selected = selectNewestStages(listed.filter((stage) => !isStatement(stage)));
  const planned = new Set(selected.map(buildStageKey));
  const statements = selectNewestStages(listed.filter(isStatement));
  return {
    selected,
    nothingToPlan: statements.flatMap(
      ({ org, project, workspace, executionId, noChangesBy: by, ...stage }) =>
        by === null || stage.status !== "succeeded" || planned.has(buildStageKey({ org, project, workspace }))
          ? []
          : [{ org, project, workspace, executionId, by }],
    ),
  };
}

const byProofThenAge = (a: StageExecution, b: StageExecution): number =>
  Number(b.proven) - Number(a.proven) || (b.createdMs ?? 0) - (a.createdMs ?? 0);

/**
 * Returns the placeholder of an execution whose stages are unknown, so that its absence does not make the verdict pass. An announced
 * execution that has not ended is pending; one that is named and not listed is unknown, which differs from absent.
 */
function toPlaceholder(read: ExecutionRead): readonly StageFacts[] {
  const { candidate } = read;
  switch (read.state) {
    case "read":
      return [];
    case "unread":
      return [buildStagelessFacts(candidate, "unknown", toUnknownReason(read.failure))];
    case "absent":
      if (!read.canProvision) return [];
      return candidate.source === "notification" || (candidate.proven && candidate.isRunning)
        ? [buildStagelessFacts(candidate, "pending", "execution_pending")]
        : [buildStagelessFacts(candidate, "unknown", "not_listed")];
  }
}

/** Returns a stage for an execution whose workspaces could not be read. */
function buildStagelessFacts(
  candidate: ExecutionCandidate,
  status: StageFacts["status"],
  reason: UnknownReason,
): StageFacts {
  const stage = { workspace: candidate.executionId, stageExecutionId: "", status };
  return {
    ...buildStageFacts(
      { ...candidate, ...stage, createdMs: null, noChangesBy: null, superseded: [] },
      buildUnknownParts(reason),
    ),
    isUnread: true,
  };
}

/** Returns the facts of a stage of which nothing is known. */
export function buildUnknownParts(reason: UnknownReason): StageParts {
  const fact = unknown(reason);
  return { cost: fact, modules: fact, counts: fact, rows: fact };
}

/** Joins what was read of a stage with what it is. */
export function buildStageFacts(stage: SelectedStage, parts: StageParts): StageFacts {
  const { org, project, workspace, executionId, stageExecutionId, source, proven, status } = stage;
  const { page, createdMs, superseded } = stage;
  return {
    org,
    project,
    workspace,
    executionId,
    stageExecutionId,
    source,
    proven,
    status,
    ...(page !== null && { executionPage: page }),
    createdMs,
    ...parts,
    superseded,
  };
}
