import { z } from "zod";
import {
  AtRepository,
  createReducer,
  getRepositoryFields,
  hasOurCheckName,
  Id,
  ignored,
  isOnPlatform,
  laneEvent,
  recordNamedExecution,
  Sha,
} from "../payload/payload.ts";

const Status = AtRepository.extend({
  sha: Sha,
  context: z.string(),
  target_url: z.string().nullable(),
  sender: z.object({ id: Id }).nullish(),
});

export const status = createReducer(Status, (payload, surroundings) => {
  const concerns = isOnPlatform(payload.target_url, surroundings) || hasOurCheckName(payload.context);
  if (!concerns) return ignored("foreign");
  return laneEvent({
    kind: "commit",
    ...getRepositoryFields(payload),
    cause: "status",
    sha: payload.sha,
    pulls: [],
    ...recordNamedExecution("status", payload.sender?.id, { url: payload.target_url, surroundings }),
  });
});
