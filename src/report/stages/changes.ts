import type { ChangeCounts, UnknownReason, Unpriced } from "../model/facts.ts";
import type { StageReport } from "../model/report.ts";

/** What the stages tell, summed; null when none does. A single count that some stage does not tell is null. */
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

/** How many resources a plan tells of that are there afterwards. */
export const resourcesIn = (counts: ChangeCounts | null): number =>
  counts === null ? 0 : counts.added + counts.changed + counts.imported + counts.unchanged;

const add = (counts: readonly ChangeCounts[], which: Exclude<keyof ChangeCounts, "replaced">): number =>
  total(counts.map((count) => count[which]));

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** The resources without a price of all stages that tell; null when none does. */
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

/** Why it is not known what a stage leaves unpriced; null: it is. A part that was not estimated may hold anything. */
export function findUnpricedDoubt({ state, because, unpriced }: StageReport): UnknownReason | null {
  if (state === "unknown") return because[0] ?? "not_read";
  if (because.includes("not_estimated")) return "not_estimated";
  return unpriced === null ? "not_stated" : null;
}
