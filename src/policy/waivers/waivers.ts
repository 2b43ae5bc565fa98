import type { Report } from "../../report/model/report.ts";
import type { EvaluationContext } from "../model/context.ts";
import type { Finding } from "../model/finding.ts";
import type { Limit, Rule, Waiver } from "../model/policy.ts";
import type { RuleEvaluator } from "../model/rule-evaluator.ts";
import { isSurelyAbout } from "../scope/pull-scope.ts";
import { narrowToSureScope, without } from "../scope/scope.ts";

interface WaiverInput {
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly waivers: readonly Waiver[];
  readonly evaluateRule: RuleEvaluator;
}

/** An exception with what stays open in its own part of the pull request although the limit is raised. */
interface WaiverResult {
  readonly waiver: Waiver;
  readonly open: readonly Finding[];
}

/**
 * Marks the violations that exceptions cover: what each of them is about stays under its amount, and the rest of the pull
 * request is within the rule's own limit. An exception that has expired, that is for another rule, or that is not beyond
 * doubt about this pull request covers nothing.
 */
export function waive(rule: Rule, findings: readonly Finding[], input: WaiverInput): readonly Finding[] {
  if (findings.every(({ outcome }) => outcome !== "violated")) return findings;
  const { report, context, evaluateRule } = input;
  const looked = input.waivers
    .filter(({ rule: id, untilMs, scope }) => {
      return id === rule.id && context.nowMs < untilMs && isSurelyAbout(scope, context);
    })
    .map((waiver): WaiverResult => {
      const raised = { ...rule, limit: raisedLimit(rule.limit, waiver), enforceIn: [] };
      return { waiver, open: openOf(evaluateRule(raised, narrowToSureScope(report, waiver.scope))) };
    });
  if (looked.length === 0) return findings;
  const restOf = remembered((waivers) => restFindings(rule, waivers, input));
  return findings.map((finding) => {
    const waiver = finding.outcome === "violated" ? coverOf(finding, looked, restOf) : null;
    if (waiver === null) return finding;
    const { owner, reason, untilMs } = waiver;
    return { ...finding, waiver: { owner, reason, untilMs } };
  });
}

type FindRest = (waivers: readonly Waiver[]) => readonly Finding[];

/** The exception that a violation falls under, alone or with the others that hold for it. */
function coverOf(finding: Finding, looked: readonly WaiverResult[], restOf: FindRest): Waiver | null {
  const able = looked.filter(({ open }) => isClosed(finding, open)).map(({ waiver }) => waiver);
  const ways = [...able.map((waiver) => [waiver]), ...(able.length > 1 ? [able] : [])];
  return ways.find((way) => isClosed(finding, restOf(way)))?.[0] ?? null;
}

/** What the rule finds where none of the exceptions applies. */
function restFindings(
  rule: Rule,
  waivers: readonly Waiver[],
  { report, evaluateRule }: WaiverInput,
): readonly Finding[] {
  const rest = waivers.reduce<Report | null>(
    (left, { scope }) => (left === null ? null : without(left, scope)),
    report,
  );
  return rest === null ? [] : openOf(evaluateRule(rule, rest));
}

const openOf = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ outcome }) => outcome !== "passed");

/**
 * Whether nothing that is open can be what the finding is about. A finding about the whole pull request, one about no
 * subject in particular, and one that stands for subjects which are only counted may be about anything. What was over its
 * limit before, and only warns, holds no other finding open.
 */
const isClosed = (finding: Finding, open: readonly Finding[]): boolean => {
  const left = finding.alreadyAbove ? open : open.filter(({ alreadyAbove }) => !alreadyAbove);
  return (
    left.length === 0 ||
    (isAboutOne(finding) && left.every((other) => isAboutOne(other) && other.subject !== finding.subject))
  );
};

const isAboutOne = ({ subject, others }: Finding): boolean => subject !== null && others === 0;

/** The rule's limit as the exception raises it. One that is of another kind than the rule's raises nothing. */
function raisedLimit(limit: Limit, { upTo }: Waiver): Limit {
  if (upTo === null) return boundless(limit);
  if (typeof upTo === "object") return "amount" in limit ? { ...limit, amount: upTo } : limit;
  if ("percent" in limit) return { ...limit, percent: upTo };
  return "count" in limit ? { ...limit, count: Number(upTo) } : limit;
}

/** Without an amount nothing is too much. Money and percentages always come with one, which the file's reader demands. */
function boundless(limit: Limit): Limit {
  if (limit.kind === "when") return { ...limit, expression: "false" };
  return "count" in limit ? { ...limit, count: Number.MAX_SAFE_INTEGER } : limit;
}

function remembered(make: FindRest): FindRest {
  const kept = new Map<string, readonly Finding[]>();
  return (waivers) => {
    const key = JSON.stringify(waivers.map(({ scope }) => scope));
    const known = kept.get(key) ?? make(waivers);
    kept.set(key, known);
    return known;
  };
}
