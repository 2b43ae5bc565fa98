import type { Report } from "../report/model/report.ts";
import type { EvaluationContext, RuleEvaluator } from "./model/context.ts";
import type { Finding } from "./model/finding.ts";
import type { Limit, Rule, Waiver } from "./model/policy.ts";
import { isScopeCertain } from "./scope/mismatch.ts";
import { excludeScope, narrowToSureScope } from "./scope/scope.ts";

interface WaiverInput {
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly waivers: readonly Waiver[];
  readonly evaluateRule: RuleEvaluator;
}

/** A waiver with the findings in its scope that exceed even the raised limit. */
interface WaiverResult {
  readonly waiver: Waiver;
  readonly open: readonly Finding[];
}

/**
 * Marks the violations that waivers cover: each waived part stays within its waived value, and the rest of
 * the pull request within the rule's limit. An expired waiver, a waiver of another rule, and a waiver whose
 * scope does not certainly include this pull request cover nothing.
 */
export function waiveFindings(
  rule: Rule,
  findings: readonly Finding[],
  input: WaiverInput,
): readonly Finding[] {
  if (findings.every(({ outcome }) => outcome !== "violated")) return findings;
  const { report, context, evaluateRule } = input;
  const results = input.waivers
    .filter(({ rule: id, untilMs, scope }) => {
      return id === rule.id && context.nowMs < untilMs && isScopeCertain(scope, context);
    })
    .map((waiver): WaiverResult => {
      const raised = { ...rule, limit: raiseLimit(rule.limit, waiver), enforceIn: [] };
      return { waiver, open: selectOpen(evaluateRule(raised, narrowToSureScope(report, waiver.scope))) };
    });
  if (results.length === 0) return findings;
  const getRest = cacheByScopes((waivers) => findRest(rule, waivers, input));
  return findings.map((finding) => {
    const waiver = finding.outcome === "violated" ? findCoveringWaiver(finding, results, getRest) : null;
    if (waiver === null) return finding;
    const { owner, reason, untilMs } = waiver;
    return { ...finding, waiver: { owner, reason, untilMs } };
  });
}

type FindRest = (waivers: readonly Waiver[]) => readonly Finding[];

/** The waiver that covers a violation, alone or together with other applicable waivers; null: none. */
function findCoveringWaiver(
  finding: Finding,
  results: readonly WaiverResult[],
  getRest: FindRest,
): Waiver | null {
  const able = results.filter(({ open }) => isFindingClosed(finding, open)).map(({ waiver }) => waiver);
  const ways = [...able.map((waiver) => [waiver]), ...(able.length > 1 ? [able] : [])];
  return ways.find((way) => isFindingClosed(finding, getRest(way)))?.[0] ?? null;
}

/** The findings of the rule outside the scopes of all applicable waivers. */
function findRest(
  rule: Rule,
  waivers: readonly Waiver[],
  { report, evaluateRule }: WaiverInput,
): readonly Finding[] {
  const rest = waivers.reduce<Report | null>(
    (left, { scope }) => (left === null ? null : excludeScope(left, scope)),
    report,
  );
  return rest === null ? [] : selectOpen(evaluateRule(rule, rest));
}

const selectOpen = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ outcome }) => outcome !== "passed");

/**
 * Whether the finding is covered: none of the open findings can have its subject. A finding about the whole
 * pull request, about an unknown subject, or with uncounted subjects may have any subject. A finding that
 * only warns because its value was above the limit before keeps no other finding open.
 */
const isFindingClosed = (finding: Finding, open: readonly Finding[]): boolean => {
  const left = finding.alreadyAbove ? open : open.filter(({ alreadyAbove }) => !alreadyAbove);
  return (
    left.length === 0 ||
    (hasOneSubject(finding) &&
      left.every((other) => hasOneSubject(other) && other.subject !== finding.subject))
  );
};

const hasOneSubject = ({ subject, others }: Finding): boolean => subject !== null && others === 0;

/** The rule's limit, raised by the waiver. A waived value of another kind than the limit raises nothing. */
function raiseLimit(limit: Limit, { upTo }: Waiver): Limit {
  if (upTo === null) return removeBound(limit);
  if (typeof upTo === "object") return "amount" in limit ? { ...limit, amount: upTo } : limit;
  if ("percent" in limit) return { ...limit, percent: upTo };
  return "count" in limit ? { ...limit, count: Number(upTo) } : limit;
}

/** The limit without a bound. Waivers of limits on money and percentages always state a value; the parser requires one. */
function removeBound(limit: Limit): Limit {
  if (limit.kind === "when") return { ...limit, expression: "false" };
  return "count" in limit ? { ...limit, count: Number.MAX_SAFE_INTEGER } : limit;
}

function cacheByScopes(make: FindRest): FindRest {
  const cache = new Map<string, readonly Finding[]>();
  return (waivers) => {
    const key = JSON.stringify(waivers.map(({ scope }) => scope));
    const known = cache.get(key) ?? make(waivers);
    cache.set(key, known);
    return known;
  };
}
