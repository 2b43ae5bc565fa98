import { suitePulls, suiteState } from "../rules/suite.ts";
import type { CheckAnnotation, CheckRun, CheckSuite } from "../state/checks.ts";
import { nodeId } from "../state/node-id.ts";
import { commitKey, type World } from "../state/world.ts";
import { appJson } from "./app.ts";
import { headCommitJson } from "./commit.ts";
import { type JsonObject, time, timeOrNull } from "./json.ts";
import { pullMinimalJson } from "./pull.ts";
import { repositoryApi, repositoryJson, repositoryPage } from "./repository.ts";

export function checkRunJson(world: World, run: CheckRun): JsonObject {
  const repository = world.repositories.require(run.repositoryId);
  const url = `${repositoryApi(world, repository)}/check-runs/${run.id}`;
  const html = `${repositoryPage(world, repository)}/runs/${run.id}`;
  return {
    id: run.id,
    node_id: nodeId("CheckRun", run.id),
    name: run.name,
    head_sha: run.headSha,
    external_id: run.externalId ?? "",
    url,
    html_url: html,
    details_url: run.detailsUrl ?? html,
    status: run.status,
    conclusion: run.conclusion,
    started_at: time(run.startedAt),
    completed_at: timeOrNull(run.completedAt),
    output: {
      ...run.output,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: run.suiteId },
    app: appJson(world, world.apps.require(run.appId)),
    pull_requests: pullsOf(world, world.checkSuites.require(run.suiteId)),
  };
}

export function checkSuiteJson(world: World, suite: CheckSuite): JsonObject {
  const repository = world.repositories.require(suite.repositoryId);
  const runs = world.checkRuns.group(commitKey({ ...suite, sha: suite.headSha }));
  return {
    ...suiteCore(world, suite),
    repository: repositoryJson(world, repository),
    head_commit: headCommitJson(world, repository, suite.headSha),
    latest_check_runs_count: runs.filter((run) => run.suiteId === suite.id).length,
    check_runs_url: `${repositoryApi(world, repository)}/check-suites/${suite.id}/check-runs`,
    rerequestable: true,
    runs_rerequestable: true,
  };
}

/** Formats a suite for deliveries: without the repository. A run contains its whole suite there. */
export function checkSuiteEventJson(world: World, suite: CheckSuite): JsonObject {
  const { repository: _, ...rest } = checkSuiteJson(world, suite);
  return rest;
}

export const checkRunEventJson = (world: World, run: CheckRun): JsonObject => ({
  ...checkRunJson(world, run),
  check_suite: suiteCore(world, world.checkSuites.require(run.suiteId)),
});

export function annotationJson(world: World, run: CheckRun, annotation: CheckAnnotation): JsonObject {
  const page = repositoryPage(world, world.repositories.require(run.repositoryId));
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

function suiteCore(world: World, suite: CheckSuite): JsonObject {
  const repository = world.repositories.require(suite.repositoryId);
  return {
    id: suite.id,
    node_id: nodeId("CheckSuite", suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    ...suiteState(world, suite),
    url: `${repositoryApi(world, repository)}/check-suites/${suite.id}`,
    before: suite.before,
    after: suite.headSha,
    pull_requests: pullsOf(world, suite),
    app: appJson(world, world.apps.require(suite.appId)),
    created_at: time(suite.createdAt),
    updated_at: time(suite.updatedAt),
  };
}

const pullsOf = (world: World, suite: CheckSuite): readonly JsonObject[] =>
  suitePulls(world, suite).map((pull) => pullMinimalJson(world, pull));
