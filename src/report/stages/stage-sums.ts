import type { ChangeCounts, UnknownReason, UnpricedResources } from "../model/facts.ts";
import type { StageReport } from "../model/report.ts";

/**
 * The sums of the stated counts; null when no stage states them. A single count that some stage does not
 * state is null.
 */
export function sumCounts(stages: readonly StageReport[]): ChangeCounts | null {
  const knownCounts = stages.map(({ counts }) => counts).filter((counts) => counts !== null);
  if (knownCounts.length === 0) return null;
  const replaced = knownCounts.map((counts) => counts.replaced);
  return {
    added: sumChangeCount(knownCounts, "added"),
    changed: sumChangeCount(knownCounts, "changed"),
    deleted: sumChangeCount(knownCounts, "deleted"),
    replaced: replaced.some((count) => count === null)
      ? null
      : sumNumbers(replaced.map((count) => count ?? 0)),
    imported: sumChangeCount(knownCounts, "imported"),
    removed: sumChangeCount(knownCounts, "removed"),
    unchanged: sumChangeCount(knownCounts, "unchanged"),
    drifted: sumChangeCount(knownCounts, "drifted"),
  };
}

/** The number of resources after the change, as far as a plan states it. */
export const countResourcesAfter = (counts: ChangeCounts | null): number =>
  counts === null ? 0 : counts.added + counts.changed + counts.imported + counts.unchanged;

const sumChangeCount = (
  counts: readonly ChangeCounts[],
  which: Exclude<keyof ChangeCounts, "replaced">,
): number => sumNumbers(counts.map((count) => count[which]));

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

/**
 * Why the unpriced resources of a stage are unknown; null: they are known. A part that was not estimated may
 * contain any.
 */
export function findUnpricedDoubt({ state, because, unpriced }: StageReport): UnknownReason | null {
  if (state === "unknown") return because[0] ?? "not_read";
  const missing = because.find((reason) => reason === "not_estimated" || reason === "partly_estimated");
  if (missing !== undefined) return missing;
  return unpriced === null ? "not_stated" : null;
}
