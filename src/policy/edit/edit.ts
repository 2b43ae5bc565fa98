import type { Report } from "../../report/report.ts";
import type { JudgeContext } from "../context.ts";
import { evaluate } from "../evaluate.ts";
import type { PolicyEdit } from "../evaluation.ts";
import { type ParsedPolicy, type PolicyText, parsePolicy } from "../parse.ts";
import type { Policy, Rule, Waiver } from "../policy.ts";
import { renamed } from "../scope/stage-names.ts";
import { type PastPull, pastUnder } from "./past.ts";

/** What is needed to tell what a pull request's own edit of the repository's policy file would change. */
export interface EditInput {
  /** The policy in force, from the base branch. */
  readonly base: Policy;
  /** The file as the head has it; null: the head deletes it. */
  readonly headText: PolicyText | null;
  readonly organisation: PolicyText | null;
  readonly report: Report;
  readonly context: JudgeContext;
  /** Other pull requests of the repository as they were last looked at, the newest first. */
  readonly past: readonly PastPull[];
}

/**
 * What the edit would change, how this pull request would come out, and how the last ones would have. Information for the
 * reader, never a judgement.
 */
export function describePolicyEdit(input: EditInput): PolicyEdit {
  const { base, headText, organisation } = input;
  const parsed = parsePolicy({ repository: headText, organisation });
  const edited = parsed.state === "ok" ? parsed.policy : base;
  return {
    outcome: headText === null ? { kind: "deleted" } : outcomeUnder(parsed, input),
    ...ruleDifferences(base.rules, edited.rules),
    ...waiverDifferences(base.waivers, edited.waivers),
    otherParts: PARTS.filter((part) => textOf(base[part]) !== textOf(edited[part])),
    past: headText === null || parsed.state === "invalid" ? null : pastUnder(base, edited, input.past),
  };
}

/** Parts of a policy beside its rules and exceptions. */
const PARTS = ["expect", "stages", "platform", "assumeByWorkspace", "comment", "checkNames"] as const;

function outcomeUnder(
  parsed: ParsedPolicy,
  { report, context }: Pick<EditInput, "report" | "context">,
): PolicyEdit["outcome"] {
  if (parsed.state === "invalid") return { kind: "invalid", problems: parsed.problems.length };
  const { policy } = parsed;
  return { kind: "judged", verdict: evaluate(renamed(report, policy.stages), policy, context).kind };
}

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

/** An exception has no name of its own: a changed one is another one. */
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

/** Equal for what says the same: both come from the same reader, which writes members in one order. */
const textOf = (value: unknown): string => JSON.stringify(value);
