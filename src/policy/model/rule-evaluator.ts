import type { Report } from "../../report/model/report.ts";
import type { Finding } from "./finding.ts";
import type { Rule } from "./policy.ts";

/** Evaluates one rule on one report. */
export type RuleEvaluator = (rule: Rule, report: Report) => readonly Finding[];
