import type { ChangeKind } from "../../report/model/facts.ts";
import type { Report, StageReport } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import { countResourcesAfter, findUnpricedDoubt } from "../../report/stages/stage-sums.ts";
import { createCountRule } from "./count-rule.ts";
import { unknown } from "./doubts.ts";

/**
 * Limits the resources that the estimator found but cannot price. New and changed ones count, as far as the
 * plan states their number per type. All that exist after the change count if the plan does not state it, or
 * if the rule asks for that.
 */
export const unpriced = createCountRule({
  parts: ["types"],
  rows: [],
  countItems: (stage, { report, includesExisting }) => {
    const because = findUnpricedDoubt(stage);
    const count = stage.unpriced?.count ?? null;
    const introduced = includesExisting ? null : countIntroduced(stage, report);
    return { count: introduced ?? count, because: because === null ? [] : [unknown(because)] };
  },
});

const INTRODUCING_KINDS: readonly ChangeKind[] = ["added", "changed", "replaced", "imported"];

/** The new and changed unpriced resources; null: the plan lists fewer resources than are unpriced. */
function countIntroduced(
  { unpriced: found, counts, countsBecause, rowsBecause, ...stage }: StageReport,
  { rows }: Report,
): number | null {
  if (found === null || counts === null || countsBecause !== null || rowsBecause !== null) return null;
  const listed = stage.narrowed?.resources ?? countResourcesAfter(counts);
  if (stage.omittedRows + stage.unreadRows > 0 || listed < found.count) return null;
  const own = rows.filter(
    (row) => row.stage === buildStageKey(stage) && INTRODUCING_KINDS.includes(row.change),
  );
  if (own.some(({ type }) => type === "")) return null;
  const ofType = Map.groupBy(own, ({ type }) => type);
  return Object.entries(found.types).reduce(
    (sum, [type, count]) => sum + Math.min(count, ofType.get(type)?.length ?? 0),
    0,
  );
}
