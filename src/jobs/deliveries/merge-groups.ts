import type { MergeGroupWake } from "../../github/webhooks/wake-event.ts";
import { removeMergeGroup, saveMergeGroup } from "../../store/merge-groups.ts";
import { wakeLane } from "../wake.ts";
import type { DeliveryDeps } from "./deps.ts";

/** The merge queue asks whether a group may go on, or gives one up. */
export async function onMergeGroup(deps: DeliveryDeps, event: MergeGroupWake): Promise<void> {
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
  await wakeLane(deps, { kind: "group", repositoryId, headSha: event.headSha });
}
