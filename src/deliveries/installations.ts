import type { InstallationEvent } from "../github/webhooks/payload/lane-event.ts";
import { retryInstallationComments } from "../store/comment-problems.ts";
import { removeInstallation, setSuspended } from "../store/installations.ts";
import { removeRepository } from "../store/repositories.ts";
import type { DeliveryDeps } from "./deps.ts";

/** Handles a change of the App's installations. */
export async function onInstallation(deps: DeliveryDeps, event: InstallationEvent): Promise<void> {
  switch (event.action) {
    case "deleted":
      return removeInstallation(deps.db, event.installationId);
    case "suspend":
      return setSuspended(deps.db, event.installationId, true);
    case "repositories_removed": {
      for (const id of event.repositoryIds ?? []) await removeRepository(deps.db, id);
      return deps.discover(event.installationId);
    }
    default:
      await retryInstallationComments(deps.db, event.installationId, new Date(deps.clock.now()));
      return deps.discover(event.installationId);
  }
}
