import { deliverEvent } from "../events/deliver-event.ts";
import { formatCheckRunEvent } from "../formatters/check.ts";
import type { JsonObject } from "../formatters/json.ts";
import { formatStatusEvent } from "../formatters/status.ts";
import { deriveSuiteState } from "../rules/suite.ts";
import type { CheckRun, Status } from "../state/checks.ts";
import { resolveActor } from "../state/find.ts";
import { invalid } from "../state/refusal.ts";
import { buildCommitKey, type World } from "../state/world.ts";
import { emitSuiteEvent, getOrCreateSuite } from "./suites.ts";

/** GitHub keeps this many statuses of one context on one commit, then refuses more. */
const MAX_STATUSES = 1000;

export type NewStatusRow = Omit<Status, "id" | "createdAt">;

export function createStatus(world: World, row: NewStatusRow): Status {
  const same = world.statuses.group(buildCommitKey(row)).filter((status) => status.context === row.context);
  if (same.length >= MAX_STATUSES) {
    const message = "This SHA and context has reached the maximum number of statuses.";
    throw invalid({ resource: "Status", code: "custom", message });
  }
  const status = world.statuses.insert({
    ...row,
    id: world.nextId("status"),
    createdAt: world.clock.now(),
  });
  const repository = world.repositories.require(row.repositoryId);
  const payload = formatStatusEvent(world, status);
  deliverEvent(world, { event: "status", action: null, repository, senderId: row.creatorId, payload });
  return status;
}

export type NewCheckRunRow = Omit<CheckRun, "id" | "suiteId">;

/** Inserts the run into its App's suite and emits "created". A completed run also emits "completed", once. */
export function createCheckRun(world: World, row: NewCheckRunRow): CheckRun {
  const repository = world.repositories.require(row.repositoryId);
  const suite = getOrCreateSuite(world, { repository, sha: row.headSha, appId: row.appId });
  const run = world.checkRuns.insert({ ...row, id: world.nextId("run"), suiteId: suite.id });
  emitRunEvent(world, run, { action: "created", onlyOwner: false });
  if (run.status === "completed") emitCompleted(world, run);
  return run;
}

export function updateCheckRun(world: World, id: number, change: Partial<CheckRun>): CheckRun {
  const before = world.checkRuns.require(id);
  const run = world.checkRuns.update(id, change);
  if (run.status === "completed" && before.status !== "completed") emitCompleted(world, run);
  return run;
}

/** Emits `check_run`: requests to the run's App only, results to all subscribed Apps. */
export function emitRunEvent(
  world: World,
  run: CheckRun,
  what: { action: string; onlyOwner: boolean; senderId?: number; extra?: JsonObject },
): void {
  const app = world.apps.require(run.appId);
  deliverEvent(world, {
    event: "check_run",
    action: what.action,
    repository: world.repositories.require(run.repositoryId),
    senderId: what.senderId ?? app.botId,
    payload: { check_run: formatCheckRunEvent(world, run), ...what.extra },
    ...(what.onlyOwner ? { appId: app.id } : {}),
  });
}

/** Returns the id of `by`; without a name, of the repository's default actor. */
export const resolveActorId = (world: World, repositoryId: number, by: string | undefined): number =>
  resolveActor(world, world.repositories.require(repositoryId), by).id;

function emitCompleted(world: World, run: CheckRun): void {
  emitRunEvent(world, run, { action: "completed", onlyOwner: false });
  const suite = world.checkSuites.update(run.suiteId, { updatedAt: world.clock.now() });
  if (deriveSuiteState(world, suite).status === "completed") {
    emitSuiteEvent(world, suite, { action: "completed", onlyOwner: false });
  }
}
