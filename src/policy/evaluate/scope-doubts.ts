import type { EvaluationContext } from "../model/context.ts";
import type { Finding, PullMember, Verdict } from "../model/finding.ts";
import type { Rule, Scope } from "../model/policy.ts";
import { combineFindings, decideEffect } from "./evaluate-policy.ts";

/**
 * The verdict where it is unknown whether rules apply to this pull request. A rule whose scope depends on an unknown fact is undecided,
 * unless it passes either way. For local files only: on GitHub unknown facts are in every scope, so that people can approve them.
 */
export function applyScopeDoubts(
  { findings }: Verdict,
  rules: readonly Rule[],
  context: EvaluationContext,
): Verdict {
  const doubted = new Map(rules.map(({ id, scope }) => [id, listUnknownMembers(scope, context)]));
  const own = [...Map.groupBy(findings, ({ rule }) => rule).values()];
  return combineFindings(
    own.flatMap((ofRule) => doubtFindings(ofRule, doubted.get(ofRule[0]?.rule ?? "") ?? [])),
  );
}

function doubtFindings(findings: readonly Finding[], members: readonly PullMember[]): readonly Finding[] {
  const open = findings.filter((finding) => decideEffect(finding) !== "pass");
  const first = open.find(({ enforce }) => enforce === "block") ?? open[0];
  if (first === undefined || members.length === 0) return findings;
  const because = [{ kind: "scope_unknown", members } as const, ...first.because];
  const nothing = { subject: null, others: 0, measured: null, message: null, items: [], waiver: null };
  return [{ ...first, ...nothing, outcome: "undecided", because }];
}

/** Members of a scope that depend on unknown facts of a pull request. */
function listUnknownMembers(
  scope: Scope | null,
  { author, labels, pathsComplete }: EvaluationContext,
): readonly PullMember[] {
  if (scope === null) return [];
  const known = { authors: author !== null, labels: labels !== null, paths: pathsComplete };
  return (["authors", "labels", "paths"] as const).filter(
    (member) => scope[member].length + (scope.not?.[member].length ?? 0) > 0 && !known[member],
  );
}
