import { TollgateError } from "../kernel/errors.ts";
import type { Fact } from "../report/model/facts.ts";
import type { Report } from "../report/model/report.ts";
import type { AttributesByRow } from "../report/model/resource-attributes.ts";
import type { ParsedPolicy, PolicyText } from "./file/parse.ts";
import { COST_LIMITS, type EvaluationContext } from "./model/context.ts";
import type { PastOutcomes, PolicyEdit } from "./model/evaluation.ts";
import type { Verdict } from "./model/finding.ts";
import type { Policy, Rule, Waiver } from "./model/policy.ts";
import type { PerformTask } from "./task.ts";

/** The inputs for describing a pull request's own edit of the repository's policy file. */
export interface EditInput {
  /** The policy in force, from the base branch. */
  readonly base: Policy;
  /** The file as the head has it; null: the head deletes it. */
  readonly headText: PolicyText | null;
  readonly organisation: PolicyText | null;
  /** Null: readers may not see figures, so no outcome under the edit is shown. */
  readonly report: Report | null;
  readonly context: EvaluationContext;
  /** As far as the policy in force needs them. */
  readonly attributes: Fact<AttributesByRow>;
  /** Other pull requests of the repository at their last evaluation, newest first. */
  readonly pastPulls: readonly PastPull[];
  /** The owner of the edit. */
  readonly owner: string;
}

/**
 * Describes what the edit would change, the outcome of this pull request under it, and of the last ones. Information for the
 * reader, never a verdict. While too many edits wait, the outcomes are left open.
 */
export async function describePolicyEdit(input: EditInput, perform: PerformTask): Promise<PolicyEdit> {
  const { base, headText: repository, organisation, owner } = input;
  const parsed = await findUnlessBusy(perform({ kind: "parse", input: { repository, organisation }, owner }));
  return {
    ...comparePolicies(base, parsed?.state === "ok" ? parsed.policy : base),
    ...(repository === null ? DELETED : await tryEdit(parsed, input, perform)),
  };
}

const DELETED = { outcome: { kind: "deleted" }, past: null } as const;

/** The outcomes of pull requests under the edit. */
async function tryEdit(
  parsed: ParsedPolicy | null,
  edit: EditInput,
  perform: PerformTask,
): Promise<Pick<PolicyEdit, "outcome" | "past">> {
  const { owner, report, context, attributes } = edit;
  if (parsed === null) return NOT_EVALUATED;
  if (parsed.state === "invalid")
    return { outcome: { kind: "invalid", problems: parsed.problems.length }, past: null };
  if (report === null) return { outcome: { kind: "redacted" }, past: null };
  const edited = parsed.policy;
  const input = { report, policy: edited, context, attributes, rename: true } as const;
  const verdict = await findUnlessBusy(perform({ kind: "evaluate", input, owner }));
  if (verdict === null) return NOT_EVALUATED;
  return {
    outcome: { kind: "evaluated", verdict: verdict.kind },
    past: await findUnlessBusy(evaluatePastPulls(edit, edited, perform)),
  };
}

const NOT_EVALUATED = { outcome: { kind: "not_evaluated" }, past: null } as const;

/** Null: too many tasks wait. */
async function findUnlessBusy<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof TollgateError && error.code === "evaluation_busy") return null;
    throw error;
  }
}

/** What differs between two policies. */
export type PolicyDifference = Omit<PolicyEdit, "outcome" | "past">;

/** Returns what an edit changes. */
export function comparePolicies(base: Policy, edited: Policy): PolicyDifference {
  return {
    ...compareRules(base.rules, edited.rules),
    ...compareWaivers(base.waivers, edited.waivers),
    otherParts: OTHER_PARTS.filter((part) => serializeValue(base[part]) !== serializeValue(edited[part])),
  };
}

/** Parts of a policy beside its rules and waivers. */
const OTHER_PARTS = [
  "expect",
  "stages",
  "platform",
  "comment",
  "checkNames",
  "tags",
  "byTag",
  "showsYear",
  "override",
  "requestReviewers",
] as const;

function compareRules(before: readonly Rule[], after: readonly Rule[]) {
  const old = new Map(before.map((rule) => [rule.id, serializeValue(rule)]));
  const remainingIds = new Set(after.map(({ id }) => id));
  return {
    addedRules: after.flatMap(({ id }) => (old.has(id) ? [] : [id])),
    changedRules: after.flatMap((rule) =>
      old.has(rule.id) && old.get(rule.id) !== serializeValue(rule) ? [rule.id] : [],
    ),
    removedRules: before.flatMap(({ id }) => (remainingIds.has(id) ? [] : [id])),
  };
}

/** A waiver has no id: a changed waiver is another waiver. */
function compareWaivers(before: readonly Waiver[], after: readonly Waiver[]) {
  const missingIn = (others: readonly Waiver[]) => {
    const known = new Set(others.map(serializeValue));
    return (waiver: Waiver) => (known.has(serializeValue(waiver)) ? [] : [waiver.rule]);
  };
  return {
    addedWaivers: after.flatMap(missingIn(before)),
    removedWaivers: before.flatMap(missingIn(after)),
  };
}

/** Equal for equal values, because the reader writes members in one order. */
const serializeValue = (value: unknown): string => JSON.stringify(value);

/** A pull request at its last evaluation. */
export interface PastPull {
  readonly number: number;
  readonly report: Report;
  readonly context: EvaluationContext;
}

/**
 * Evaluates each under both policies, so that differences come from the edit alone. All of them
 * together may cost as much as one evaluation; pull requests beyond that are not counted.
 */
async function evaluatePastPulls(
  { base, owner, pastPulls }: EditInput,
  edited: Policy,
  perform: PerformTask,
): Promise<PastOutcomes> {
  const outcomes: PullOutcome[] = [];
  let left = COST_LIMITS.file;
  for (const { number, report, context } of pastPulls) {
    const limits = { rule: COST_LIMITS.rule, file: left };
    const input = { report, context, base, edited };
    const { from, to, steps, isCutOff } = await perform({ kind: "compare", input, owner, limits });
    if (isCutOff) break;
    outcomes.push({ number, from, to });
    left -= steps;
  }
  return groupOutcomes(outcomes);
}

interface PullOutcome {
  readonly number: number;
  readonly from: Verdict["kind"];
  readonly to: Verdict["kind"];
}

function groupOutcomes(outcomes: readonly PullOutcome[]): PastOutcomes {
  const changed = Map.groupBy(
    outcomes.filter(({ from, to }) => from !== to),
    ({ from, to }) => `${from} ${to}`,
  );
  return {
    compared: outcomes.length,
    changed: [...changed.values()].flatMap((own) =>
      own.slice(0, 1).map(({ from, to }) => ({ from, to, pulls: own.map(({ number }) => number) })),
    ),
  };
}
