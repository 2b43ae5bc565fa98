import { compileGlob } from "../kernel/glob.ts";
import { narrowReport } from "../report/narrow.ts";
import type { Report, StageReport } from "../report/report.ts";
import type { Enforce, Rule } from "./policy.ts";

interface Part {
  readonly part: Report;
  readonly enforce: Enforce;
}

/** The report in parts by what a violation does there: what is left of a pull request counts for the rule's own `enforce`. */
export function stagesBySeverity(rule: Rule, report: Report): readonly Part[] {
  if (rule.enforceIn.length === 0) return [{ part: report, enforce: rule.enforce }];
  const severityOf = severityReader(rule);
  const parts = (["block", "warn"] as const).map((enforce): Part => {
    return {
      enforce,
      part: narrowReport(report, (stage) => (severityOf(stage) === enforce ? "all" : "none")),
    };
  });
  const held = parts.filter(({ part }) => part.stages.length > 0);
  return held.length > 0 ? held : [{ part: report, enforce: rule.enforce }];
}

function severityReader({ enforceIn, enforce }: Rule): (stage: StageReport) => Enforce {
  const patterns = enforceIn.map((own) => ({ matches: compileGlob(own.stage), enforce: own.enforce }));
  return ({ name }) => patterns.find(({ matches }) => matches?.(name))?.enforce ?? enforce;
}
