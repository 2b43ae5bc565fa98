import { z } from "zod";
import { AtRepository, ignored, Label, laneEvent, reducer, repositoryOf, Sha } from "../payload/payload.ts";

const MergeGroup = AtRepository.extend({
  action: z.string(),
  merge_group: z.object({ head_sha: Sha, head_ref: Label, base_ref: Label, base_sha: Sha }),
});

const Action = z.enum(["checks_requested", "destroyed"]);
const branch = (ref: string): string => ref.replace(/^refs\/heads\//, "");

export const mergeGroup = reducer(MergeGroup, (payload) => {
  const action = Action.safeParse(payload.action);
  if (!action.success) return ignored("action");
  const { head_sha: headSha, head_ref, base_ref, base_sha: baseSha } = payload.merge_group;
  const refs = { headSha, headRef: branch(head_ref), baseRef: branch(base_ref), baseSha };
  return laneEvent({ kind: "merge_group", ...repositoryOf(payload), action: action.data, ...refs });
});
