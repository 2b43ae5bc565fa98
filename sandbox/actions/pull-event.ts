import { deliverEvent } from "../events/deliver-event.ts";
import type { JsonObject } from "../formatters/json.ts";
import { formatPull } from "../formatters/pull.ts";
import type { Account } from "../state/accounts.ts";
import type { SandboxPull } from "../state/pulls.ts";
import type { World } from "../state/world.ts";

/** Sends `pull_request` with an action; returns the pull request for chaining. */
export function emitPullEvent(
  world: World,
  pull: SandboxPull,
  what: { action: string; by: Account; extra?: JsonObject },
): SandboxPull {
  deliverEvent(world, {
    event: "pull_request",
    action: what.action,
    repository: world.repositories.require(pull.repositoryId),
    senderId: what.by.id,
    payload: { number: pull.number, pull_request: formatPull(world, pull), ...what.extra },
  });
  return pull;
}
