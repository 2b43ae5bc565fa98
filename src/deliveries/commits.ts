import { checkCommentsNow } from "../evaluate/publish/check-comments-now.ts";
import type { CommitEvent, RecheckEvent } from "../github/webhooks/payload/lane-event.ts";
import { enqueueLane } from "../queue/enqueue.ts";
import { forgetCheckDigests } from "../store/check-runs.ts";
import { findMergeGroup } from "../store/merge-groups.ts";
import { forgetAttempts, listOpenCommitPulls, savePull } from "../store/pulls.ts";
import type { DeliveryDeps } from "./deps.ts";

/** Handles a status or check of a commit: enqueues every open pull request with that head. */
export async function onCommit(deps: DeliveryDeps, event: CommitEvent): Promise<void> {
  const { repository, sha, named } = event;
  if (named !== undefined) await deps.rememberNamed({ repositoryId: repository.id, sha }, named);
  for (const number of await resolvePulls(deps, event))
    await enqueueLane(deps, { kind: "pull", repositoryId: repository.id, number });
}

/** Handles the Re-check button: the check is written again, and unknown facts are read again. */
export async function onRecheck(deps: DeliveryDeps, event: RecheckEvent): Promise<void> {
  const repositoryId = event.repository.id;
  await forgetCheckDigests(deps.db, repositoryId, event.sha);
  await forgetAttempts(deps.db, repositoryId, event.sha);
  if (await findMergeGroup(deps.db, repositoryId, event.sha)) {
    await enqueueLane(deps, { kind: "group", repositoryId, headSha: event.sha });
    return;
  }
  for (const number of await resolvePulls(deps, event)) {
    await checkCommentsNow(deps, { repositoryId, number });
    await enqueueLane(deps, { kind: "pull", repositoryId, number });
  }
}

/**
 * Returns the pull requests of a commit. Reads the store first, and asks GitHub only about a commit that no
 * stored pull request has.
 */
async function resolvePulls(
  deps: DeliveryDeps,
  event: CommitEvent | RecheckEvent,
): Promise<readonly number[]> {
  if (event.pulls.length > 0) return event.pulls;
  const { repository, installationId, sha } = event;
  const known = await listOpenCommitPulls(deps.db, repository.id, sha);
  if (known.length > 0) return known.map(({ number }) => number);
  const found = await deps.findCommitPulls(installationId, repository, sha);
  const now = new Date(deps.clock.now());
  for (const pull of found)
    await savePull(deps.db, { repositoryId: repository.id, state: "open", ...pull }, now);
  return found.filter(({ headSha }) => headSha === sha).map(({ number }) => number);
}
