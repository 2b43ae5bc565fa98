import type { Report, ReportedRow, StageReport } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import { createChangeCount, createCountRule, formatRow } from "./count-rule.ts";

const drifted = createChangeCount((counts) => counts.drifted);

/**
 * Limits the drifted resources that the plan changes too, because merging overwrites or adopts the drift. All
 * drifted resources count if the rows do not list them, or if the rule asks for that.
 */
export const drift = createCountRule({
  parts: ["modules", "types"],
  rows: ["drifted"],
  countItems: (stage, { report, includesExisting }) => {
    const all = drifted(stage);
    const touched =
      includesExisting || all.count === null ? null : listTouchedDrift(stage, all.count, report);
    return touched === null ? all : { ...all, count: touched.length, items: touched.map(formatRow) };
  },
});

/**
 * The drifted resources that the plan changes; null: not every drifted resource, or not every planned change,
 * is listed.
 */
function listTouchedDrift(
  { rowsBecause, omittedRows, unreadRows, ...stage }: StageReport,
  count: number,
  { rows }: Report,
): readonly ReportedRow[] | null {
  const own = rows.filter((row) => row.stage === buildStageKey(stage));
  const found = own.filter(({ change }) => change === "drifted");
  if (rowsBecause !== null || omittedRows + unreadRows > 0 || found.length < count) return null;
  const planned = new Set(own.filter(isPlanned).map(({ address }) => address));
  return found.filter(({ address }) => planned.has(address));
}

/** Whether merging changes the resource, rather than only its address. */
const isPlanned = ({ change }: ReportedRow): boolean => change !== "drifted" && change !== "moved";
