import { createHash } from "node:crypto";
import type { CostChange, ModuleCosts } from "../../platform/contract/cost-changes.ts";
import { listModuleCosts, listStageCosts } from "../../platform/contract/cost-changes.ts";
import { getPushDisabled } from "../../platform/contract/settings.ts";
import type { PlatformResult } from "../../platform/errors.ts";
import type { Fact, StageFacts } from "../../report/model/facts.ts";
import { findFinalFacts, saveFinalFacts } from "../../store/final-facts.ts";
import type { StageParts } from "../../store/json/stored-values.ts";
import type { JobDeps } from "../run/deps.ts";
import type { Candidate } from "./executions/claims.ts";
import type { StageRun, Winner } from "./executions/executions.ts";
import { costFact, modulesFact } from "./platform/platform-facts.ts";
import type { StageRef } from "./platform/read-rows.ts";
import { readChanges } from "./read-changes.ts";

/** Reads costs and changes of the stage runs that count, in parallel; final facts are read once and stored. */
export async function readStages(deps: JobDeps, winners: readonly Winner[]): Promise<readonly StageFacts[]> {
  const executions = Map.groupBy(winners, ({ run }) =>
    JSON.stringify([run.candidate.org, run.candidate.project, run.candidate.executionId]),
  );
  const read = await Promise.all([...executions.values()].map((group) => readOneExecution(deps, group)));
  return read.flat();
}

async function readOneExecution(deps: JobDeps, winners: readonly Winner[]): Promise<readonly StageFacts[]> {
  const first = winners[0];
  if (first === undefined) return [];
  const execution = keyOf(deps, first.run);
  const stages = fingerprint(winners);
  const ended = winners.every(({ run }) => run.status === "succeeded" || run.status === "failed");
  const saved = ended ? await findFinalFacts(deps.db, { execution, stages }) : null;
  if (saved !== null) return assemble(winners, saved); // of the same winners in the same order
  const parts = await readParts(deps, winners);
  if (ended && parts.every(isFinal))
    await saveFinalFacts(deps.db, { execution, stages, facts: parts }, new Date(deps.clock.now()));
  return assemble(winners, parts);
}

const keyOf = ({ operator }: JobDeps, { candidate }: StageRun) => ({
  account: operator.account,
  org: candidate.org,
  project: candidate.project,
  pipeline_execution_id: candidate.executionId,
});

/**
 * Counted up when more is read than before: facts that an older version kept are read again. 2: usage-based resources, and
 * totals that contradict each other.
 */
const READING = 2;

const fingerprint = (winners: readonly Winner[]): string =>
  createHash("sha256")
    .update(
      JSON.stringify([READING, winners.map(({ run }) => [run.stageExecutionId, run.workspace, run.status])]),
    )
    .digest("hex");

/** A count of replacements that could not be made out is not known either: a page may have been missing. */
const isFinal = ({ cost, modules, counts, rows }: StageParts): boolean =>
  [cost, modules, rows].every(({ state }) => state === "known") &&
  counts.state === "known" &&
  counts.value.replaced !== null;

const assemble = (winners: readonly Winner[], parts: readonly StageParts[]): readonly StageFacts[] =>
  winners.map(({ run, superseded }, index) => {
    const { org, project, executionId, source, proven } = run.candidate;
    const { workspace, stageExecutionId, status, createdMs } = run;
    const about = {
      org,
      project,
      workspace,
      executionId,
      ...pageOf(run.candidate),
      stageExecutionId,
      source,
      proven,
      status,
      createdMs,
    };
    return { ...about, ...(parts[index] ?? PENDING), superseded };
  });

/** The page of a candidate as facts have it. */
export const pageOf = ({ trace: { page } }: Candidate): Pick<StageFacts, "executionPage"> =>
  page === null ? {} : { executionPage: page };

const pendingFact = { state: "unknown", reason: "execution_pending" } as const;
const PENDING: StageParts = {
  cost: pendingFact,
  modules: pendingFact,
  counts: pendingFact,
  rows: pendingFact,
};

async function readParts(deps: JobDeps, winners: readonly Winner[]): Promise<readonly StageParts[]> {
  const candidate = winners[0]?.run.candidate;
  const running = winners.every(({ run }) => run.status === "pending");
  if (candidate === undefined || running) return winners.map(() => PENDING);
  const params = {
    org: candidate.org,
    project: candidate.project,
    pipeline_execution_id: candidate.executionId,
  };
  const [costs, modules, disabled, changes] = await Promise.all([
    deps.platform.call(listStageCosts, { params }),
    deps.platform.call(listModuleCosts, { params }),
    deps.platform.call(getPushDisabled, { params: { org: candidate.org, project: candidate.project } }),
    Promise.all(winners.map(({ run }) => readChangesOf(deps, run))),
  ]);
  const pushDisabled = disabled.ok && disabled.value.disabled;
  return winners.map(({ run }, index) => {
    if (run.status === "pending") return PENDING;
    const read = { cost: costFact(entryOf(costs, run)), modules: modulesFact(entryOf(modules, run)) };
    return explain({ ...read, ...(changes[index] ?? PENDING) } as StageParts, pushDisabled);
  });
}

function readChangesOf(
  deps: JobDeps,
  { candidate, stageExecutionId, status }: StageRun,
): Promise<Pick<StageParts, "counts" | "rows">> {
  if (status === "pending") return Promise.resolve({ counts: pendingFact, rows: pendingFact });
  return readChanges(deps.platform, refOf({ candidate, stageExecutionId }));
}

export const refOf = ({
  candidate,
  stageExecutionId,
}: Pick<StageRun, "candidate" | "stageExecutionId">): StageRef => ({
  org: candidate.org,
  project: candidate.project,
  pipeline_execution_id: candidate.executionId,
  pipeline_stage_id: stageExecutionId,
});

/** This run's entry in an answer about all stages; undefined: the answer does not mention it. */
function entryOf<T extends CostChange | ModuleCosts>(
  answer: PlatformResult<readonly T[]>,
  { stageExecutionId, workspace }: StageRun,
): PlatformResult<T | undefined> {
  if (!answer.ok) return answer;
  const ofStage = answer.value.find(({ stage_execution_id }) => stage_execution_id === stageExecutionId);
  const ofWorkspace = answer.value.filter(({ workspace_id }) => workspace_id === workspace);
  return { ...answer, value: ofStage ?? (ofWorkspace.length === 1 ? ofWorkspace[0] : undefined) };
}

/** Where the project forbids plan data to be pushed, that is why it is missing. */
function explain(parts: StageParts, pushDisabled: boolean): StageParts {
  if (!pushDisabled) return parts;
  const because = <T>(fact: Fact<T>): Fact<T> =>
    fact.state === "known" ? fact : { state: "unknown", reason: "push_disabled" };
  return { ...parts, counts: because(parts.counts), rows: because(parts.rows) };
}
