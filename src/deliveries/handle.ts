import type { Delivery, LaneEvent, RepositoryLabel } from "../github/webhooks/payload/lane-event.ts";
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
  await rememberLabel(deps, event.installationId, event.repository);
  return handleRepositoryEvent(deps, event);
}

function handleRepositoryEvent(
  deps: DeliveryDeps,
  event: Exclude<LaneEvent, { kind: "installation" | "authorization_revoked" }>,
): Promise<void> {
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

function rememberLabel(
  deps: DeliveryDeps,
  installationId: number,
  { id, owner, name }: RepositoryLabel,
): Promise<void> {
  const label = { repository_id: id, installation_id: installationId, owner_login: owner, name };
  return saveLabel(deps.db, label, now(deps));
}

const now = ({ clock }: DeliveryDeps): Date => new Date(clock.now());
