import { z } from "zod";
import { PullRequestEvent } from "../payload/lane-event.ts";
import {
  AtRepository,
  createReducer,
  getRepositoryFields,
  Id,
  ignored,
  Label,
  laneEvent,
  Sha,
} from "../payload/payload.ts";

const PullRequest = AtRepository.extend({
  action: z.string(),
  number: Id,
  pull_request: z.object({ head: z.object({ sha: Sha }), base: z.object({ ref: Label }) }),
  before: Sha.optional(),
  sender: z.object({ id: Id }).nullish(),
  changes: z.object({ base: z.object({ ref: z.object({ from: z.string() }) }).optional() }).optional(),
});

/** GitHub calls a change of the base branch `edited`. */
const Action = PullRequestEvent.shape.action.exclude(["retargeted"]);

export const pullRequest = createReducer(PullRequest, (payload) => {
  const retargeted = payload.action === "edited" && payload.changes?.base !== undefined;
  const action = retargeted ? "retargeted" : Action.safeParse(payload.action).data;
  if (action === undefined) return ignored("action");
  const { head, base } = payload.pull_request;
  return laneEvent({
    kind: "pull",
    ...getRepositoryFields(payload),
    action,
    number: payload.number,
    headSha: head.sha,
    before: payload.before ?? null,
    baseRef: base.ref,
    senderId: payload.sender?.id ?? null,
  });
});
