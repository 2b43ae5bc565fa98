import { CheckRunChange, NewCheckRunBody } from "../actions/check-run-body.ts";
import { emitRunEvent } from "../actions/checks.ts";
import { createRunByBody, updateRunByBody } from "../actions/write-check-run.ts";
import { parseCallBody, parseId } from "../api/body.ts";
import { type ApiAnswer, type ApiRoute, created, ok, type RepositoryCall } from "../api/call.ts";
import { buildPage } from "../api/paging.ts";
import { formatAnnotation, formatCheckRun } from "../formatters/check.ts";
import type { CheckRun } from "../state/checks.ts";
import { ApiRefusal, notFound } from "../state/refusal.ts";
import { buildCommitKey } from "../state/world.ts";
import { createRepositoryRoute, resolveCommit } from "./repository-route.ts";

export const checkRunRoutes: readonly ApiRoute[] = [
  createRepositoryRoute("POST /check-runs", ["checks:write"], (call) => answerCreate(call)),
  createRepositoryRoute("GET /check-runs/{check_run_id}", ["checks:read"], (call) =>
    ok(formatCheckRun(call.world, resolveRun(call))),
  ),
  createRepositoryRoute("PATCH /check-runs/{check_run_id}", ["checks:write"], (call) => answerUpdate(call)),
  createRepositoryRoute("GET /check-runs/{check_run_id}/annotations", ["checks:read"], (call) => {
    const run = resolveRun(call);
    return buildPage(call, run.annotations, (page) =>
      page.map((one) => formatAnnotation(call.world, run, one)),
    );
  }),
  createRepositoryRoute("POST /check-runs/{check_run_id}/rerequest", ["checks:write"], (call) => {
    const senderId = call.caller.bot.id;
    emitRunEvent(call.world, resolveOwnRun(call), { action: "rerequested", onlyOwner: true, senderId });
    return created({});
  }),
  createRepositoryRoute("GET /commits/{ref}/check-runs", ["checks:read"], (call) => {
    const at = { repositoryId: call.repository.id, sha: resolveCommit(call, "ref") };
    return answerRuns(call, call.world.checkRuns.group(buildCommitKey(at)));
  }),
  createRepositoryRoute("GET /check-suites/{check_suite_id}/check-runs", ["checks:read"], (call) => {
    const suite = call.world.checkSuites.get(parseId(call, "check_suite_id"));
    if (suite === null || suite.repositoryId !== call.repository.id) throw notFound();
    const runs = call.world.checkRuns.group(buildCommitKey({ ...suite, sha: suite.headSha }));
    return answerRuns(
      call,
      runs.filter((run) => run.suiteId === suite.id),
    );
  }),
];

function answerCreate(call: RepositoryCall): ApiAnswer {
  const { world, repository, caller } = call;
  const body = parseCallBody(call, "CheckRun", NewCheckRunBody);
  const run = createRunByBody(world, { repository, appId: caller.app.id, body });
  return created(formatCheckRun(world, run));
}

function answerUpdate(call: RepositoryCall): ApiAnswer {
  const run = resolveOwnRun(call);
  const body = parseCallBody(call, "CheckRun", CheckRunChange);
  return ok(formatCheckRun(call.world, updateRunByBody(call.world, run, body)));
}

function resolveRun(call: RepositoryCall): CheckRun {
  const run = call.world.checkRuns.get(parseId(call, "check_run_id"));
  if (run === null || run.repositoryId !== call.repository.id) throw notFound();
  return run;
}

/** Refuses a change by another App than the run's. */
function resolveOwnRun(call: RepositoryCall): CheckRun {
  const run = resolveRun(call);
  if (run.appId !== call.caller.app.id) throw new ApiRefusal(403, "Resource not accessible by integration");
  return run;
}

/** Filters runs by check_name, app_id and status; only the newest of each name and App unless `filter=all`. */
function answerRuns(call: RepositoryCall, runs: readonly CheckRun[]): ApiAnswer {
  const name = call.query("check_name");
  const status = call.query("status");
  const app = call.query("app_id");
  const wanted = runs
    .filter((run) => name === null || run.name === name)
    .filter((run) => status === null || run.status === status)
    .filter((run) => app === null || String(run.appId) === app);
  const newest = new Map(wanted.map((run) => [`${run.appId}:${run.name}`, run]));
  const selectedRuns = (call.query("filter") === "all" ? wanted : [...newest.values()]).toReversed();
  return buildPage(call, selectedRuns, (page) => ({
    total_count: selectedRuns.length,
    check_runs: page.map((run) => formatCheckRun(call.world, run)),
  }));
}
