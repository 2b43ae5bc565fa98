import { z } from "zod";
import { emitSuiteEvent, getOrCreateSuite } from "../actions/suites.ts";
import { parseCallBody, parseId } from "../api/body.ts";
import { type ApiRoute, created, ok, type RepositoryCall } from "../api/call.ts";
import { buildPage } from "../api/paging.ts";
import { formatCheckSuite } from "../formatters/check.ts";
import type { CheckSuite } from "../state/checks.ts";
import { notFound } from "../state/refusal.ts";
import { buildCommitKey } from "../state/world.ts";
import { createRepositoryRoute, requireCommit, resolveCommit } from "./repository-route.ts";

export const checkSuiteRoutes: readonly ApiRoute[] = [
  createRepositoryRoute("POST /check-suites", ["checks:write"], (call) => {
    const body = parseCallBody(call, "CheckSuite", z.object({ head_sha: z.string() }));
    requireCommit(call, body.head_sha);
    const at = { repository: call.repository, sha: body.head_sha, appId: call.caller.app.id };
    return created(formatCheckSuite(call.world, getOrCreateSuite(call.world, at)));
  }),
  createRepositoryRoute("GET /check-suites/{check_suite_id}", ["checks:read"], (call) =>
    ok(formatCheckSuite(call.world, resolveSuite(call))),
  ),
  createRepositoryRoute("POST /check-suites/{check_suite_id}/rerequest", ["checks:write"], (call) => {
    const senderId = call.caller.bot.id;
    emitSuiteEvent(call.world, resolveSuite(call), { action: "rerequested", onlyOwner: true, senderId });
    return created({});
  }),
  createRepositoryRoute("GET /commits/{ref}/check-suites", ["checks:read"], (call) => {
    const at = { repositoryId: call.repository.id, sha: resolveCommit(call, "ref") };
    const app = call.query("app_id");
    const suites = call.world.checkSuites
      .group(buildCommitKey(at))
      .filter((suite) => app === null || String(suite.appId) === app);
    return buildPage(call, suites, (page) => ({
      total_count: suites.length,
      check_suites: page.map((suite) => formatCheckSuite(call.world, suite)),
    }));
  }),
];

function resolveSuite(call: RepositoryCall): CheckSuite {
  const suite = call.world.checkSuites.get(parseId(call, "check_suite_id"));
  if (suite === null || suite.repositoryId !== call.repository.id) throw notFound();
  return suite;
}
