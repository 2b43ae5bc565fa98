import { minus, sum, ZERO } from "../../kernel/money.ts";
import type { DriftSplit, Report, ReportedRow, ResourceReport, StageReport } from "../model/report.ts";
import { buildStageKey } from "../model/stage-label.ts";

type DriftInput = Pick<Report, "stages" | "resources" | "rows">;

/** Splits the change of cost of each stage with drift: how much of it undoes or absorbs drift. */
export function computeDriftSplits({ stages, resources, rows }: DriftInput): readonly DriftSplit[] {
  const rowsByStage = Map.groupBy(rows, ({ stage }) => stage);
  const resourcesByStage = Map.groupBy(resources, ({ stage }) => stage);
  return stages.flatMap((stage) => {
    const key = buildStageKey(stage);
    const own = rowsByStage.get(key) ?? [];
    if (stage.currency === null || (stage.counts?.drifted ?? 0) === 0) return [];
    const split = splitDrift(stage, own, resourcesByStage.get(key) ?? []);
    return [{ stage: key, workspace: stage.workspace, currency: stage.currency, split }];
  });
}

/** Splits a stage only where every drifted resource is known, with its planned change and its cost. */
function splitDrift(
  stage: StageReport,
  rows: readonly ReportedRow[],
  resources: readonly ResourceReport[],
): DriftSplit["split"] {
  const drifted = new Set(rows.filter(({ change }) => change === "drifted").map(({ address }) => address));
  if (stage.state !== "known" || stage.change === null || stage.rowsBecause !== null) return null;
  if (drifted.size < (stage.counts?.drifted ?? 0)) return null;
  const larger = resources.filter(({ address, change }) => drifted.has(address) && change !== ZERO);
  const planned = new Set(rows.filter(isPlanned).map(({ address }) => address));
  const touched = larger.filter(({ address }) => planned.has(address));
  if (touched.length < larger.length && stage.unreadRows + stage.omittedRows > 0) return null;
  const amounts = touched.flatMap(({ change }) => change ?? []);
  if (amounts.length < touched.length) return null;
  const drift = sum(amounts);
  return { drift, own: minus(stage.change, drift) };
}

const isPlanned = ({ change }: ReportedRow): boolean => change !== "drifted" && change !== "moved";
