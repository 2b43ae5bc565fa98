import type { Probot } from "probot";
import { checkRun } from "./events/check-run.ts";
import { checkSuite } from "./events/check-suite.ts";
import { githubAppAuthorization } from "./events/github-app-authorization.ts";
import { installation, installationRepositories, installationTarget } from "./events/installation.ts";
import { issueComment } from "./events/issue-comment.ts";
import { mergeGroup } from "./events/merge-group.ts";
import { pullRequest } from "./events/pull-request.ts";
import { pullRequestReview } from "./events/pull-request-review.ts";
import { push } from "./events/push.ts";
import { repository } from "./events/repository.ts";
import { status } from "./events/status.ts";
import type { Reducer } from "./payload/payload.ts";

/** Names of events as Octokit types them. */
type EventName = Extract<Parameters<Probot["on"]>[0], string>;

/** Every event that Tollgate reduces, by the name that GitHub and Octokit give it. */
const BY_EVENT = {
  check_run: checkRun,
  check_suite: checkSuite,
  github_app_authorization: githubAppAuthorization,
  installation,
  installation_repositories: installationRepositories,
  installation_target: installationTarget,
  issue_comment: issueComment,
  merge_group: mergeGroup,
  pull_request: pullRequest,
  pull_request_review: pullRequestReview,
  push,
  repository,
  status,
} as const satisfies Readonly<Partial<Record<EventName, Reducer>>>;

type ReducedEventName = keyof typeof BY_EVENT;

// Object.keys forgets the names: the object is a constant and has no other keys.
export const EVENTS = Object.keys(BY_EVENT) as readonly ReducedEventName[];

/** A map, so that names like `constructor` find nothing. */
export const REDUCERS: ReadonlyMap<string, Reducer> = new Map(Object.entries(BY_EVENT));
