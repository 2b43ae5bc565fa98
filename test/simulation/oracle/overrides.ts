import type { SandboxPull } from "../../../sandbox/state/records.ts";
import type { Story } from "../story.ts";
import { listFinanceComments } from "./finance-comments.ts";
import { policyOf } from "./policy.ts";

const OVERRIDE = /^\/tollgate override ([0-9a-f]{40}) outage$/;

/** Whether the policy in force lets the finance team override the check. */
export function isOverridable(story: Story, { baseRef }: SandboxPull): boolean {
  const policy = policyOf(story, baseRef);
  return typeof policy === "object" && policy.isOverridable;
}

/** Whether some comment, as it stands, may still override: on exactly this head, written under this base and policy. */
export function mayBeOverridden(story: Story, pull: SandboxPull): boolean {
  if (!isOverridable(story, pull)) return false;
  return listFinanceComments(story, pull).some(
    ({ id, body }) =>
      OVERRIDE.exec(body)?.[1] === pull.headSha && story.actors.overridePlaces.mayCount(id, pull),
  );
}
