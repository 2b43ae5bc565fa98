/** The events of pull requests and repositories that people can be notified of, by the names in policy files and in the operator's file. */
export const POLICY_EVENTS = [
  "blocked",
  "approval-needed",
  "approved",
  "approval-ends",
  "waiver-expiring",
  "budget",
  "merged-over-check",
  "apply-refused",
  "estimate-off",
] as const;

/** Those, and what only operators are notified of: Tollgate's own trouble. */
export const NOTIFICATION_EVENTS = [...POLICY_EVENTS, "trouble"] as const;

export type PolicyEvent = (typeof POLICY_EVENTS)[number];
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/** The name of a target of notifications, as policy files and commands name it. */
export const TARGET_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
export const TARGET_NAME_RULE = "1 to 64 lower-case letters, digits, dashes or underscores";
