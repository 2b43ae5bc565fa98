import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { ExecutionRef } from "../../kernel/ids.ts";
import { ZERO } from "../../kernel/money.ts";
import type { CostChange, ModuleCosts } from "../../platform/contract/cost-changes.ts";
import { listModuleCosts, listStageCosts } from "../../platform/contract/cost-changes.ts";
import { getPushDisabled } from "../../platform/contract/settings.ts";
import type { PlatformResult } from "../../platform/errors.ts";
import { selectWantedFacts, type WantedFacts } from "../../policy/decide/wanted-facts.ts";
import type { LoadedPolicy } from "../../policy/model/loaded-policy.ts";
import {
  type ContextFacts,
  type ModuleRange,
  NO_CONTEXT,
  NO_FACTS,
  type PullFacts,
} from "../../report/model/context.ts";
import type { Fact, StageFacts, StageParts } from "../../report/model/facts.ts";
import { getFactValue } from "../../report/stages.ts";
import { computeDigest } from "../../store/digest.ts";
import { findFinalFacts, saveFinalFacts } from "../../store/final-facts.ts";
import { listModuleRanges } from "../../store/history/accuracy.ts";
import type { CommitSource, JobDeps } from "../run/deps.ts";
import { readAttributes, saveDetails } from "./attribute-values.ts";
import type { ContextQuery } from "./context-query.ts";
import { buildExecutionKey, identifyExecution, toStageRef, UNANNOUNCED } from "./executions.ts";
import {
  buildStageFacts,
  buildUnknownParts,
  findStages,
  readExecution,
  type SelectedStage,
  selectStages,
} from "./find-stages.ts";
import { computeContextGrant, toGrantee } from "./grants.ts";
import { toCostFact, toModulesFact, toUnknownReason, UnreadError, unknown } from "./platform-facts.ts";
import { readChanges } from "./read-changes.ts";
import { readContext } from "./read-context.ts";
import { type RowDetails, readRowDetails } from "./row-details.ts";

/** The facts of a head. */
interface HeadFacts {
  /** The facts that the verdict depends on. */
  readonly facts: PullFacts;
  readonly attributes: RowDetails["attributes"];
  /** The facts including those that are only shown; settles within seconds. Null: there are none of these. */
  readonly shownFacts: Promise<PullFacts> | null;
}

/** Finds the executions that belong to this commit and reads the facts that the policy wants. */
export async function readFacts(
  current: CommitSource,
  policy: LoadedPolicy,
  /** `isShown`: whether facts that are only shown are read, too; `ranges`: those of an earlier evaluation of this head. */
  { isShown = true, ranges = [] }: { isShown?: boolean; ranges?: readonly ModuleRange[] } = {},
): Promise<HeadFacts> {
  const { deps, head } = current;
  const grantee = toGrantee(head.repository, policy.state === "found" ? policy.policy.platform : undefined);
  const { selected, placeholders, refused, nothingToPlan } = await findStages(current, grantee);
  const wanted = selectWantedFacts(policy);
  const stages = readStages(deps, selected).then((read) => [...read, ...placeholders].sort(byName));
  const ended = selected.filter(({ status }) => status !== "pending");
  const query: ContextQuery = {
    platform: deps.platform,
    grant: computeContextGrant(deps.operator, grantee),
    operator: deps.operator,
    refs: ended.map(toStageRef),
    stages,
    hasRefused: refused.length > 0,
    nowMs: deps.clock.now(),
    log: deps.log,
  };
  const hasEnded = ended.length + nothingToPlan.length > 0;
  const [read, context] = await Promise.all([stages, hasEnded ? readContext(wanted.required, query) : {}]);
  const { stages: detailed, attributes } = await readRowDetails(deps, read, wanted);
  const moduleRanges = isShown ? await readModuleRanges(current, read, ranges) : [];
  const facts: PullFacts = {
    stages: detailed,
    refused,
    ...(moduleRanges.length > 0 && { moduleRanges }),
    ...(nothingToPlan.length > 0 && { nothingToPlan }),
    context: { ...NO_CONTEXT, ...context },
  };
  return {
    facts,
    attributes,
    shownFacts: hasEnded && isShown ? readShownFacts(deps, { facts, query, wanted }) : null,
  };
}

/** Comparisons of a module from which on its range is known. */
const LEAST_COMPARED = 10;

/** Reads how past changes of the changed modules came out. A range that this head had stays: a further comparison alone is no reason to write. */
async function readModuleRanges(
  { deps, head: { repository } }: CommitSource,
  stages: readonly StageFacts[],
  known: readonly ModuleRange[],
): Promise<readonly ModuleRange[]> {
  const modules = stages.flatMap((stage) => getFactValue(stage.modules) ?? []);
  const changed = new Set(modules.flatMap(({ module, change }) => (change === ZERO ? [] : module)));
  if (changed.size === 0) return [];
  const query = { modules: [...changed], least: LEAST_COMPARED };
  return (await listModuleRanges(deps.db, repository.id, query)).map(
    (range) => known.find((one) => one.module === range.module && one.currency === range.currency) ?? range,
  );
}

function byName(a: StageFacts, b: StageFacts): number {
  const key = ({ org, project, workspace }: StageFacts) => `${org}/${project}/${workspace}`;
  return key(a) < key(b) ? -1 : 1;
}

/** Reads costs and changes of the stages that count, in parallel. Final facts are read once and stored. */
async function readStages(deps: JobDeps, selected: readonly SelectedStage[]): Promise<readonly StageFacts[]> {
  const executions = Map.groupBy(selected, identifyExecution);
  const read = [...executions.values()].map(async (stages) => {
    const parts = await readFinalParts(deps, stages);
    return stages.map((stage, index) => buildStageFacts(stage, parts[index] ?? PENDING));
  });
  return (await Promise.all(read)).flat();
}

const PENDING = buildUnknownParts("execution_pending");

/** Reads what is known of the stages of one execution, in their order; once it is final, from the store. */
async function readFinalParts(
  deps: JobDeps,
  stages: readonly SelectedStage[],
): Promise<readonly StageParts[]> {
  const [first] = stages;
  const haveEnded = stages.every(({ status }) => status === "succeeded" || status === "failed");
  if (first === undefined || !haveEnded) return readParts(deps, stages);
  const key = { execution: buildExecutionKey(deps.operator, first), stages: computeFingerprint(stages) };
  const saved = await findFinalFacts(deps.db, key);
  if (saved !== null) return saved;
  const parts = await readParts(deps, stages);
  if (parts.every(isFinal))
    await saveFinalFacts(deps.db, { ...key, facts: parts }, new Date(deps.clock.now()));
  return parts;
}

/** Returns a digest of what these stages of an execution are and how they ended; facts are only theirs. */
const computeFingerprint = (stages: readonly SelectedStage[]): string =>
  computeDigest(
    stages.map(({ stageExecutionId, workspace, status }) => [stageExecutionId, workspace, status]),
  );

/** Whether all facts are final. An unknown count of replacements is not final: a page may have been missing. */
const isFinal = ({ cost, modules, counts, rows }: StageParts): boolean =>
  [cost, modules, rows].every(({ state }) => state === "known") &&
  counts.state === "known" &&
  counts.value.replaced !== null;

/**
 * What the platform states now of an execution: of each workspace the newest stage, or the one stage that `stageId` names. Nothing is stored. Null: it lists
 * none.
 *
 * @throws UnreadError
 */
export async function readExecutionFacts(
  deps: Pick<JobDeps, "db" | "operator" | "platform">,
  execution: ExecutionRef,
  stageId: string | null,
): Promise<PullFacts | null> {
  const candidate = { ...execution, source: "audit", proven: true, ...UNANNOUNCED } as const;
  const read = await readExecution(deps, candidate);
  if (read.state === "unread") throw new UnreadError(toUnknownReason(read.failure));
  if (read.state === "absent") return null;
  const wanted = read.stages.filter(
    ({ stageExecutionId }) => (stageId ?? stageExecutionId) === stageExecutionId,
  );
  if (wanted.length === 0) return null;
  const { selected, nothingToPlan } = selectStages(wanted);
  const parts = await readParts(deps, selected);
  const stages = selected.map((stage, index) => buildStageFacts(stage, parts[index] ?? PENDING)).sort(byName);
  const detailed = await readAttributes(deps, deps.platform, stages);
  return { ...NO_FACTS, stages: detailed, ...(nothingToPlan.length > 0 && { nothingToPlan }) };
}

async function readParts(
  deps: Pick<JobDeps, "platform">,
  stages: readonly SelectedStage[],
): Promise<readonly StageParts[]> {
  const [first] = stages;
  const areRunning = stages.every(({ status }) => status === "pending");
  if (first === undefined || areRunning) return stages.map(() => PENDING);
  const { org, project, executionId: pipeline_execution_id } = first;
  const params = { org, project, pipeline_execution_id };
  const [costs, modules, disabled, changes] = await Promise.all([
    deps.platform.call(listStageCosts, { params }),
    deps.platform.call(listModuleCosts, { params }),
    deps.platform.call(getPushDisabled, { params: { org, project } }),
    Promise.all(
      stages.map((stage) =>
        stage.status === "pending" ? PENDING : readChanges(deps.platform, toStageRef(stage)),
      ),
    ),
  ]);
  await setImmediate(); // others get a turn after the parsing of large costs
  const isPushDisabled = disabled.ok && disabled.value.disabled;
  return stages.map((stage, index) => {
    if (stage.status === "pending") return PENDING;
    const read: StageParts = {
      ...(changes[index] ?? PENDING),
      cost: toCostFact(findStageEntry(costs, stage)),
      modules: toModulesFact(findStageEntry(modules, stage)),
    };
    return isPushDisabled ? explainMissingChanges(read) : read;
  });
}

/** Returns this stage's entry in an answer about all stages; undefined: there is none. */
export function findStageEntry<T extends CostChange | ModuleCosts>(
  answer: PlatformResult<readonly T[]>,
  { stageExecutionId, workspace }: Pick<SelectedStage, "stageExecutionId" | "workspace">,
): PlatformResult<T | undefined> {
  if (!answer.ok) return answer;
  const ofStage = answer.value.find(({ stage_execution_id }) => stage_execution_id === stageExecutionId);
  const ofWorkspace = answer.value.filter(({ workspace_id }) => workspace_id === workspace);
  return { ...answer, value: ofStage ?? (ofWorkspace.length === 1 ? ofWorkspace[0] : undefined) };
}

/** Sets the reason for missing changes in a project that does not accept plan data. */
function explainMissingChanges(parts: StageParts): StageParts {
  const because = <T>(fact: Fact<T>): Fact<T> => (fact.state === "known" ? fact : unknown("push_disabled"));
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
  const withinTime = <T>(work: Promise<T>, otherwise: T): Promise<T> =>
    Promise.race([work, late.then(() => otherwise)]);
  const reads = wanted.shown.map((name) =>
    withinTime<Partial<ContextFacts>>(readContext([name], { ...query, platform: deps.backgroundPlatform }), {
      [name]: unknown("timed_out"),
    }),
  );
  try {
    const [stages, ...context] = await Promise.all([
      wanted.attributes ? withinTime(readChangedAttributes(deps, facts), facts.stages) : facts.stages,
      ...reads,
    ]);
    return { ...facts, stages, context: Object.assign({}, facts.context, ...context) };
  } finally {
    over.abort();
  }
}

async function readChangedAttributes(deps: JobDeps, { stages }: PullFacts): Promise<readonly StageFacts[]> {
  try {
    const known = await readAttributes(deps, deps.backgroundPlatform, stages);
    for (const stage of known) await saveDetails(deps, stage);
    return known;
  } catch (error) {
    deps.log.error({ error }, "the attributes that change could not be read");
    return stages;
  }
}
