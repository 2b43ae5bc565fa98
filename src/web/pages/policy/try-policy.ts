import { TollgateError } from "../../../kernel/errors.ts";
import { comparePolicies, type PolicyDifference } from "../../../policy/describe-edit.ts";
import type { PolicyText } from "../../../policy/file/parse.ts";
import { COST_LIMITS } from "../../../policy/model/context.ts";
import type { Verdict } from "../../../policy/model/finding.ts";
import type { Policy, PolicyProblem } from "../../../policy/model/policy.ts";
import { readNewestEvaluations } from "../../../store/history/pull-history.ts";
import type { BranchFile, BranchFiles, PageDeps } from "../../page/page.ts";

/** Pull requests whose newest evaluations are compared. */
const MAX_COMPARED = 100;
/** No further pull request is compared after this time, in ms. */
const COMPARE_MS = 10_000;
/** Steps that the conditions of all comparisons together may take. */
const COMPARE_STEPS = 10 * COST_LIMITS.file;

interface ChangedPull {
  readonly number: number;
  /** Without approvals. */
  readonly from: Verdict["kind"];
  readonly to: Verdict["kind"];
}

export type PolicyTrial =
  | { readonly state: "invalid"; readonly problems: readonly PolicyProblem[] }
  | {
      readonly state: "valid";
      /** Null: the policy in force has mistakes, so that nothing can be compared. */
      readonly comparison: PolicyComparisons | null;
    }
  /** Too many policies are being evaluated. */
  | { readonly state: "busy" };

export interface PolicyComparisons {
  readonly difference: PolicyDifference;
  readonly compared: number;
  readonly changed: readonly ChangedPull[];
  /** True: more pull requests would be compared if the policy were evaluated faster. */
  readonly isCutOff: boolean;
  /** Pull requests that are not compared, because limits that one proposes one after the other would tell their hidden cost. */
  readonly hidden: number;
}

interface ProposedPolicy {
  readonly repositoryId: number;
  readonly files: BranchFiles;
  /** The repository's file as proposed. */
  readonly proposed: PolicyText;
  /** Who proposes it: people take turns. */
  readonly owner: string;
}

/** Reads a proposed policy and evaluates past pull requests under it and under the policy in force. Stores nothing. */
export async function tryPolicy(deps: PageDeps, input: ProposedPolicy): Promise<PolicyTrial> {
  const { files, proposed, owner } = input;
  const organisation = toText(files.organisation);
  const parse = (repository: PolicyText | null) =>
    deps.policies.perform({ kind: "parse", input: { repository, organisation }, owner });
  try {
    const edited = await parse(proposed);
    if (edited.state === "invalid") return edited;
    const base = await parse(toText(files.repository));
    if (base.state === "invalid") return { state: "valid", comparison: null };
    return { state: "valid", comparison: await compareAll(deps, input, [base.policy, edited.policy]) };
  } catch (error) {
    if (error instanceof TollgateError && error.code === "evaluation_busy") return { state: "busy" };
    throw error;
  }
}

async function compareAll(
  { db, clock, policies: { perform } }: PageDeps,
  { repositoryId, owner }: ProposedPolicy,
  [base, edited]: readonly [Policy, Policy],
): Promise<PolicyComparisons> {
  const changed: ChangedPull[] = [];
  const endMs = clock.monotonicMs() + COMPARE_MS;
  let left = COMPARE_STEPS;
  let [compared, hidden] = [0, 0];
  const result = (isCutOff: boolean): PolicyComparisons => ({
    difference: comparePolicies(base, edited),
    compared,
    changed,
    isCutOff,
    hidden,
  });
  for await (const { pull, report, context } of readNewestEvaluations(db, repositoryId, MAX_COMPARED)) {
    if (!pull.figures) {
      hidden += 1;
      continue;
    }
    if (clock.monotonicMs() >= endMs) return result(true);
    const limits = { rule: COST_LIMITS.rule, file: Math.min(left, COST_LIMITS.file) };
    const input = { report, context, base, edited };
    const { from, to, steps, isCutOff } = await perform({ kind: "compare", input, owner, limits });
    if (isCutOff) return result(true);
    left -= steps;
    compared += 1;
    if (from !== to) changed.push({ number: pull.number, from, to });
  }
  return result(false);
}

/** Returns a file's text; null: there is none. */
const toText = (file: BranchFile): PolicyText | null =>
  file.state === "found" ? { file: file.name, text: file.text } : null;
