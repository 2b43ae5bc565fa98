import { absolute, compare, type Decimal, type Money } from "../../kernel/money.ts";
import type { NotificationEvent } from "../../kernel/notification-events.ts";
import type { NotifyChoice } from "../model/policy.ts";
import type { Notice, NoticeChange, Notification } from "./notification.ts";

/** One of the operator's targets, without the address and the secrets that only its sender needs. */
export interface TargetRules {
  readonly name: string;
  readonly on: ReadonlySet<NotificationEvent>;
  readonly above: Money | null;
  readonly offBy: Decimal;
  /** GitHub's numeric ids; both empty: everything. */
  readonly owners: ReadonlySet<number>;
  readonly repositories: ReadonlySet<number>;
  /** Empty: approvals of every team. */
  readonly teams: ReadonlySet<string>;
  readonly digest: "daily" | "none";
}

/** Whether a target may be notified about a repository. */
export const isCovered = (
  { owners, repositories }: TargetRules,
  { ownerId, repositoryId }: { readonly ownerId: number; readonly repositoryId: number },
): boolean =>
  (owners.size === 0 && repositories.size === 0) || owners.has(ownerId) || repositories.has(repositoryId);

/**
 * Returns the change of which a target is notified, by the operator's own choice or by the organisation's; null: it is notified
 * nothing about the subject.
 */
export function selectChange(
  target: TargetRules,
  choices: readonly NotifyChoice[],
  { event, change }: Notice,
): NoticeChange | null {
  if (change === null) return null;
  const own = { on: target.on, above: target.above, offBy: target.offBy };
  const chosen = choices
    .filter((choice) => choice.target === target.name)
    .map(({ on, above, offBy }) => ({ on: new Set<string>(on), above, offBy: offBy ?? target.offBy }));
  const isWanted = [own, ...chosen].some(
    (limits) => limits.on.has(event) && isWithin(limits, change.notification),
  );
  return isWanted && isOfTeams(target, change) ? change : null;
}

const isOfTeams = ({ teams }: TargetRules, { teams: missing }: NoticeChange): boolean =>
  teams.size === 0 || missing === undefined || missing.some((team) => teams.has(team));

interface Limits {
  readonly above: Money | null;
  readonly offBy: Decimal;
}

function isWithin({ above, offBy }: Limits, notification: Notification): boolean {
  if (notification.event === "blocked") return above === null || isAbove(notification.changes, above);
  if (notification.event !== "estimate-off") return true;
  return notification.totals.some(({ percent }) => percent === null || compare(absolute(percent), offBy) > 0);
}

/**
 * Whether a change is above an amount. What is unknown, not shown, or in another currency counts as above: leaving it out would
 * treat it as zero.
 */
function isAbove(changes: Extract<Notification, { event: "blocked" }>["changes"], above: Money): boolean {
  if (changes === null || changes.length === 0) return true;
  return changes.some(
    ({ currency, change, isPartial }) =>
      isPartial || change === null || currency !== above.currency || compare(change, above.amount) > 0,
  );
}
