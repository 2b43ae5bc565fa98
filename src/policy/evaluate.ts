import type { Report } from "../report/report.ts";
import type { Finding, Verdict } from "./finding.ts";
import { findingsOf, type Readings, sortReadings } from "./findings.ts";
import type { Policy, Rule } from "./policy.ts";
import { RULE_KINDS } from "./rules/table.ts";

/** What the rules say about the report. A fact that a rule needs and that is not known makes the rule undecided. */
export function evaluate(report: Report, policy: Policy): Verdict {
  const read = reader(report);
  const findings = policy.rules.flatMap((rule) => findingsOf(rule, read(rule)));
  const ordered = WORST_FIRST.flatMap((effect) => findings.filter((finding) => effectOf(finding) === effect));
  const [worst] = ordered;
  return { kind: worst === undefined ? "pass" : effectOf(worst), findings: ordered };
}

/** What one finding makes of the verdict when there is no worse one. An undecided rule that enforces `warn` warns. */
export function effectOf({ outcome, enforce, onUnknown }: Finding): Verdict["kind"] {
  if (outcome === "passed") return "pass";
  if (enforce === "warn") return "warn";
  if (outcome === "violated") return "block";
  return onUnknown === "warn" ? "warn" : "undecided";
}

const WORST_FIRST: readonly Verdict["kind"][] = ["block", "undecided", "warn", "pass"];

/** Rules of one kind that look at the same subjects share what is read. */
function reader(report: Report): (rule: Rule) => Readings {
  const kept = new Map<string, Readings>();
  return ({ limit: { kind }, per }) => {
    const key = `${kind} ${per}`;
    const readings = kept.get(key) ?? sortReadings(RULE_KINDS[kind].read(report, per));
    kept.set(key, readings);
    return readings;
  };
}
