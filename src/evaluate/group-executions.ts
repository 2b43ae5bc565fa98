import { createGitHubFailure, GitHubError } from "../github/client/result.ts";
import { readCommitClaims } from "../github/head/commit-claims.ts";
import type { MergeGroupState } from "../github/head/merge-group.ts";
import { parseSha } from "../kernel/ids.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { chooseReportOptions } from "../policy/model/policy.ts";
import { buildReport } from "../report/build.ts";
import type { PullFacts } from "../report/model/context.ts";
import type { StageFacts } from "../report/model/facts.ts";
import type { Report } from "../report/model/report.ts";
import { readFacts } from "./facts/read-facts.ts";
import type { GroupRun } from "./run/deps.ts";

/** The executions of a merge group's own commit: those that only an untrusted poster names are none. */
export type GroupExecutions =
  | { readonly kind: "none" }
  /** Some run, or could not be read yet. `workspaces`: of these. */
  | { readonly kind: "running" | "failed"; readonly workspaces: readonly string[] }
  /** All have ended; `report`: what they say of their workspaces. */
  | { readonly kind: "ended"; readonly report: Report; readonly facts: PullFacts };

/**
 * Reads the executions that statuses and checks of the group's commit name, or that are known to belong to it.
 *
 * @throws GitHubError
 */
export async function readGroupExecutions(
  { deps, client, group }: Pick<GroupRun, "deps" | "client" | "group">,
  { repository }: MergeGroupState,
  policy: Extract<LoadedPolicy, { state: "found" }>,
): Promise<GroupExecutions> {
  const headSha = parseSha(group.head_sha);
  if (headSha === null) return { kind: "none" };
  // A CI job's executions are its own files.
  const claims = deps.isOneShot
    ? { statuses: [], checks: [], complete: true }
    : await readCommitClaims(client, repository, headSha);
  if (!claims.complete)
    throw new GitHubError(createGitHubFailure("too_large", "the commit has more statuses than are read"));
  const head = { repository, ...claims, pull: { headSha, testMergeSha: null } };
  const { facts } = await readFacts({ deps, client, head }, policy, { isShown: false });
  const stages = facts.stages.filter(({ proven }) => proven);
  const failed = stages.filter(({ status }) => status === "failed");
  if (failed.length > 0) return { kind: "failed", workspaces: listWorkspaces(failed) };
  const running = stages.filter(({ status, isUnread }) => status !== "succeeded" || isUnread === true);
  if (running.length > 0) return { kind: "running", workspaces: listWorkspaces(running) };
  if (stages.length === 0) return { kind: "none" };
  const own = { ...facts, stages };
  return { kind: "ended", facts: own, report: buildReport(own, chooseReportOptions(policy.policy)) };
}

const listWorkspaces = (stages: readonly StageFacts[]): readonly string[] => [
  ...new Set(stages.map(({ workspace }) => workspace)),
];
