import { findOwnCheck } from "../../github/checks/own-check.ts";
import type { HeadState } from "../../github/head/head-state.ts";
import type { PullRun } from "../run/pull-run.ts";
import type { CurrentCheckTarget } from "./write-in-turn.ts";

/** Returns the check of this head under this name, with its check run on GitHub. */
export function buildCheckTarget(run: PullRun, head: HeadState, checkName: string): CurrentCheckTarget {
  const { repository, pull, checks } = head;
  const listedRun = findOwnCheck(checks, { appId: run.deps.ownAppId, name: checkName });
  const check = checks.find(({ id }) => id !== null && id === listedRun?.checkRunId);
  return {
    client: run.client,
    repositoryId: repository.id,
    repositoryNodeId: repository.nodeId,
    headSha: pull.headSha,
    checkName,
    baseRef: pull.baseRef,
    listedRun,
    listedState: check === undefined ? null : (check.conclusion ?? check.status),
    fence: run.fence,
    isCurrent: run.isCurrent,
  };
}
