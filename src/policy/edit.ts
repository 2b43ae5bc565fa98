import type { Report } from "../report/report.ts";
import type { JudgeContext } from "./context.ts";
import { evaluate } from "./evaluate.ts";
import type { PolicyEdit } from "./evaluation.ts";
import { type ParsedPolicy, type PolicyText, parsePolicy } from "./parse.ts";
import type { Policy, Rule } from "./policy.ts";

/** What is needed to tell what a pull request's own edit of the repository's policy file would change. */
export interface EditInput {
  /** The policy in force, from the base branch. */
  readonly base: Policy;
  /** The file as the head has it; null: the head deletes it. */
  readonly headText: PolicyText | null;
  readonly organisation: PolicyText | null;
  readonly report: Report;
  readonly context: JudgeContext;
}

/** What the edit would change, and how this pull request would come out. Information for the reader, never a judgement. */
export function describePolicyEdit({ base, headText, organisation, report, context }: EditInput): PolicyEdit {
  const parsed = parsePolicy({ repository: headText, organisation });
  const outcome =
    headText === null ? ({ kind: "deleted" } as const) : outcomeUnder(parsed, { report, context });
  return { outcome, ...differences(base.rules, parsed.state === "ok" ? parsed.policy.rules : base.rules) };
}

function outcomeUnder(
  parsed: ParsedPolicy,
  { report, context }: Pick<EditInput, "report" | "context">,
): PolicyEdit["outcome"] {
  if (parsed.state === "invalid") return { kind: "invalid", problems: parsed.problems.length };
  return { kind: "judged", verdict: evaluate(report, parsed.policy, context).kind };
}

function differences(before: readonly Rule[], after: readonly Rule[]): Omit<PolicyEdit, "outcome"> {
  const old = new Map(before.map((rule) => [rule.id, fingerprint(rule)]));
  const kept = new Set(after.map(({ id }) => id));
  return {
    addedRules: after.flatMap(({ id }) => (old.has(id) ? [] : [id])),
    changedRules: after.flatMap((rule) =>
      old.has(rule.id) && old.get(rule.id) !== fingerprint(rule) ? [rule.id] : [],
    ),
    removedRules: before.flatMap(({ id }) => (kept.has(id) ? [] : [id])),
  };
}

/** Equal for rules that say the same: both come from the same reader, which writes members in one order. */
const fingerprint = (rule: Rule): string => JSON.stringify(rule);
