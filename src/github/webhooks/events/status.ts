import { z } from "zod";
import { AtRepository, bearsOurName, ignored, isOnPlatform, place, reducer, Sha, wake } from "../payload.ts";

const Status = AtRepository.extend({ sha: Sha, context: z.string(), target_url: z.string().nullable() });

export const status = reducer(Status, (payload, surroundings) => {
  const concerns = isOnPlatform(payload.target_url, surroundings) || bearsOurName(payload.context);
  if (!concerns) return ignored("foreign");
  return wake({ kind: "commit", ...place(payload), cause: "status", sha: payload.sha, pulls: [] });
});
