import { checkRun } from "./events/check-run.ts";
import { checkSuite } from "./events/check-suite.ts";
import { installation, installationRepositories, installationTarget } from "./events/installation.ts";
import { issueComment } from "./events/issue-comment.ts";
import { mergeGroup } from "./events/merge-group.ts";
import { pullRequest } from "./events/pull-request.ts";
import { pullRequestReview } from "./events/pull-request-review.ts";
import { push } from "./events/push.ts";
import { repository } from "./events/repository.ts";
import { status } from "./events/status.ts";
import type { Reducer } from "./payload/payload.ts";

/** Every event that is looked at. A map, so that names like `constructor` find nothing. */
export const REDUCERS: ReadonlyMap<string, Reducer> = new Map([
  ["check_run", checkRun],
  ["check_suite", checkSuite],
  ["installation", installation],
  ["installation_repositories", installationRepositories],
  ["installation_target", installationTarget],
  ["issue_comment", issueComment],
  ["merge_group", mergeGroup],
  ["pull_request", pullRequest],
  ["pull_request_review", pullRequestReview],
  ["push", push],
  ["repository", repository],
  ["status", status],
]);
