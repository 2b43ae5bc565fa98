import { TollgateError } from "../../kernel/errors.ts";
import type { Report } from "../../report/model/report.ts";
import type { ParsedPolicy, PolicyText } from "../file/parse.ts";
import type { EvaluationContext } from "../model/context.ts";
import type { PolicyEdit } from "../model/evaluation.ts";
import type { Policy, Rule, Waiver } from "../model/policy.ts";
import type { PerformTask } from "../tasks/task.ts";
import { evaluatePastPulls, type PastPull } from "./past-pulls.ts";

/** The inputs for describing a pull request's own edit of the repository's policy file. */
export interface EditInput {
  /** The policy in force, from the base branch. */
  readonly base: Policy;
  /** The file as the head has it; null: the head deletes it. */
  readonly headText: PolicyText | null;
  readonly organisation: PolicyText | null;
  readonly report: Report;
  readonly context: EvaluationContext;
  /** Other pull requests of the repository at their last evaluation, newest first. */
  readonly past: readonly PastPull[];
  /** The owner of the edit. */
  readonly owner: string;
}

/**
 * Describes what the edit would change, the outcome of this pull request under it, and of the last ones. Information for the
 * reader, never a verdict. While too many edits wait, the outcomes are left open.
 */
export async function describePolicyEdit(input: EditInput, perform: PerformTask): Promise<PolicyEdit> {
  const { base, headText, organisation, owner } = input;
  if (headText === null) {
    const given = { repository: null, organisation };
    const parsed = await unlessBusy(perform({ kind: "parse", given, owner }));
    return { ...differences(base, parsed), outcome: { kind: "deleted" }, past: null };
  }
  const parsed = await unlessBusy(
    perform({ kind: "parse", given: { repository: headText, organisation }, owner }),
  );
  return { ...differences(base, parsed), ...(await tryEdit(parsed, input, perform)) };
}

/** The outcomes of pull requests under the edit. */
async function tryEdit(
  parsed: ParsedPolicy | null,
  { base, owner, report, context, past }: EditInput,
  perform: PerformTask,
): Promise<Pick<PolicyEdit, "outcome" | "past">> {
  if (parsed === null) return NOT_EVALUATED;
  if (parsed.state === "invalid")
    return { outcome: { kind: "invalid", problems: parsed.problems.length }, past: null };
  const edited = parsed.policy;
  const given = { report, policy: edited, context, rename: true } as const;
  const verdict = await unlessBusy(perform({ kind: "evaluate", given, owner }));
  if (verdict === null) return NOT_EVALUATED;
  return {
    outcome: { kind: "evaluated", verdict: verdict.kind },
    past: await unlessBusy(evaluatePastPulls({ base, edited, owner, perform }, past)),
  };
}

const NOT_EVALUATED = { outcome: { kind: "not_evaluated" }, past: null } as const;

/** Null: too many tasks wait. */
async function unlessBusy<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof TollgateError && error.code === "evaluation_busy") return null;
    throw error;
  }
}

function differences(base: Policy, parsed: ParsedPolicy | null): Omit<PolicyEdit, "outcome" | "past"> {
  const edited = parsed?.state === "ok" ? parsed.policy : base;
  return {
    ...ruleDifferences(base.rules, edited.rules),
    ...waiverDifferences(base.waivers, edited.waivers),
    otherParts: PARTS.filter((part) => textOf(base[part]) !== textOf(edited[part])),
  };
}

/** Parts of a policy beside its rules and waivers. */
const PARTS = ["expect", "stages", "platform", "assumeByWorkspace", "comment", "checkNames"] as const;

function ruleDifferences(before: readonly Rule[], after: readonly Rule[]) {
  const old = new Map(before.map((rule) => [rule.id, textOf(rule)]));
  const kept = new Set(after.map(({ id }) => id));
  return {
    addedRules: after.flatMap(({ id }) => (old.has(id) ? [] : [id])),
    changedRules: after.flatMap((rule) =>
      old.has(rule.id) && old.get(rule.id) !== textOf(rule) ? [rule.id] : [],
    ),
    removedRules: before.flatMap(({ id }) => (kept.has(id) ? [] : [id])),
  };
}

/** A waiver has no id: a changed waiver is another waiver. */
function waiverDifferences(before: readonly Waiver[], after: readonly Waiver[]) {
  const missingIn = (others: readonly Waiver[]) => {
    const known = new Set(others.map(textOf));
    return (waiver: Waiver) => (known.has(textOf(waiver)) ? [] : [waiver.rule]);
  };
  return {
    addedWaivers: after.flatMap(missingIn(before)),
    removedWaivers: before.flatMap(missingIn(after)),
  };
}

/** Equal for equal values, because the reader writes members in one order. */
const textOf = (value: unknown): string => JSON.stringify(value);
