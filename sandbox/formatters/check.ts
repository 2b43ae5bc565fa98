import { deriveSuiteState, listSuitePulls } from "../rules/suite.ts";
import type { CheckAnnotation, CheckRun, CheckSuite } from "../state/checks.ts";
import { buildNodeId } from "../state/node-id.ts";
import { buildCommitKey, type World } from "../state/world.ts";
import { formatApp } from "./app.ts";
import { formatHeadCommit } from "./commit.ts";
import { formatTime, formatTimeOrNull, type JsonObject } from "./json.ts";
import { formatPullMinimal } from "./pull.ts";
import { formatRepository, getRepositoryApiUrl, getRepositoryUrl } from "./repository.ts";

export function formatCheckRun(world: World, run: CheckRun): JsonObject {
  const repository = world.repositories.require(run.repositoryId);
  const url = `${getRepositoryApiUrl(world, repository)}/check-runs/${run.id}`;
  const html = `${getRepositoryUrl(world, repository)}/runs/${run.id}`;
  return {
    id: run.id,
    node_id: buildNodeId("CheckRun", run.id),
    name: run.name,
    head_sha: run.headSha,
    external_id: run.externalId ?? "",
    url,
    html_url: html,
    details_url: run.detailsUrl ?? html,
    status: run.status,
    conclusion: run.conclusion,
    started_at: formatTime(run.startedAt),
    completed_at: formatTimeOrNull(run.completedAt),
    output: {
      ...run.output,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: run.suiteId },
    app: formatApp(world, world.apps.require(run.appId)),
    pull_requests: formatSuitePulls(world, world.checkSuites.require(run.suiteId)),
  };
}

export function formatCheckSuite(world: World, suite: CheckSuite): JsonObject {
  const repository = world.repositories.require(suite.repositoryId);
  const runs = world.checkRuns.group(buildCommitKey({ ...suite, sha: suite.headSha }));
  return {
    ...formatSuiteCore(world, suite),
    repository: formatRepository(world, repository),
    head_commit: formatHeadCommit(world, repository, suite.headSha),
    latest_check_runs_count: runs.filter((run) => run.suiteId === suite.id).length,
    check_runs_url: `${getRepositoryApiUrl(world, repository)}/check-suites/${suite.id}/check-runs`,
    rerequestable: true,
    runs_rerequestable: true,
  };
}

/** Formats a suite for deliveries: without the repository. A run contains its whole suite there. */
export function formatCheckSuiteEvent(world: World, suite: CheckSuite): JsonObject {
  const { repository: _, ...rest } = formatCheckSuite(world, suite);
  return rest;
}

export const formatCheckRunEvent = (world: World, run: CheckRun): JsonObject => ({
  ...formatCheckRun(world, run),
  check_suite: formatSuiteCore(world, world.checkSuites.require(run.suiteId)),
});

export function formatAnnotation(world: World, run: CheckRun, annotation: CheckAnnotation): JsonObject {
  const page = getRepositoryUrl(world, world.repositories.require(run.repositoryId));
  return {
    path: annotation.path,
    blob_href: `${page}/blob/${run.headSha}/${annotation.path}`,
    start_line: annotation.startLine,
    start_column: annotation.startColumn,
    end_line: annotation.endLine,
    end_column: annotation.endColumn,
    annotation_level: annotation.level,
    title: annotation.title,
    message: annotation.message,
    raw_details: annotation.rawDetails,
  };
}

function formatSuiteCore(world: World, suite: CheckSuite): JsonObject {
  const repository = world.repositories.require(suite.repositoryId);
  return {
    id: suite.id,
    node_id: buildNodeId("CheckSuite", suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    ...deriveSuiteState(world, suite),
    url: `${getRepositoryApiUrl(world, repository)}/check-suites/${suite.id}`,
    before: suite.before,
    after: suite.headSha,
    pull_requests: formatSuitePulls(world, suite),
    app: formatApp(world, world.apps.require(suite.appId)),
    created_at: formatTime(suite.createdAt),
    updated_at: formatTime(suite.updatedAt),
  };
}

const formatSuitePulls = (world: World, suite: CheckSuite): readonly JsonObject[] =>
  listSuitePulls(world, suite).map((pull) => formatPullMinimal(world, pull));
