import type { Delivery, LaneEvent } from "../github/webhooks/payload/lane-event.ts";
import { assertNever } from "../kernel/errors.ts";
import { saveLabel } from "../store/repositories.ts";
import { deleteUserSessions } from "../store/sessions.ts";
import { onComment, onReview } from "./commands.ts";
import { onCommit, onRecheck } from "./commits.ts";
import type { DeliveryDeps } from "./deps.ts";
import { onInstallation } from "./installations.ts";
import { onMergeGroup } from "./merge-groups.ts";
import { onPolicyPush, onPull, onRepository } from "./pulls.ts";

/** Handles one delivery: saves its facts and enqueues the lanes that it concerns. It may run twice: every effect is idempotent. */
export async function handleDelivery(deps: DeliveryDeps, { event }: Delivery): Promise<void> {
  if (event.kind === "installation") return onInstallation(deps, event);
  if (event.kind === "authorization_revoked") return deleteUserSessions(deps.db, event.userId);
  await rememberLabel(deps, event);
  return handleRepositoryEvent(deps, event);
}

type AtRepository = Exclude<LaneEvent, { kind: "installation" | "authorization_revoked" }>;

function handleRepositoryEvent(deps: DeliveryDeps, event: AtRepository): Promise<void> {
  switch (event.kind) {
    case "pull":
      return onPull(deps, event);
    case "policy_push":
      return onPolicyPush(deps, event);
    case "commit":
      return onCommit(deps, event);
    case "recheck":
      return onRecheck(deps, event);
    case "comment":
      return onComment(deps, event);
    case "review":
      return onReview(deps, event);
    case "merge_group":
      return onMergeGroup(deps, event);
    case "repository":
      return onRepository(deps, event);
    default:
      return assertNever(event);
  }
}

function rememberLabel({ db, clock }: DeliveryDeps, event: AtRepository): Promise<void> {
  const { id, owner, name } = event.repository;
  const label = {
    repository_id: id,
    installation_id: event.installationId,
    owner_login: owner,
    name,
    ...("ownerId" in event && { owner_id: event.ownerId }),
    labels_at: event.statedMs === null ? null : new Date(event.statedMs),
  };
  return saveLabel(db, label, new Date(clock.now()));
}
