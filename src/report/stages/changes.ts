import type { ChangeCounts, UnknownReason, Unpriced } from "../model/facts.ts";
import type { StageReport } from "../model/report.ts";

/**
 * The sums of the stated counts; null when no stage states them. A single count that some stage does not
 * state is null.
 */
export function sumCounts(stages: readonly StageReport[]): ChangeCounts | null {
  const told = stages.map(({ counts }) => counts).filter((counts) => counts !== null);
  if (told.length === 0) return null;
  const replaced = told.map((counts) => counts.replaced);
  return {
    added: add(told, "added"),
    changed: add(told, "changed"),
    deleted: add(told, "deleted"),
    replaced: replaced.some((count) => count === null) ? null : total(replaced.map((count) => count ?? 0)),
    imported: add(told, "imported"),
    removed: add(told, "removed"),
    unchanged: add(told, "unchanged"),
    drifted: add(told, "drifted"),
  };
}

/** The number of resources after the change, as far as a plan states it. */
export const resourcesIn = (counts: ChangeCounts | null): number =>
  counts === null ? 0 : counts.added + counts.changed + counts.imported + counts.unchanged;

const add = (counts: readonly ChangeCounts[], which: Exclude<keyof ChangeCounts, "replaced">): number =>
  total(counts.map((count) => count[which]));

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** The unpriced resources of all stages that state them; null when no stage does. */
export function sumUnpriced(stages: readonly StageReport[]): Unpriced | null {
  const told = stages.map(({ unpriced }) => unpriced).filter((unpriced) => unpriced !== null);
  if (told.length === 0) return null;
  const types = new Map<string, number>();
  for (const unpriced of told) {
    for (const [type, count] of Object.entries(unpriced.types))
      types.set(type, (types.get(type) ?? 0) + count);
  }
  return { count: total(told.map(({ count }) => count)), types: Object.fromEntries(types) };
}

/**
 * Why the unpriced resources of a stage are unknown; null: they are known. A part that was not estimated may
 * contain any.
 */
export function findUnpricedDoubt({ state, because, unpriced }: StageReport): UnknownReason | null {
  if (state === "unknown") return because[0] ?? "not_read";
  if (because.includes("not_estimated")) return "not_estimated";
  return unpriced === null ? "not_stated" : null;
}
