import { hasExecutions, joinReports } from "../report/join.ts";
import type { Report } from "../report/model/report.ts";
import { buildStageKey } from "../report/model/stage-label.ts";
import { isTouched } from "../report/resources.ts";
import { readsFact } from "./decide/wanted-facts.ts";
import { evaluatePolicy } from "./evaluate-policy.ts";
import type { BudgetUse, EvaluationContext } from "./model/context.ts";
import { decideEffect, type Finding } from "./model/finding.ts";
import type { Policy, Rule } from "./model/policy.ts";
import { canScopeApply } from "./scope/mismatch.ts";
import type { ConditionRun } from "./when/condition-run.ts";

/**
 * Evaluates a merge group as one pull request: each rule is evaluated on the sum of the entries in its scope. Violations approved
 * in an entry, or covered there by a waiver, are left out of that rule's sum.
 */
export function evaluateSum(
  policy: Policy,
  entries: readonly GroupEntry[],
  evaluated: SumEvaluationOptions,
): GroupSum {
  const planned = selectPlanned(entries);
  if (planned.length < 2) return { kind: "single" };
  const rules = policy.rules.filter(
    (rule) => canBlock(rule, evaluated.nowMs) && selectEntries(rule, planned).length > 1,
  );
  const overlaps = rules.length === 0 ? [] : findOverlaps(planned);
  if (overlaps.length > 0) return { kind: "overlap", overlaps };
  const group = new Set(entries.map(({ number }) => number));
  const findings = rules.flatMap((rule) =>
    listGroupBlockers(rule, { policy, group, entries: selectEntries(rule, planned), ...evaluated }),
  );
  return findings.length === 0 ? { kind: "passed" } : { kind: "exceeded", findings };
}

export interface SumEvaluationOptions {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly conditions: ConditionRun;
}

/** The entries that plan changes. */
const selectPlanned = (entries: readonly GroupEntry[]): readonly GroupEntry[] =>
  entries.filter(({ report }) => hasExecutions(report));

/**
 * Whether a rule can block a merge group at all. Attributes are in no stored evaluation: a condition on them decides about each entry
 * alone.
 */
const canBlock = ({ enforce, enforceIn, enforceFromMs = 0, limit }: Rule, nowMs: number): boolean =>
  enforceFromMs <= nowMs &&
  !readsFact(limit, "attributes") &&
  (enforce === "block" || enforceIn.some((own) => own.enforce === "block"));

const selectEntries = ({ scope }: Rule, entries: readonly GroupEntry[]): readonly GroupEntry[] =>
  entries.filter(({ context }) => canScopeApply(scope, context));

interface GroupSumInput extends SumEvaluationOptions {
  readonly policy: Policy;
  /** Numbers of all entries. */
  readonly group: ReadonlySet<number>;
  /** The entries in the scope of the rule. */
  readonly entries: readonly GroupEntry[];
}

/** The findings of the rule on the sum that block the group. */
function listGroupBlockers(rule: Rule, input: GroupSumInput): readonly Finding[] {
  return evaluateRuleOnSum(rule, input).filter((finding) => {
    if (finding.outcome !== "violated" || finding.others > 0) return true;
    const left = input.entries.filter((entry) => !isAllowedIn(entry, finding));
    if (left.length === input.entries.length) return true;
    if (left.length === 0) return false;
    return evaluateRuleOnSum(rule, { ...input, entries: left }).some((other) =>
      isSameFinding(other, finding),
    );
  });
}

/** Whether the finding is approved or waived in the entry itself. */
const isAllowedIn = ({ findings }: GroupEntry, finding: Finding): boolean =>
  findings.some(
    (own) =>
      own.rule === finding.rule && (own.approved || own.waiver !== null) && isSameFinding(own, finding),
  );

const isSameFinding = (a: Finding, b: Finding): boolean =>
  a.subject === null || b.subject === null || a.subject === b.subject;

/** Evaluates the rule once per entry's labels, author and paths where they matter: a finding under one of them blocks the group. */
function evaluateRuleOnSum(rule: Rule, input: GroupSumInput): readonly Finding[] {
  const { policy, entries, conditions } = input;
  const report = joinReports(entries.map((entry) => entry.report));
  const alone = { ...policy, rules: [rule] };
  const found = new Map<string | null, Finding>();
  for (const context of listContexts(rule, input)) {
    for (const finding of evaluatePolicy(report, alone, { context, conditions }).findings) {
      if (isBlockingGroup(finding) && !found.has(finding.subject)) found.set(finding.subject, finding);
    }
  }
  return [...found.values()];
}

const isBlockingGroup = (finding: Finding): boolean => ["block", "undecided"].includes(decideEffect(finding));

function listContexts(
  rule: Rule,
  { policy, group, entries, nowMs }: GroupSumInput,
): readonly EvaluationContext[] {
  const varies = rule.limit.kind === "when" || policy.waivers.some((waiver) => waiver.rule === rule.id);
  const budgetUse = joinOthersUse(entries, group);
  const contexts = entries.map(({ context }) => ({ ...context, nowMs, budgetUse }));
  return varies ? contexts : contexts.slice(-1);
}

/** Budget use by others as the entries saw it, newest first, without the use of the group itself. */
function joinOthersUse(entries: readonly GroupEntry[], group: ReadonlySet<number>): BudgetUse | null {
  const uses: BudgetUse[] = [];
  for (const { budgetUse } of entries.map(({ context }) => context).sort((a, b) => a.nowMs - b.nowMs)) {
    if (budgetUse === null) return null;
    uses.push(budgetUse);
  }
  const others = uses.flatMap(({ pulls }) => pulls).filter(({ number }) => !group.has(number));
  const workspaces = uses.flatMap((use) => use.workspaces);
  const unknown = uses.flatMap((use) => use.unknown);
  return {
    workspaces: selectNewest(workspaces, buildStageKey),
    pulls: selectNewest(others, (cost) => `${cost.number} ${buildStageKey(cost)} ${cost.currency}`),
    unknown: selectNewest(unknown, buildStageKey),
  };
}

/** The last of each key. */
const selectNewest = <T>(all: readonly T[], keyOf: (one: T) => string): readonly T[] => [
  ...new Map(all.map((one) => [keyOf(one), one])).values(),
];

/** Workspaces that more than one of the pull requests changes, or may change. */
function findOverlaps(entries: readonly GroupEntry[]): readonly Overlap[] {
  const touched = entries.flatMap(({ number, report }) =>
    report.stages.filter(isTouched).map((stage) => ({ ...stage, number })),
  );
  return [...Map.groupBy(touched, buildStageKey).values()].flatMap((own) => {
    const pulls = new Set(own.map(({ number }) => number));
    return pulls.size > 1 ? own.slice(0, 1).map(({ workspace }) => ({ workspace, pulls: [...pulls] })) : [];
  });
}

/** One pull request of a merge group with the evaluation by which it may merge. */
export interface GroupEntry {
  readonly number: number;
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly findings: readonly Finding[];
}

/** The joint outcome of a merge group beyond its single pull requests. */
export type GroupSum =
  /** Fewer than two entries plan changes: there is no sum. */
  | { readonly kind: "single" }
  | { readonly kind: "passed" }
  /** Two entries change one workspace: no plan states their joint effect. */
  | { readonly kind: "overlap"; readonly overlaps: readonly Overlap[] }
  /** Together they violate a rule, or leave one undecided. `findings`: those that block the group. */
  | { readonly kind: "exceeded"; readonly findings: readonly Finding[] };

export interface Overlap {
  readonly workspace: string;
  /** Numbers of pull requests, two at least. */
  readonly pulls: readonly number[];
}
