import { createCheckRun, emitRunEvent, updateCheckRun } from "../actions/checks.ts";
import { bodyOf, idIn } from "../api/body.ts";
import { type ApiAnswer, type ApiRoute, created, ok, type RepositoryCall } from "../api/call.ts";
import { paged } from "../api/paging.ts";
import { annotationJson, checkRunJson } from "../formatters/check.ts";
import type { CheckRun } from "../state/checks.ts";
import { ApiRefusal, notFound } from "../state/refusal.ts";
import { commitKey } from "../state/world.ts";
import { CheckRunChange, changeOf, NewCheckRunBody } from "./check-run-body.ts";
import { commitIn, repositoryRoute, requireCommit } from "./repository-route.ts";

export const checkRunRoutes: readonly ApiRoute[] = [
  repositoryRoute("POST /check-runs", ["checks:write"], (call) => create(call)),
  repositoryRoute("GET /check-runs/{check_run_id}", ["checks:read"], (call) =>
    ok(checkRunJson(call.world, runIn(call))),
  ),
  repositoryRoute("PATCH /check-runs/{check_run_id}", ["checks:write"], (call) => update(call)),
  repositoryRoute("GET /check-runs/{check_run_id}/annotations", ["checks:read"], (call) => {
    const run = runIn(call);
    return paged(call, run.annotations, (page) => page.map((one) => annotationJson(call.world, run, one)));
  }),
  repositoryRoute("POST /check-runs/{check_run_id}/rerequest", ["checks:write"], (call) => {
    const senderId = call.caller.bot.id;
    emitRunEvent(call.world, ownRun(call), { action: "rerequested", onlyOwner: true, senderId });
    return created({});
  }),
  repositoryRoute("GET /commits/{ref}/check-runs", ["checks:read"], (call) => {
    const at = { repositoryId: call.repository.id, sha: commitIn(call, "ref") };
    return listed(call, call.world.checkRuns.group(commitKey(at)));
  }),
  repositoryRoute("GET /check-suites/{check_suite_id}/check-runs", ["checks:read"], (call) => {
    const suite = call.world.checkSuites.get(idIn(call, "check_suite_id"));
    if (suite === null || suite.repositoryId !== call.repository.id) throw notFound();
    const runs = call.world.checkRuns.group(commitKey({ ...suite, sha: suite.headSha }));
    return listed(
      call,
      runs.filter((run) => run.suiteId === suite.id),
    );
  }),
];

function create(call: RepositoryCall): ApiAnswer {
  const body = bodyOf(call, "CheckRun", NewCheckRunBody);
  requireCommit(call, body.head_sha);
  const now = call.world.clock.now();
  const blank: Omit<CheckRun, "id" | "suiteId"> = {
    repositoryId: call.repository.id,
    appId: call.caller.app.id,
    name: body.name,
    headSha: body.head_sha,
    status: "queued",
    conclusion: null,
    externalId: null,
    detailsUrl: null,
    startedAt: now,
    completedAt: null,
    output: { title: null, summary: null, text: null },
    annotations: [],
    actions: [],
  };
  const run = createCheckRun(call.world, { ...blank, ...changeOf(body, { run: blank, now }) });
  return created(checkRunJson(call.world, run));
}

function update(call: RepositoryCall): ApiAnswer {
  const run = ownRun(call);
  const body = bodyOf(call, "CheckRun", CheckRunChange);
  const change = changeOf(body, { run, now: call.world.clock.now() });
  return ok(checkRunJson(call.world, updateCheckRun(call.world, run.id, change)));
}

function runIn(call: RepositoryCall): CheckRun {
  const run = call.world.checkRuns.get(idIn(call, "check_run_id"));
  if (run === null || run.repositoryId !== call.repository.id) throw notFound();
  return run;
}

/** Refuses a change by another App than the run's. */
function ownRun(call: RepositoryCall): CheckRun {
  const run = runIn(call);
  if (run.appId !== call.caller.app.id) throw new ApiRefusal(403, "Resource not accessible by integration");
  return run;
}

/** Filters runs by check_name, app_id and status; only the newest of each name and App unless `filter=all`. */
function listed(call: RepositoryCall, runs: readonly CheckRun[]): ApiAnswer {
  const name = call.query("check_name");
  const status = call.query("status");
  const app = call.query("app_id");
  const wanted = runs
    .filter((run) => name === null || run.name === name)
    .filter((run) => status === null || run.status === status)
    .filter((run) => app === null || String(run.appId) === app);
  const newest = new Map(wanted.map((run) => [`${run.appId}:${run.name}`, run]));
  const shown = (call.query("filter") === "all" ? wanted : [...newest.values()]).toReversed();
  return paged(call, shown, (page) => ({
    total_count: shown.length,
    check_runs: page.map((run) => checkRunJson(call.world, run)),
  }));
}
