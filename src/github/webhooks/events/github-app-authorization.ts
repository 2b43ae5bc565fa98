import { z } from "zod";
import { createReducer, Id, ignored, laneEvent } from "../payload/payload.ts";

const Authorization = z.object({ action: z.string(), sender: z.object({ id: Id }) });

/** The sender is the person who ended the authorization. */
export const githubAppAuthorization = createReducer(Authorization, ({ action, sender }) =>
  action === "revoked" ? laneEvent({ kind: "authorization_revoked", userId: sender.id }) : ignored("action"),
);
