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
  Pulls,
  type ReduceContext,
  type ReducedDelivery,
  recordNamedExecution,
  Sha,
  selectOwnPulls,
} from "../payload/payload.ts";

const CheckRun = AtRepository.extend({
  action: z.string(),
  check_run: z.object({
    id: Id,
    name: z.string(),
    head_sha: Sha,
    details_url: z.string().nullish(),
    app: z.object({ id: Id }).nullable(),
    pull_requests: Pulls,
  }),
  requested_action: z.object({ identifier: z.string() }).nullish(),
});
type CheckRun = z.infer<typeof CheckRun>;

/** The one button under our checks. */
export const RECHECK_ACTION = "recheck";

export const checkRun = createReducer(CheckRun, (payload, surroundings) => {
  const own = payload.check_run.app?.id === surroundings.ownAppId;
  if (payload.action === "completed") return own ? ignored("own") : reduceCompleted(payload, surroundings);
  const isRecheck =
    payload.action === "rerequested" ||
    (payload.action === "requested_action" && payload.requested_action?.identifier === RECHECK_ACTION);
  if (!isRecheck) return ignored("action");
  if (!own) return ignored("foreign");
  const { id: checkRunId, head_sha: sha, pull_requests } = payload.check_run;
  const pulls = selectOwnPulls(pull_requests, payload.repository.id);
  return laneEvent({ kind: "recheck", ...getRepositoryFields(payload), sha, pulls, checkRunId });
});

function reduceCompleted(payload: CheckRun, surroundings: ReduceContext): ReducedDelivery {
  const { name, details_url: url, head_sha: sha, pull_requests, app } = payload.check_run;
  if (!isOnPlatform(url, surroundings) && !hasOurCheckName(name)) return ignored("foreign");
  const pulls = selectOwnPulls(pull_requests, payload.repository.id);
  const named = recordNamedExecution("check", app?.id, { url, surroundings });
  return laneEvent({
    kind: "commit",
    ...getRepositoryFields(payload),
    cause: "check_run",
    sha,
    pulls,
    ...named,
  });
}
