import { decimal } from "../../../src/kernel/money.ts";
import type { Notification } from "../../../src/policy/notifications/notification.ts";

const money = (amount: string) => ({ amount: decimal(amount), currency: "USD" });

const pull = {
  repository: "acme/shop",
  number: 12,
  title: "Run the shop in three zones",
  author: "octocat",
} as const;
const changes = [{ currency: "USD", change: decimal("812.4"), isPartial: false }];
const rules = [
  {
    rule: "monthly-increase",
    message: "Ask finops before you spend more.",
    money: { measured: money("812.4"), limit: money("500") },
  },
  { rule: "no-database-deletes", message: null, money: null },
];
const approvers = [
  { rule: "monthly-increase", teams: ["finops"], users: ["octocat"], permission: null, lacks: 1 },
  { rule: "no-database-deletes", teams: [], users: [], permission: "maintain", lacks: 2 },
];

/** One notification of each kind, and of each case that templates word differently. */
export const SAMPLE_NOTIFICATIONS: readonly Notification[] = [
  {
    ...{ event: "weekly-report", owner: "acme", from: "2026-11-16", to: "2026-11-22" },
    merged: {
      pulls: 4,
      changes: [...changes, { currency: "EUR", change: decimal("-5"), isPartial: true }],
    },
    ...{ blocked: 2, waiting: 3, hidden: 1 },
    longest: { approver: "acme/finops", pulls: 3, since: "2026-11-12" },
    prevented: { amounts: [money("1200")], isPartial: true },
    budgets: [
      { repository: "acme/shop", budget: "room", used: money("850"), limit: money("1000"), lastDay: null },
    ],
    estimates: [
      {
        ...{ repository: "acme/shop", number: 9, percent: decimal("-25") },
        ...{ estimated: money("400"), actual: money("300") },
      },
    ],
  },
  {
    ...{ event: "weekly-report", owner: "acme", from: "2026-11-16", to: "2026-11-22" },
    merged: { pulls: 0, changes: [] },
    ...{ blocked: 0, waiting: 0, hidden: 0, longest: null },
    prevented: { amounts: [], isPartial: true },
    ...{ budgets: [], estimates: [] },
  },
  { event: "blocked", pull, changes, rules, moreRules: 3 },
  { event: "blocked", pull: { ...pull, author: null }, changes: null, rules: [], moreRules: 0 },
  { event: "blocked", pull, changes: [], rules, moreRules: 0 },
  {
    event: "approval-needed",
    pull,
    changes: [{ currency: "USD", change: null, isPartial: false }],
    approvers,
  },
  {
    event: "approved",
    pull,
    changes: [{ currency: "EUR", change: decimal("-5"), isPartial: true }],
    approvals: [
      { approver: "octocat", upTo: money("900") },
      { approver: "hubot", upTo: null },
    ],
  },
  { event: "merged-over-check", pull, changes, check: "action_required", rules, moreRules: 0 },
  { event: "merged-over-check", pull, changes: null, check: "missing", rules: [], moreRules: 0 },
  {
    ...{ event: "apply-refused", pull, workspace: "prod-network", actor: "GitHub Actions run 7", more: 2 },
    differences: [
      { kind: "action", address: "aws_db_instance.main", expected: ["changed"], found: "replaced" },
      {
        ...{ kind: "cost", currency: "USD", expected: decimal("40") },
        ...{ allowed: decimal("42"), found: decimal("60") },
      },
    ],
  },
  {
    event: "estimate-off",
    pull,
    days: 7,
    totals: [
      {
        ...{ currency: "USD", before: decimal("60") },
        ...{ estimated: decimal("100"), actual: decimal("150"), percent: decimal("125") },
      },
      {
        ...{ currency: "EUR", before: decimal("0") },
        ...{ estimated: decimal("0"), actual: decimal("1"), percent: null },
      },
    ],
  },
  {
    event: "approval-ends",
    pull,
    approver: "octocat",
    rules: ["growth", "total"],
    upTo: money("900"),
    lastDay: "2027-03-31",
    reason: "load test",
  },
  {
    event: "waiver-expiring",
    repository: "acme/shop",
    rule: "monthly-increase",
    lastDay: "2027-03-31",
    reason: "load test",
    owner: "finops",
  },
  {
    event: "budget",
    repository: "acme/shop",
    budget: "room",
    reached: 80,
    used: money("850"),
    limit: money("1000"),
  },
  { event: "trouble", trouble: { kind: "evaluation", repository: "acme/shop", number: 12 } },
  { event: "trouble", trouble: { kind: "evaluation", repository: null, number: null } },
  {
    event: "trouble",
    trouble: { kind: "part", part: "github", reason: "the App's credentials are rejected" },
  },
  {
    event: "trouble",
    trouble: { kind: "target", target: "finops", reason: "it answered with the status 404" },
  },
  { event: "test", target: "finops" },
];
