import type { Report } from "../report/report.ts";
import type { JudgeContext } from "./context.ts";
import type { Finding } from "./finding.ts";
import type { Judge } from "./judge.ts";
import type { Limit, Rule, Waiver } from "./policy.ts";
import { isAbout, within, without } from "./scope/scope.ts";

interface Judging {
  readonly report: Report;
  readonly context: JudgeContext;
  readonly waivers: readonly Waiver[];
  readonly judge: Judge;
}

/**
 * Marks the violations that an exception covers: what it is about stays under its amount, and the rest of the pull request
 * is within the rule's own limit. An exception that has expired, or is for another rule or pull request, covers nothing.
 */
export function waive(rule: Rule, findings: readonly Finding[], judging: Judging): readonly Finding[] {
  if (findings.every(({ outcome }) => outcome !== "violated")) return findings;
  const { context } = judging;
  const own = judging.waivers.filter(
    (waiver) => waiver.rule === rule.id && context.nowMs < waiver.untilMs && isAbout(waiver.scope, context),
  );
  return own.reduce((left, waiver) => cover(rule, waiver, { ...judging, findings: left }), findings);
}

function cover(
  rule: Rule,
  waiver: Waiver,
  judging: Judging & { readonly findings: readonly Finding[] },
): readonly Finding[] {
  const { report, judge, findings } = judging;
  const raised = { ...rule, limit: raisedLimit(rule.limit, waiver), enforceIn: [] };
  const inside = judge(raised, within(report, waiver.scope));
  const outside = waiver.scope === null ? [] : judge(rule, without(report, waiver.scope));
  const stillOpen = [...inside, ...outside].filter(({ outcome }) => outcome !== "passed");
  const { owner, reason, untilMs } = waiver;
  return findings.map((finding) => {
    const isCovered =
      finding.outcome === "violated" &&
      finding.waiver === null &&
      !stillOpen.some((open) => isSame(open, finding));
    return isCovered ? { ...finding, waiver: { owner, reason, untilMs } } : finding;
  });
}

/** A finding about the whole pull request, or an open one about no subject in particular, stands for all of them. */
const isSame = (open: Finding, finding: Finding): boolean =>
  open.subject === null || finding.subject === null || open.subject === finding.subject;

/** The rule's limit as the exception raises it. Without an amount nothing is too much. */
function raisedLimit(limit: Limit, { upTo }: Waiver): Limit {
  if (upTo === null)
    return limit.kind === "when" ? { ...limit, expression: "false", needs: limit.needs } : boundless(limit);
  if ("amount" in limit) return typeof upTo === "object" ? { ...limit, amount: upTo } : limit;
  if ("percent" in limit) return typeof upTo === "string" ? { ...limit, percent: upTo } : limit;
  if ("count" in limit) return typeof upTo === "string" ? { ...limit, count: Number(upTo) } : limit;
  return limit;
}

/** Counts have no end; money and percentages always come with an amount, which the file's reader demands. */
const boundless = (limit: Limit): Limit =>
  "count" in limit ? { ...limit, count: Number.MAX_SAFE_INTEGER } : limit;
