import { z } from "zod";
import { MergeGroupEvent } from "../payload/lane-event.ts";
import {
  AtRepository,
  createReducer,
  getRepositoryFields,
  ignored,
  Label,
  laneEvent,
  Sha,
} from "../payload/payload.ts";

const MergeGroup = AtRepository.extend({
  action: z.string(),
  merge_group: z.object({ head_sha: Sha, head_ref: Label, base_ref: Label, base_sha: Sha }),
});

const toBranch = (ref: string): string => ref.replace(/^refs\/heads\//, "");

export const mergeGroup = createReducer(MergeGroup, (payload) => {
  const action = MergeGroupEvent.shape.action.safeParse(payload.action);
  if (!action.success) return ignored("action");
  const { head_sha: headSha, head_ref, base_ref, base_sha: baseSha } = payload.merge_group;
  const refs = { headSha, headRef: toBranch(head_ref), baseRef: toBranch(base_ref), baseSha };
  return laneEvent({ kind: "merge_group", ...getRepositoryFields(payload), action: action.data, ...refs });
});
