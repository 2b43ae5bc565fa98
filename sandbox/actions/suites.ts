import { deliverEvent } from "../events/deliver-event.ts";
import { formatCheckSuiteEvent } from "../formatters/check.ts";
import { readCommit } from "../git/objects.ts";
import type { CheckSuite } from "../state/checks.ts";
import { getObjects, isInstalledOn } from "../state/find.ts";
import type { Repository } from "../state/repositories.ts";
import { buildCommitKey, type World } from "../state/world.ts";

/** Creates and requests a check suite of a pushed commit for every App that may write checks. */
export function requestSuites(
  world: World,
  at: { repository: Repository; branch: string; before: string; sha: string },
): void {
  for (const installation of world.installations.all()) {
    if (installation.permissions["checks"] !== "write" || !isInstalledOn(installation, at.repository))
      continue;
    const suite = getOrCreateSuite(world, { ...at, appId: installation.appId });
    emitSuiteEvent(world, suite, { action: "requested", onlyOwner: true });
  }
}

/** Returns the App's suite of a commit; creates it when missing. */
export function getOrCreateSuite(
  world: World,
  at: { repository: Repository; sha: string; appId: number; before?: string },
): CheckSuite {
  const { repository, sha, appId } = at;
  const suites = world.checkSuites.group(buildCommitKey({ repositoryId: repository.id, sha }));
  const existing = suites.find((suite) => suite.appId === appId);
  if (existing !== undefined) return existing;
  const branch = repository.branches.entries().find(([, tip]) => tip === sha)?.[0] ?? null;
  const now = world.clock.now();
  return world.checkSuites.insert({
    id: world.nextId("suite"),
    repositoryId: repository.id,
    appId,
    headSha: sha,
    headBranch: branch,
    before: at.before ?? readCommit(getObjects(world, repository), sha)?.parents[0] ?? null,
    createdAt: now,
    updatedAt: now,
  });
}

/** Emits `check_suite`: requests to the suite's App only, results to all subscribed Apps. */
export function emitSuiteEvent(
  world: World,
  suite: CheckSuite,
  what: { action: string; onlyOwner: boolean; senderId?: number },
): void {
  const repository = world.repositories.require(suite.repositoryId);
  const app = world.apps.require(suite.appId);
  deliverEvent(world, {
    event: "check_suite",
    action: what.action,
    repository,
    senderId: what.senderId ?? app.botId,
    payload: { check_suite: formatCheckSuiteEvent(world, suite) },
    ...(what.onlyOwner ? { appId: app.id } : {}),
  });
}
