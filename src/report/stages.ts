import { compileGlob } from "../kernel/glob.ts";
import type {
  ChangeCounts,
  Fact,
  StageCost,
  StageFacts,
  UnknownReason,
  UnpricedResources,
} from "./model/facts.ts";
import type { StageReport } from "./model/report.ts";
import { buildUnchangedCosts } from "./tags.ts";
import {
  type CostConfidence,
  isContradictedByParts,
  isDeltaContradictory,
  isStatedInFull,
  KNOWN_CONFIDENCE,
  UNKNOWN_DELTA,
  withPercent,
} from "./totals.ts";
import { buildStageUsage, countStageUsage, findListDoubt } from "./usage.ts";

/** The team's name for the stages whose workspace matches the pattern; the first match counts. */
export interface StageName {
  readonly workspace: string;
  readonly name: string;
}

/**
 * One report per stage, in the order in which the policy names them; stages without a name come last, in the
 * order of the facts.
 */
export function buildStageReports(
  stages: readonly StageFacts[],
  namings: readonly StageName[],
  tagKeys: readonly string[],
): readonly StageReport[] {
  const names = namings.map(({ workspace, name }) => ({ matches: compileGlob(workspace), name }));
  const ordered = stages.map((stage) => {
    const place = names.findIndex(({ matches }) => matches?.(stage.workspace));
    const name = names[place]?.name ?? stage.workspace;
    return {
      place: place < 0 ? names.length : place,
      line: {
        ...buildCostLine(stage),
        ...buildOtherFacts(stage),
        ...buildUnchangedCosts(stage, tagKeys),
        name,
      },
    };
  });
  return ordered.sort((a, b) => a.place - b.place).map(({ line }) => line);
}

function buildCostLine(stage: StageFacts) {
  const cost = getFactValue(stage.cost);
  const { before, after, change, percent } = cost ?? UNKNOWN_DELTA;
  const amounts = withPercent({ before, after, change, percent });
  return { ...amounts, currency: cost?.currency ?? null, ...findCostConfidence(stage) };
}

function buildOtherFacts(stage: StageFacts) {
  const { org, project, workspace, executionId, executionPage, source, proven, status } = stage;
  const { createdMs, superseded } = stage;
  const cost = getFactValue(stage.cost);
  const rows = getFactValue(stage.rows);
  const rowsDoubt = findDoubt(stage, stage.rows, "not_stated");
  const usageBased = buildStageUsage(cost, rows, rowsDoubt === null);
  return {
    org,
    project,
    workspace,
    ...(stage.isUnread === true && { isUnread: true as const }),
    executionId,
    ...(executionPage !== undefined && { executionPage }),
    source,
    proven,
    status,
    createdMs,
    superseded,
    modules: getFactValue(stage.modules),
    modulesBecause: findDoubt(stage, stage.modules, "not_stated"),
    types: cost === null ? null : cost.groups.map(({ resources: _, ...group }) => group),
    omittedRows: rows?.omitted ?? 0,
    unreadRows: rows?.unread ?? 0,
    rowsBecause: rowsDoubt,
    counts: getFactValue(stage.counts),
    countsBecause: findDoubt(stage, stage.counts, "not_stated"),
    ...buildPlanNotes(stage),
    ...(stage.outputs !== undefined && { outputs: stage.outputs }),
    narrowed: null,
    unpriced: cost?.unpriced ?? null,
    usageBased,
    usage: countStageUsage(usageBased),
    ...(cost?.findings !== undefined && { estimatorFindings: cost.findings }),
    problems: cost?.problems ?? [],
    notices: cost?.notices ?? [],
  };
}

/** What a plan states beside its changes. Of an incomplete plan all is only a part, unless it is in doubt anyway. */
function buildPlanNotes(stage: StageFacts) {
  const { planNotes } = stage;
  if (planNotes === undefined) return {};
  if (planNotes.incomplete === null) return { planNotes };
  const because = (fact: Fact<unknown>) =>
    findDoubt(stage, fact, "not_stated") ?? ("incomplete_plan" as const);
  return { planNotes, rowsBecause: because(stage.rows), countsBecause: because(stage.counts) };
}

/** How reliable the stage's cost is: first by the status of its execution, then by the figures themselves. */
function findCostConfidence(stage: StageFacts): CostConfidence {
  const doubted = findDoubt(stage, stage.cost, "not_estimated");
  const cost = getFactValue(stage.cost);
  if (doubted !== null || cost === null) return { state: "unknown", because: [doubted ?? "not_read"] };
  if (cost.completeness === "partial") return { state: "partial", because: ["partly_estimated"] };
  if (cost.comparison === "nothing") return { state: "partial", because: ["not_compared"] };
  if (!isStatedInFull(cost)) return { state: "partial", because: ["not_stated"] };
  return isCostContradictory(cost) ? { state: "inconsistent", because: [] } : KNOWN_CONFIDENCE;
}

/**
 * Why a fact of this stage is unreliable or unknown; null: it is reliable. The status of the execution has
 * precedence.
 */
export function findDoubt<T>(
  { proven, status }: StageFacts,
  fact: Fact<T>,
  whenAbsent: UnknownReason,
): UnknownReason | null {
  if (!proven) return "unproven";
  if (status === "failed") return "execution_failed";
  if (status === "pending") return "execution_pending";
  if (fact.state === "unknown") return fact.reason;
  if (fact.state === "absent") return whenAbsent;
  if (fact.state === "stale") return "unavailable";
  return status === "unknown" ? "not_stated" : null;
}

/** The value of a fact, even if stale; null: there is none. */
export const getFactValue = <T>(fact: Fact<T>): T | null =>
  fact.state === "known" || fact.state === "stale" ? fact.value : null;

function isCostContradictory(cost: StageCost): boolean {
  if (isDeltaContradictory(cost)) return true;
  if (!cost.partsAreWhole) return false;
  return (
    isContradictedByParts(cost, cost.groups) ||
    cost.groups.some((group) => isContradictedByParts(group, group.resources))
  );
}

/** The sums of the stated counts; null when no stage states them. A single count that some stage does not state is null. */
export function sumCounts(stages: readonly StageReport[]): ChangeCounts | null {
  const all = stages.map(({ counts }) => counts).filter((counts) => counts !== null);
  const add = (which: Exclude<keyof ChangeCounts, "replaced">): number =>
    sumNumbers(all.map((counts) => counts[which]));
  if (all.length === 0) return null;
  return {
    added: add("added"),
    changed: add("changed"),
    deleted: add("deleted"),
    replaced: all.reduce<number | null>(
      (sum, { replaced }) => (sum === null || replaced === null ? null : sum + replaced),
      0,
    ),
    imported: add("imported"),
    removed: add("removed"),
    unchanged: add("unchanged"),
    drifted: add("drifted"),
  };
}

/** The number of resources after the change, as far as a plan states it. */
export const countResourcesAfter = (counts: ChangeCounts | null): number =>
  counts === null ? 0 : counts.added + counts.changed + counts.imported + counts.unchanged;

const sumNumbers = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** The unpriced resources of all stages that state them; null when no stage does. */
export function sumUnpriced(stages: readonly StageReport[]): UnpricedResources | null {
  const knownUnpriced = stages.map(({ unpriced }) => unpriced).filter((unpriced) => unpriced !== null);
  if (knownUnpriced.length === 0) return null;
  const types = new Map<string, number>();
  for (const unpriced of knownUnpriced) {
    for (const [type, count] of Object.entries(unpriced.types))
      types.set(type, (types.get(type) ?? 0) + count);
  }
  return { count: sumNumbers(knownUnpriced.map(({ count }) => count)), types: Object.fromEntries(types) };
}

/** Why the unpriced resources of a stage are unknown; null: they are known. */
export const findUnpricedDoubt = (stage: StageReport): UnknownReason | null =>
  findListDoubt(stage, stage.unpriced !== null);
