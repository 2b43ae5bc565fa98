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

/** Absent: the server knows no stacks. */
const Stack = z
  .object({ number: Id.optional(), position: Id.optional(), base: z.object({ ref: Label }) })
  .nullish();

const PullRequest = AtRepository.extend({
  action: z.string(),
  number: Id,
  pull_request: z.object({ head: z.object({ sha: Sha }), base: z.object({ ref: Label }), stack: Stack }),
  before: Sha.optional(),
  sender: z.object({ id: Id }).nullish(),
  changes: z.object({ base: z.object({ ref: z.object({ from: z.string() }) }).optional() }).optional(),
});

/** GitHub calls a change of the base branch `edited`. */
const Action = PullRequestEvent.shape.action.exclude(["retargeted", "other"]);

export const pullRequest = createReducer(PullRequest, (payload) => {
  const retargeted = payload.action === "edited" && payload.changes?.base !== undefined;
  const { head, base, stack } = payload.pull_request;
  const other = stack === undefined ? undefined : "other";
  const action = retargeted ? "retargeted" : (Action.safeParse(payload.action).data ?? other);
  if (action === undefined) return ignored("action");
  return laneEvent({
    kind: "pull",
    ...getRepositoryFields(payload),
    action,
    number: payload.number,
    headSha: head.sha,
    before: payload.before ?? null,
    baseRef: stack?.base.ref ?? base.ref,
    stack: stack ? JSON.stringify([stack.number, stack.position, stack.base.ref]) : null,
    senderId: payload.sender?.id ?? null,
  });
});
