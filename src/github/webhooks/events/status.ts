import { z } from "zod";
import {
  AtRepository,
  createReducer,
  getRepositoryFields,
  hasOurCheckName,
  ignored,
  isOnPlatform,
  laneEvent,
  Sha,
} from "../payload/payload.ts";

const Status = AtRepository.extend({
  sha: Sha,
  context: z.string(),
  target_url: z.string().nullable(),
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
  });
});
