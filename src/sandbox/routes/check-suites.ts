import { z } from "zod";
import { emitSuiteEvent, suiteFor } from "../actions/suites.ts";
import { bodyOf, idIn } from "../api/body.ts";
import { type ApiRoute, created, ok, type RepositoryCall } from "../api/call.ts";
import { paged } from "../api/paging.ts";
import { checkSuiteJson } from "../formatters/check.ts";
import type { CheckSuite } from "../state/checks.ts";
import { notFound } from "../state/refusal.ts";
import { commitKey } from "../state/world.ts";
import { commitIn, repositoryRoute, requireCommit } from "./repository-route.ts";

export const checkSuiteRoutes: readonly ApiRoute[] = [
  repositoryRoute("POST /check-suites", ["checks:write"], (call) => {
    const body = bodyOf(call, "CheckSuite", z.object({ head_sha: z.string() }));
    requireCommit(call, body.head_sha);
    const at = { repository: call.repository, sha: body.head_sha, appId: call.caller.app.id };
    return created(checkSuiteJson(call.world, suiteFor(call.world, at)));
  }),
  repositoryRoute("GET /check-suites/{check_suite_id}", ["checks:read"], (call) =>
    ok(checkSuiteJson(call.world, suiteIn(call))),
  ),
  repositoryRoute("POST /check-suites/{check_suite_id}/rerequest", ["checks:write"], (call) => {
    const senderId = call.caller.bot.id;
    emitSuiteEvent(call.world, suiteIn(call), { action: "rerequested", onlyOwner: true, senderId });
    return created({});
  }),
  repositoryRoute("GET /commits/{ref}/check-suites", ["checks:read"], (call) => {
    const at = { repositoryId: call.repository.id, sha: commitIn(call, "ref") };
    const app = call.query("app_id");
    const suites = call.world.checkSuites
      .group(commitKey(at))
      .filter((suite) => app === null || String(suite.appId) === app);
    return paged(call, suites, (page) => ({
      total_count: suites.length,
      check_suites: page.map((suite) => checkSuiteJson(call.world, suite)),
    }));
  }),
];

function suiteIn(call: RepositoryCall): CheckSuite {
  const suite = call.world.checkSuites.get(idIn(call, "check_suite_id"));
  if (suite === null || suite.repositoryId !== call.repository.id) throw notFound();
  return suite;
}
