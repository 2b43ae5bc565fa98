import { createHash } from "node:crypto";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { InstallationClient } from "../../github/client/installation-client.ts";
import type { HeadState } from "../../github/head/head-state.ts";
import type { CostChange, ModuleCosts } from "../../platform/contract/cost-changes.ts";
import { listModuleCosts, listStageCosts } from "../../platform/contract/cost-changes.ts";
import { getPushDisabled } from "../../platform/contract/settings.ts";
import type { PlatformResult } from "../../platform/errors.ts";
import type { WantedFacts } from "../../policy/decide/wanted-facts.ts";
import { selectWantedFacts } from "../../policy/decide/wanted-facts.ts";
import type { LoadedPolicy } from "../../policy/model/loaded-policy.ts";
import type { ContextFacts, ContextName, PullFacts } from "../../report/model/context.ts";
import type { Fact, StageFacts, StageParts } from "../../report/model/facts.ts";
import { findFinalFacts, saveFinalFacts } from "../../store/final-facts.ts";
import type { JobDeps } from "../run/deps.ts";
import { saveAttributes, withAttributes, withStoredAttributes } from "./attribute-values.ts";
import type { ChangeFacts } from "./change-facts.ts";
import {
  buildContextFacts,
  type ContextQuery,
  computeContextGrant,
  readContext,
} from "./context/read-context.ts";
import { identifyExecution } from "./executions/claims.ts";
import {
  buildStageFacts,
  buildUnknownParts,
  findStages,
  type SelectedStage,
  type StageExecution,
} from "./executions/find-stages.ts";
import type { Grantee } from "./platform/platform-facts.ts";
import { toCostFact, toModulesFact, unknown } from "./platform/platform-facts.ts";
import type { StageRef } from "./platform/read-rows.ts";
import { readChanges } from "./read-changes.ts";

/** The facts of a head. */
export interface HeadFacts {
  /** The facts that the verdict depends on. */
  readonly facts: PullFacts;
  /** The facts including those that are only shown; settles within seconds. Null: there are none of these. */
  readonly shownFacts: Promise<PullFacts> | null;
}

/** Finds the executions that belong to this head and reads the facts that the policy wants. */
export async function readFacts(
  deps: JobDeps,
  client: InstallationClient,
  { head, policy }: { readonly head: HeadState; readonly policy: LoadedPolicy },
): Promise<HeadFacts> {
  const grantee = buildGrantee(head, policy);
  const { selected, placeholders, refused } = await findStages(deps, client, { head, grantee });
  const wanted = selectWantedFacts(policy);
  const stages = readStages(deps, selected).then((read) => [...read, ...placeholders].sort(byName));
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

function buildGrantee({ repository }: HeadState, policy: LoadedPolicy): Grantee {
  return {
    ownerId: repository.ownerId,
    repositoryId: repository.id,
    owner: repository.owner,
    name: repository.name,
    restriction: policy.state === "found" ? policy.policy.platform : { org: null, project: null },
  };
}

function byName(a: StageFacts, b: StageFacts): number {
  const key = ({ org, project, workspace }: StageFacts) => `${org}/${project}/${workspace}`;
  return key(a) < key(b) ? -1 : 1;
}

/** Reads costs and changes of the stages that count, in parallel. Final facts are read once and stored. */
async function readStages(deps: JobDeps, selected: readonly SelectedStage[]): Promise<readonly StageFacts[]> {
  const executions = Map.groupBy(selected, ({ stage }) => identifyExecution(stage.candidate));
  const read = await Promise.all([...executions.values()].map((group) => readOneExecution(deps, group)));
  return read.flat();
}

async function readOneExecution(
  deps: JobDeps,
  selected: readonly SelectedStage[],
): Promise<readonly StageFacts[]> {
  const key = buildFinalKey(deps, selected);
  if (key === null) return assembleStages(selected, await readParts(deps, selected));
  const saved = await findFinalFacts(deps.db, key);
  if (saved !== null) return assembleStages(selected, saved); // of the same winners in the same order
  const parts = await readParts(deps, selected);
  if (parts.every(isFinal))
    await saveFinalFacts(deps.db, { ...key, facts: parts }, new Date(deps.clock.now()));
  return assembleStages(selected, parts);
}

/** The key of the final facts of an execution's stages; null: there are none, because a stage has not ended. */
function buildFinalKey(deps: JobDeps, selected: readonly SelectedStage[]) {
  const [first] = selected;
  const ended = selected.every(({ stage }) => stage.status === "succeeded" || stage.status === "failed");
  if (first === undefined || !ended) return null;
  return { execution: buildExecutionKey(deps, first.stage), stages: computeFingerprint(selected) };
}

const buildExecutionKey = ({ operator }: JobDeps, { candidate }: StageExecution) => ({
  account: operator.account,
  org: candidate.org,
  project: candidate.project,
  pipeline_execution_id: candidate.executionId,
});

/** Returns a digest of what these stages of an execution are and how they ended; facts are only theirs. */
const computeFingerprint = (selected: readonly SelectedStage[]): string =>
  createHash("sha256")
    .update(
      JSON.stringify(selected.map(({ stage }) => [stage.stageExecutionId, stage.workspace, stage.status])),
    )
    .digest("hex");

/**
 * Whether all facts are final. An unknown count of replacements is not final: a page may have been missing.
 */
const isFinal = ({ cost, modules, counts, rows }: StageParts): boolean =>
  [cost, modules, rows].every(({ state }) => state === "known") &&
  counts.state === "known" &&
  counts.value.replaced !== null;

const assembleStages = (
  selected: readonly SelectedStage[],
  parts: readonly StageParts[],
): readonly StageFacts[] =>
  selected.map(({ stage, superseded }, index) =>
    buildStageFacts(stage, { parts: parts[index] ?? PENDING, superseded }),
  );

const PENDING = buildUnknownParts("execution_pending");

async function readParts(deps: JobDeps, selected: readonly SelectedStage[]): Promise<readonly StageParts[]> {
  const candidate = selected[0]?.stage.candidate;
  const running = selected.every(({ stage }) => stage.status === "pending");
  if (candidate === undefined || running) return selected.map(() => PENDING);
  const params = {
    org: candidate.org,
    project: candidate.project,
    pipeline_execution_id: candidate.executionId,
  };
  const [costs, modules, disabled, changes] = await Promise.all([
    deps.platform.call(listStageCosts, { params }),
    deps.platform.call(listModuleCosts, { params }),
    deps.platform.call(getPushDisabled, { params: { org: candidate.org, project: candidate.project } }),
    Promise.all(selected.map(({ stage }) => readStageChanges(deps, stage))),
  ]);
  await setImmediate(); // others get a turn after the parsing of large costs
  const pushDisabled = disabled.ok && disabled.value.disabled;
  return selected.map(({ stage }, index) => {
    if (stage.status === "pending") return PENDING;
    const read = {
      cost: toCostFact(findStageEntry(costs, stage)),
      modules: toModulesFact(findStageEntry(modules, stage)),
    };
    return explainMissingChanges({ ...read, ...(changes[index] ?? PENDING) } as StageParts, pushDisabled);
  });
}

function readStageChanges(
  deps: JobDeps,
  { candidate, stageExecutionId, status }: StageExecution,
): Promise<ChangeFacts> {
  if (status === "pending") return Promise.resolve(PENDING);
  return readChanges(deps.platform, toStageRef({ candidate, stageExecutionId }));
}

const toStageRef = ({
  candidate,
  stageExecutionId,
}: Pick<StageExecution, "candidate" | "stageExecutionId">): StageRef => ({
  org: candidate.org,
  project: candidate.project,
  pipeline_execution_id: candidate.executionId,
  pipeline_stage_id: stageExecutionId,
});

/** Returns this stage's entry in an answer about all stages; undefined: there is none. */
function findStageEntry<T extends CostChange | ModuleCosts>(
  answer: PlatformResult<readonly T[]>,
  { stageExecutionId, workspace }: StageExecution,
): PlatformResult<T | undefined> {
  if (!answer.ok) return answer;
  const ofStage = answer.value.find(({ stage_execution_id }) => stage_execution_id === stageExecutionId);
  const ofWorkspace = answer.value.filter(({ workspace_id }) => workspace_id === workspace);
  return { ...answer, value: ofStage ?? (ofWorkspace.length === 1 ? ofWorkspace[0] : undefined) };
}

/** Sets the reason for missing changes in a project that does not accept plan data. */
function explainMissingChanges(parts: StageParts, pushDisabled: boolean): StageParts {
  if (!pushDisabled) return parts;
  const because = <T>(fact: Fact<T>): Fact<T> =>
    fact.state === "known" ? fact : { state: "unknown", reason: "push_disabled" };
  return { ...parts, counts: because(parts.counts), rows: because(parts.rows) };
}

/** Longest time that the comment waits for facts that are only shown, in ms. */
const PATIENCE_MS = 5_000;

interface ShownFactsQuery {
  readonly facts: PullFacts;
  readonly query: ContextQuery;
  readonly wanted: WantedFacts;
}

/** Reads the facts that are only shown. A fact that does not arrive in time is unknown. Never rejects. */
async function readShownFacts(deps: JobDeps, { facts, query, wanted }: ShownFactsQuery): Promise<PullFacts> {
  const over = new AbortController();
  const late = sleep(PATIENCE_MS, undefined, { signal: over.signal }).catch(() => undefined);
  const intime = <T>(work: Promise<T>, otherwise: T): Promise<T> =>
    Promise.race([work, late.then(() => otherwise)]);
  const reads = wanted.shown.map((name) =>
    intime<Partial<ContextFacts>>(
      readContext(deps.backgroundPlatform, [name], { query, tools: deps }),
      buildTimedOutFact(name),
    ),
  );
  try {
    const [stages, ...context] = await Promise.all([
      wanted.attributes ? intime(readChangedAttributes(deps, facts), facts.stages) : facts.stages,
      ...reads,
    ]);
    return { ...facts, stages, context: Object.assign({}, facts.context, ...context) };
  } finally {
    over.abort();
  }
}

const buildTimedOutFact = (name: ContextName): Partial<ContextFacts> => ({ [name]: unknown("timed_out") });

async function readChangedAttributes(deps: JobDeps, { stages }: PullFacts): Promise<readonly StageFacts[]> {
  try {
    const read = await withAttributes(deps.backgroundPlatform, await withStoredAttributes(deps, stages));
    await saveAttributes(deps, read);
    return read;
  } catch (error) {
    deps.log.error({ error }, "the attributes that change could not be read");
    return stages;
  }
}
