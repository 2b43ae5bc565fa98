import { TollgateError } from "../../../kernel/errors.ts";
import { comparePolicies, type PolicyDifference } from "../../../policy/describe-edit.ts";
import type { PolicyText } from "../../../policy/file/parse.ts";
import { COST_LIMITS } from "../../../policy/model/context.ts";
import type { Verdict } from "../../../policy/model/finding.ts";
import type { ApproverGroup, Policy, PolicyProblem } from "../../../policy/model/policy.ts";
import type { TimeSpan } from "../../../store/history/merged-changes.ts";
import { readNewestEvaluations } from "../../../store/history/pull-history.ts";
import type { BranchFile, BranchFiles, PageDeps } from "../../page/page.ts";

/** Most pull requests whose newest evaluations are compared. */
export const MAX_COMPARED = 1_000;
/** No further pull request is compared after this time, in ms. */
const COMPARE_MS = 10_000;
/** Steps that the conditions of all comparisons together may take. */
const COMPARE_STEPS = 10 * COST_LIMITS.file;

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
  /** With their outcomes without approvals. */
  readonly changed: readonly {
    readonly number: number;
    readonly from: Verdict["kind"];
    readonly to: Verdict["kind"];
  }[];
  /** Approvals that the edited policy would have asked for, by the group that it names; the most first. */
  readonly approvals: readonly ApprovalLoad[];
  /** Why more pull requests of the period are not compared; null: all are. */
  readonly cutOff: "slow" | "many" | null;
  /** Pull requests that are not compared, because limits that one proposes one after the other would tell their hidden cost. */
  readonly hidden: number;
  /** Pull requests that are not compared, because their evaluations are very large or cannot be read. */
  readonly unread: number;
}

/** What one group of approvers would have had to do. A group that several rules of a pull request name approves it once. */
export interface ApprovalLoad {
  readonly group: ApproverGroup;
  readonly pulls: number;
  /** One for each person whom the group needs. */
  readonly approvals: number;
}

interface ProposedPolicy {
  /** Pull requests that were last evaluated in it. */
  readonly span: TimeSpan;
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
  { repositoryId, owner, span }: ProposedPolicy,
  [base, edited]: readonly [Policy, Policy],
): Promise<PolicyComparisons> {
  const changed: PolicyComparisons["changed"][number][] = [];
  const asked: (readonly ApproverGroup[])[] = [];
  const endMs = clock.monotonicMs() + COMPARE_MS;
  let left = COMPARE_STEPS;
  let [read, hidden, unread] = [0, 0, 0];
  const result = (cutOff: PolicyComparisons["cutOff"]): PolicyComparisons => ({
    difference: comparePolicies(base, edited),
    ...{ compared: asked.length, changed, approvals: countApprovals(asked), cutOff, hidden, unread },
  });
  const pulls = readNewestEvaluations(db, repositoryId, { span, limit: MAX_COMPARED });
  for await (const one of pulls) {
    read += 1;
    if (one === null) unread += 1;
    if (one === null || one.report.stages.length === 0) continue;
    const { pull, report, context } = one;
    if (!pull.figures) {
      hidden += 1;
      continue;
    }
    if (clock.monotonicMs() >= endMs) return result("slow");
    const limits = { rule: COST_LIMITS.rule, file: Math.min(left, COST_LIMITS.file) };
    const input = { report, context, base, edited };
    const { from, to, groups, steps, isCutOff } = await perform({ kind: "compare", input, owner, limits });
    if (isCutOff) return result("slow");
    left -= steps;
    asked.push(groups);
    if (from !== to) changed.push({ number: pull.number, from, to });
  }
  return result(read >= MAX_COMPARED ? "many" : null);
}

/** Counts what groups of the same people would have had to approve. `asked`: the groups of each pull request. */
function countApprovals(asked: readonly (readonly ApproverGroup[])[]): readonly ApprovalLoad[] {
  const nameOf = ({ count: _, tagValue: __, ...people }: ApproverGroup) => JSON.stringify(people);
  const perPull = asked.flatMap((groups) =>
    [...Map.groupBy(groups, nameOf).values()].flatMap((own) =>
      own.toSorted((a, b) => b.count - a.count).slice(0, 1),
    ),
  );
  return [...Map.groupBy(perPull, nameOf).values()]
    .flatMap((own) => {
      const approvals = own.reduce((total, { count }) => total + count, 0);
      return own.slice(0, 1).map((group) => ({ group, pulls: own.length, approvals }));
    })
    .toSorted((a, b) => b.approvals - a.approvals);
}

/** Returns a file's text; null: there is none. */
const toText = (file: BranchFile): PolicyText | null =>
  file.state === "found" ? { file: file.name, text: file.text } : null;
