import { compare, type Decimal, sum } from "../kernel/money.ts";
import { addChangesBefore, hasExecutions, joinReports } from "../report/join.ts";
import { listChangedParts } from "../report/join-stages.ts";
import type { Report, StageReport } from "../report/model/report.ts";
import { buildStageKey } from "../report/model/stage-label.ts";
import { narrowReport } from "../report/narrow.ts";
import { isTouched } from "../report/resources.ts";
import { hasNoSize, isMore, serializeFigures } from "./approvals/lapse.ts";
import { readsFact } from "./decide/wanted-facts.ts";
import { evaluatePolicy } from "./evaluate-policy.ts";
import type { Approval } from "./model/approval.ts";
import type { BudgetUse, EvaluationContext } from "./model/context.ts";
import { type Finding, holdsCheck, type MeasuredValue } from "./model/finding.ts";
import type { Policy, Rule } from "./model/policy.ts";
import { canScopeApply } from "./scope/mismatch.ts";
import type { ConditionRun } from "./when/condition-run.ts";

/**
 * Evaluates a merge group as one pull request. Executions of the group's own commit decide about the workspaces that they cover, the sum
 * of the entries about the others. With such executions, approvals must cover what violates a rule; without them, violations approved in
 * an entry, or covered there by a waiver, are left out of that rule's sum.
 */
export function evaluateSum(
  policy: Policy,
  all: readonly GroupEntry[],
  { planned: own, merged, ...evaluated }: SumEvaluationOptions,
): GroupSum {
  const entries = own === null ? all : all.map((entry) => withoutStages(entry, own));
  const planned = selectPlanned(entries);
  const inScope = (rule: Rule) => selectEntries(rule, own === null ? planned : entries);
  const blocking = policy.rules.filter((rule) => canBlock(rule, evaluated.nowMs) && inScope(rule).length > 0);
  const isJoint = (rule: Rule) => inScope(rule).length > (own === null ? 1 : 0);
  const overlaps = blocking.length === 0 ? [] : findOverlaps(planned, merged);
  // No rule adds up what each pull request was evaluated for alone.
  const counted = overlaps.filter((overlap) => blocking.some(isJoint) || overlap.merged.length > 0);
  if (counted.length > 0) return { kind: "overlap", overlaps: counted };
  const rules = blocking.filter((rule) => isJoint(rule) || (merged.length > 0 && isAbsolute(rule)));
  if (own === null && planned.length < 2 && rules.length === 0) return { kind: "single" };
  const group = new Set(all.map(({ number }) => number));
  const findings = rules.flatMap((rule) =>
    listGroupBlockers(rule, { policy, group, entries: inScope(rule), planned: own, merged, ...evaluated }),
  );
  if (own === null && planned.length < 2 && findings.length === 0) return { kind: "single" };
  const report = joinEntries(planned, own);
  return findings.length === 0 ? { kind: "passed", report } : { kind: "exceeded", findings, report };
}

const joinEntries = (entries: readonly GroupEntry[], planned: Report | null): Report =>
  joinReports([...entries.map(({ report }) => report), ...(planned === null ? [] : [planned])]);

export interface SumEvaluationOptions {
  /** What the executions of the group's own commit say of the workspaces that they cover; null: there are none. */
  readonly planned: Report | null;
  /** Those that were merged after a plan of an entry was made, which no entry contains. */
  readonly merged: readonly MergedEntry[];
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly conditions: ConditionRun;
}

/** The entry without the workspaces that the group's own executions cover. */
function withoutStages(entry: GroupEntry, { stages }: Report): GroupEntry {
  const covered = new Set(stages.map(buildStageKey));
  return {
    ...entry,
    report: narrowReport(entry.report, (stage) => (covered.has(buildStageKey(stage)) ? "none" : "all")),
  };
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
    if (input.planned !== null || (isAbsolute(finding) && hasSharedStage(input)))
      return !isApprovedInEntries(finding, input);
    const left = input.entries.filter((entry) => !isAllowedIn(entry, finding));
    if (left.length === input.entries.length) return true;
    if (left.length === 0) return false;
    return evaluateRuleOnSum(rule, { ...input, entries: left }).some((other) =>
      isSameFinding(other, finding),
    );
  });
}

/** Whether a limit is about what is paid afterwards: then what one entry may bring is part of what the others reach. */
const isAbsolute = ({ limit }: Pick<Rule, "limit">): boolean =>
  limit.kind === "total" || readsFact(limit, "totals");

function hasSharedStage({ entries, merged }: GroupSumInput): boolean {
  const stages = entries.flatMap(({ report }) => report.stages.filter(isTouched).map(buildStageKey));
  return merged.length > 0 || new Set(stages).size < stages.length;
}

/** The entry with what was merged since its plans were made in the amounts before and after. */
const addMerged = (entry: GroupEntry, merged: readonly MergedEntry[]): GroupEntry => ({
  ...entry,
  report: addChangesBefore(entry.report, (stage) =>
    merged
      .filter(({ mergedMs }) => mergedMs > (stage.createdMs ?? 0))
      .flatMap(({ report }) => report.stages.filter((one) => buildStageKey(one) === buildStageKey(stage))),
  ),
});

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
  const { policy, entries, planned, merged, conditions } = input;
  const counted = isAbsolute(rule) ? entries.map((entry) => addMerged(entry, merged)) : entries;
  const report = joinEntries(counted, planned);
  const alone = { ...policy, rules: [rule] };
  const found = new Map<string | null, Finding>();
  for (const context of listContexts(rule, input)) {
    for (const finding of evaluatePolicy(report, alone, { context, conditions }).findings) {
      if (holdsCheck(finding) && !found.has(finding.subject)) found.set(finding.subject, finding);
    }
  }
  return [...found.values()];
}

/**
 * Whether the approvals of the entries cover a violation of the whole group: everything that it is about was approved,
 * and no more of it than together. Changes of cost and counts add up; anything else is covered by one approval or by none.
 */
function isApprovedInEntries(finding: Finding, { entries, planned }: GroupSumInput): boolean {
  const { rule, subject, items, measured, limit } = finding;
  const approved = entries.flatMap(({ findings, approvals }) =>
    findings
      .filter((own) => own.rule === rule && own.approved && own.subject === subject && own.others === 0)
      .map((own) => ({ ...own, approvals: approvals.filter((one) => isAbout(one, rule)) })),
  );
  const known = new Set(approved.flatMap((own) => own.items));
  if (approved.length === 0 || items.some((item) => !known.has(item))) return false;
  if (hasNoSize(measured)) {
    const figures = serializeFigures(joinEntries(entries, planned));
    return approved.some((own) => own.approvals.some((one) => one.figures === figures));
  }
  if (measured?.kind !== "money")
    return [...approved.map((own) => own.measured), sumCounts(approved)].some(
      (one) => !isMore(one, measured),
    );
  const amounts = approved.flatMap((own) => findApprovedAmount(own.approvals, measured.currency) ?? []);
  const isAdditive = limit.kind === "increase" || limit.kind === "decrease";
  return [...amounts, ...(isAdditive ? [sum(amounts)] : [])].some(
    (most) => compare(measured.amount, most) <= 0,
  );
}

const isAbout = ({ covered }: Approval, rule: string): boolean => covered.some((one) => one.rule === rule);

/** The least amount that these approvals state in this currency; null: none does. */
function findApprovedAmount(approvals: readonly Approval[], currency: string): Decimal | null {
  const amounts = approvals.flatMap(({ upTo }) => (upTo?.currency === currency ? [upTo.amount] : []));
  return amounts.toSorted(compare)[0] ?? null;
}

const sumCounts = (approved: readonly Finding[]): MeasuredValue => ({
  kind: "count",
  count: approved.reduce(
    (total, { measured }) => total + (measured?.kind === "count" ? measured.count : 0),
    0,
  ),
});

function listContexts(rule: Rule, input: GroupSumInput): readonly EvaluationContext[] {
  const { policy, entries, nowMs } = input;
  const varies = rule.limit.kind === "when" || policy.waivers.some((waiver) => waiver.rule === rule.id);
  const budgetUse = joinOthersUse(input);
  const contexts = entries.map(({ context }) => ({ ...context, nowMs, budgetUse }));
  return varies ? contexts : contexts.slice(-1);
}

/**
 * Budget use by others as the entries saw it, newest first, without the use of the group itself. Executions of the group's own commit state
 * what their workspaces cost, with what was merged since the entries were planned.
 */
function joinOthersUse({ entries, group, planned, merged }: GroupSumInput): BudgetUse | null {
  const covered = new Set(planned?.stages.map(buildStageKey));
  const since = new Set(merged.map(({ number }) => number));
  const uses: BudgetUse[] = [];
  for (const { budgetUse } of entries.map(({ context }) => context).sort((a, b) => a.nowMs - b.nowMs)) {
    if (budgetUse === null) return null;
    uses.push(budgetUse);
  }
  const periods = uses.at(-1)?.periods;
  const others = uses
    .flatMap(({ pulls }) => pulls)
    .filter(
      (cost) => !group.has(cost.number) && !(since.has(cost.number) && covered.has(buildStageKey(cost))),
    );
  const workspaces = uses.flatMap((use) => use.workspaces);
  const unknown = uses.flatMap((use) => use.unknown);
  return {
    workspaces: selectNewest(workspaces, buildStageKey),
    pulls: selectNewest(others, (cost) => `${cost.number} ${buildStageKey(cost)} ${cost.currency}`),
    unknown: selectNewest(unknown, buildStageKey),
    ...(periods && { periods }),
  };
}

/** The last of each key. */
const selectNewest = <T>(all: readonly T[], keyOf: (one: T) => string): readonly T[] => [
  ...new Map(all.map((one) => [keyOf(one), one])).values(),
];

/**
 * Workspaces of which more than one pull request changes the same part, or of which the changed parts are not all known. One that was merged
 * counts where a plan is older than the merge.
 */
function findOverlaps(entries: readonly GroupEntry[], merged: readonly MergedEntry[]): readonly Overlap[] {
  const plans = [...entries, ...merged].flatMap(listPlans);
  return [...Map.groupBy(plans, ({ stage }) => buildStageKey(stage)).values()].flatMap((own) => {
    const pairs = own.flatMap((one, index) =>
      own.slice(index + 1).flatMap((other) => (canOverlap(one, other) ? [[one, other] as const] : [])),
    );
    const [first] = pairs.flat();
    if (first === undefined) return [];
    const overlapping = [...new Set(pairs.flat())];
    const select = (isSelected: (plan: ChangedStage) => boolean) =>
      overlapping.filter(isSelected).map(({ number }) => number);
    const unknown = select(({ parts }) => parts === null);
    const parts = pairs.flatMap(([one, other]) => listShared(one, other) ?? []);
    return [
      {
        workspace: first.stage.workspace,
        pulls: select(() => true),
        merged: select(({ mergedMs }) => mergedMs !== undefined),
        parts: unknown.length > 0 ? [] : [...new Set(parts)],
        unknown,
      },
    ];
  });
}

/** A stage that a pull request changes. */
interface ChangedStage extends Pick<MergedEntry, "number"> {
  /** Absent: it is queued. */
  readonly mergedMs?: number;
  readonly stage: StageReport;
  /** Null: not all known. */
  readonly parts: ReadonlySet<string> | null;
}

const listPlans = ({ report, ...entry }: GroupEntry | MergedEntry): readonly ChangedStage[] =>
  report.stages
    .filter((stage) => isTouched(stage) || hasMoves(report, stage))
    .map((stage) => ({ ...entry, stage, parts: listChangedParts(report, stage) }));

const hasMoves = ({ rows }: Report, stage: StageReport): boolean =>
  rows.some((row) => row.change === "moved" && row.stage === buildStageKey(stage));

/** Whether two plans of one workspace may change the same part of it. `one`: queued, if one of them is. */
function canOverlap(one: ChangedStage, other: ChangedStage): boolean {
  if (one.mergedMs !== undefined) return false;
  if (other.mergedMs !== undefined && other.mergedMs <= (one.stage.createdMs ?? 0)) return false;
  return listShared(one, other)?.length !== 0;
}

/** Null: not all parts are known. */
const listShared = (one: ChangedStage, other: ChangedStage): readonly string[] | null =>
  one.parts === null || other.parts === null ? null : [...one.parts].filter((part) => other.parts?.has(part));

/** One pull request of a merge group with the evaluation by which it may merge. */
export interface GroupEntry {
  readonly number: number;
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly findings: readonly Finding[];
  /** Those in force. */
  readonly approvals: readonly Approval[];
}

/** A pull request that was merged, with the evaluation of its head. */
export interface MergedEntry extends Pick<GroupEntry, "number" | "report"> {
  /** In ms since 1970. */
  readonly mergedMs: number;
}

/** The joint outcome of a merge group beyond its single pull requests. */
export type GroupSum =
  /** Fewer than two entries plan changes: there is no sum. */
  | { readonly kind: "single" }
  /** `report`: of all of them together. */
  | { readonly kind: "passed"; readonly report: Report }
  /** Two entries change the same part of one workspace, or may: no plan states their joint effect. */
  | { readonly kind: "overlap"; readonly overlaps: readonly Overlap[] }
  /** Together they violate a rule, or leave one undecided. `findings`: those that block the group. */
  | { readonly kind: "exceeded"; readonly findings: readonly Finding[]; readonly report: Report };

export interface Overlap {
  readonly workspace: string;
  /** Numbers of pull requests, two at least. */
  readonly pulls: readonly number[];
  /** Numbers of those that were merged after another one was planned. */
  readonly merged: readonly number[];
  /** The modules and resources that more than one of them changes; text from outside, not escaped. */
  readonly parts: readonly string[];
  /** Numbers of those of which not all changes are known: then `parts` is empty. */
  readonly unknown: readonly number[];
}
