import { type ApiRoute, ok, type RepositoryCall } from "../api/call.ts";
import { NO_COMMIT } from "../events/push.ts";
import { formatAccountById } from "../formatters/account.ts";
import { formatTime } from "../formatters/json.ts";
import { isAncestor } from "../git/history.ts";
import { getObjects } from "../state/find.ts";
import type { BranchActivity } from "../state/repositories.ts";
import { createRepositoryRoute } from "./repository-route.ts";

const PER_PAGE = 30;

/** Branch moves and their actors, newest first. The first page only: Tollgate follows no cursor here. */
export const activityRoutes: readonly ApiRoute[] = [
  createRepositoryRoute("GET /activity", ["contents:read"], (call) => {
    const ref = call.query("ref")?.replace(/^refs\/heads\//, "") ?? null;
    const size = Math.min(100, Number(call.query("per_page") ?? PER_PAGE));
    const moves = call.world.activities
      .group(String(call.repository.id))
      .filter(({ branch }) => ref === null || branch === ref)
      .toReversed();
    return ok(moves.slice(0, size).map((move) => formatActivity(call, move)));
  }),
];

const formatActivity = (call: RepositoryCall, move: BranchActivity) => ({
  id: move.id,
  node_id: `PSH_${move.id}`,
  before: move.before,
  after: move.after,
  ref: `refs/heads/${move.branch}`,
  timestamp: formatTime(move.at),
  activity_type: deriveActivityType(call, move),
  actor: formatAccountById(call.world, move.actorId),
});

function deriveActivityType(call: RepositoryCall, { before, after }: BranchActivity): string {
  if (before === NO_COMMIT) return "branch_creation";
  if (after === NO_COMMIT) return "branch_deletion";
  return isAncestor(getObjects(call.world, call.repository), before, after) ? "push" : "force_push";
}
