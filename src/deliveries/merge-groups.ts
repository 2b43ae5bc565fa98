import type { MergeGroupEvent } from "../github/webhooks/payload/lane-event.ts";
import { enqueueMergeGroup } from "../queue/enqueue.ts";
import { removeMergeGroup } from "../store/merge-groups.ts";
import type { DeliveryDeps } from "./deps.ts";

/** Handles the start and the end of a merge group. */
export async function onMergeGroup(deps: DeliveryDeps, event: MergeGroupEvent): Promise<void> {
  const repositoryId = event.repository.id;
  if (event.action === "destroyed") return removeMergeGroup(deps.db, repositoryId, event.headSha);
  await enqueueMergeGroup(deps, repositoryId, event);
}
