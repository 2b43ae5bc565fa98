import { compileGlob } from "../../kernel/glob.ts";
import { listUnseenDoubts } from "../../report/cost/totals.ts";
import type { Report, StageReport } from "../../report/model/report.ts";
import { narrowReport } from "../../report/narrow.ts";
import type { Enforcement, Rule } from "../model/policy.ts";
import { isStageUnread } from "../scope/scope.ts";

export interface SeverityPart {
  readonly part: Report;
  readonly enforce: Enforcement;
}

/**
 * Splits the report by the effect of a violation. An execution without a known stage (it may not be shown, or
 * its stages could not be read) may be any stage, so it belongs to the part in which a violation blocks.
 */
export function splitBySeverity(rule: Rule, report: Report): readonly SeverityPart[] {
  if (rule.enforceIn.length === 0) return [{ part: report, enforce: rule.enforce }];
  const getSeverity = createSeverityReader(rule);
  const isHidden = listUnseenDoubts(report.refused).length > 0;
  const parts = (["block", "warn"] as const).map((enforce): SeverityPart => {
    return {
      enforce,
      part: narrowReport(report, (stage) => (getSeverity(stage) === enforce ? "all" : "none")),
    };
  });
  const held = parts.filter(
    ({ part, enforce }) => part.stages.length > 0 || (isHidden && enforce === "block"),
  );
  return held.length > 0 ? held : [{ part: report, enforce: rule.enforce }];
}

function createSeverityReader({ enforceIn, enforce }: Rule): (stage: StageReport) => Enforcement {
  const patterns = enforceIn.map((own) => ({ matches: compileGlob(own.stage), enforce: own.enforce }));
  return (stage) => {
    if (isStageUnread(stage)) return "block";
    return patterns.find(({ matches }) => matches?.(stage.name))?.enforce ?? enforce;
  };
}
