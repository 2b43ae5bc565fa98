import type { CheckConclusion, CheckStatus, CheckSuite } from "../state/checks.ts";
import type { SandboxPull } from "../state/pulls.ts";
import { buildCommitKey, type World } from "../state/world.ts";

/** Conclusions from worst to best; a suite has the conclusion of its worst run. */
const CONCLUSIONS_BY_SEVERITY: readonly CheckConclusion[] = [
  "failure",
  "timed_out",
  "cancelled",
  "action_required",
  "stale",
  "success",
  "neutral",
  "skipped",
];

/** Returns a suite's state. It is completed when all its runs are; only the newest run of each name counts. */
export function deriveSuiteState(
  world: World,
  suite: CheckSuite,
): { readonly status: CheckStatus; readonly conclusion: CheckConclusion | null } {
  const runs = world.checkRuns.group(buildCommitKey({ ...suite, sha: suite.headSha }));
  const newest = new Map(runs.filter((run) => run.suiteId === suite.id).map((run) => [run.name, run]));
  if (newest.size === 0) return { status: "queued", conclusion: null };
  const latest = [...newest.values()];
  if (latest.some((run) => run.status !== "completed")) return { status: "in_progress", conclusion: null };
  const worst = CONCLUSIONS_BY_SEVERITY.find((conclusion) =>
    latest.some((run) => run.conclusion === conclusion),
  );
  return { status: "completed", conclusion: worst ?? null };
}

/** Returns the open pull requests of a suite; none for a fork's branch, as on GitHub. */
export const listSuitePulls = (world: World, suite: CheckSuite): readonly SandboxPull[] =>
  world.pulls
    .group(String(suite.repositoryId))
    .filter((pull) => pull.state === "open" && pull.headSha === suite.headSha)
    .filter((pull) => pull.headRepositoryId === suite.repositoryId);
