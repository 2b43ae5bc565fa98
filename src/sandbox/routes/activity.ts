import { type ApiRoute, ok, type RepositoryCall } from "../api/call.ts";
import { NO_COMMIT } from "../events/push.ts";
import { accountById } from "../formatters/account.ts";
import { time } from "../formatters/json.ts";
import { isAncestor } from "../git/history.ts";
import { objectsOf } from "../state/find.ts";
import type { BranchActivity } from "../state/repositories.ts";
import { repositoryRoute } from "./repository-route.ts";

const PER_PAGE = 30;

/** Branch moves and their actors, newest first. GitHub's cursors are not implemented: nothing here uses them. */
export const activityRoutes: readonly ApiRoute[] = [
  repositoryRoute("GET /activity", ["contents:read"], (call) => {
    const ref = call.query("ref")?.replace(/^refs\/heads\//, "") ?? null;
    const size = Math.min(100, Number(call.query("per_page") ?? PER_PAGE));
    const moves = call.world.activities
      .group(String(call.repository.id))
      .filter(({ branch }) => ref === null || branch === ref)
      .toReversed();
    return ok(moves.slice(0, size).map((move) => moveJson(call, move)));
  }),
];

const moveJson = (call: RepositoryCall, move: BranchActivity) => ({
  id: move.id,
  node_id: `PSH_${move.id}`,
  before: move.before,
  after: move.after,
  ref: `refs/heads/${move.branch}`,
  timestamp: time(move.at),
  activity_type: kindOf(call, move),
  actor: accountById(call.world, move.actorId),
});

function kindOf(call: RepositoryCall, { before, after }: BranchActivity): string {
  if (before === NO_COMMIT) return "branch_creation";
  if (after === NO_COMMIT) return "branch_deletion";
  return isAncestor(objectsOf(call.world, call.repository), before, after) ? "push" : "force_push";
}
