import type { Report } from "../report/report.ts";
import type { Verdict } from "./finding.ts";
import type { Policy } from "./policy.ts";

/** What the rules say about the report. A fact that a rule needs and that is not known makes the rule undecided. */
export function evaluate(report: Report, policy: Policy): Verdict {
  throw new RangeError(`not built yet: ${report.stages.length} ${policy.rules.length}`);
}
