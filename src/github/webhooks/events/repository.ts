import { z } from "zod";
import { RepositoryEvent } from "../payload/lane-event.ts";
import {
  AtRepository,
  createReducer,
  getRepositoryFields,
  Id,
  ignored,
  Label,
  laneEvent,
} from "../payload/payload.ts";

const Repository = AtRepository.extend({
  action: z.string(),
  repository: z.object({ id: Id, name: Label, owner: z.object({ login: Label, id: Id }) }),
});

export const repository = createReducer(Repository, (payload) => {
  const action = RepositoryEvent.shape.action.safeParse(payload.action);
  if (!action.success) return ignored("action");
  return laneEvent({
    kind: "repository",
    ...getRepositoryFields(payload),
    action: action.data,
    ownerId: payload.repository.owner.id,
  });
});
