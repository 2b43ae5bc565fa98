import type { MergeGroupEvent } from "../github/webhooks/payload/lane-event.ts";
import { enqueueLane } from "../queue/enqueue.ts";
import { removeMergeGroup, saveMergeGroup } from "../store/merge-groups.ts";
import type { DeliveryDeps } from "./deps.ts";

/** Handles the start and the end of a merge group. */
export async function onMergeGroup(deps: DeliveryDeps, event: MergeGroupEvent): Promise<void> {
  const repositoryId = event.repository.id;
  if (event.action === "destroyed") return removeMergeGroup(deps.db, repositoryId, event.headSha);
  const group = {
    repository_id: repositoryId,
    head_sha: event.headSha,
    head_ref: event.headRef,
    base_ref: event.baseRef,
    base_sha: event.baseSha,
  };
  await saveMergeGroup(deps.db, group, new Date(deps.clock.now()));
  await enqueueLane(deps, { kind: "group", repositoryId, headSha: event.headSha });
}
