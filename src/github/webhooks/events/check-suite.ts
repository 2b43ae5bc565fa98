import { z } from "zod";
import {
  AtRepository,
  createReducer,
  getRepositoryFields,
  Id,
  ignored,
  laneEvent,
  Pulls,
  Sha,
  selectOwnPulls,
} from "../payload/payload.ts";

const CheckSuite = AtRepository.extend({
  action: z.string(),
  check_suite: z.object({ head_sha: Sha, app: z.object({ id: Id }).nullable(), pull_requests: Pulls }),
});

/** A suite has no URL: only its App states whose it is. */
export const checkSuite = createReducer(CheckSuite, (payload, { ownAppId, platformAppIds }) => {
  const { head_sha: sha, app, pull_requests } = payload.check_suite;
  const own = app?.id === ownAppId;
  const pulls = selectOwnPulls(pull_requests, payload.repository.id);
  if (payload.action === "rerequested") {
    return own
      ? laneEvent({ kind: "recheck", ...getRepositoryFields(payload), sha, pulls, checkRunId: null })
      : ignored("foreign");
  }
  if (payload.action !== "completed") return ignored("action");
  if (own) return ignored("own");
  const fromPlatform = app !== null && platformAppIds.includes(app.id);
  return fromPlatform
    ? laneEvent({ kind: "commit", ...getRepositoryFields(payload), cause: "check_suite", sha, pulls })
    : ignored("foreign");
});
