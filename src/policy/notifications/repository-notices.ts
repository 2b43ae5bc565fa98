import { compare, type Decimal, decimal, type Money, times } from "../../kernel/money.ts";
import type { Evaluation } from "../model/evaluation.ts";
import type { Finding } from "../model/finding.ts";
import type { Waiver } from "../model/policy.ts";
import type { Notice } from "./notification.ts";

const DAY_MS = 86_400_000;
/** Number of days before the end of a waiver from which targets are notified of it. */
const WAIVER_DAYS = 7;
const THRESHOLDS = [
  { reached: 80, share: decimal("0.8") },
  { reached: 100, share: decimal("1") },
] as const;

/** The possible notifications about the budgets that an evaluation measured. Targets are notified of a threshold once a month and once per limit. */
export function listBudgetNotices(evaluation: Evaluation, nowMs: number): readonly Notice[] {
  const { situation, pull } = evaluation;
  const findings = "verdict" in situation ? (situation.verdict?.findings ?? []) : [];
  if (!pull.figures) return [];
  return findings.flatMap((finding) => {
    const use = readBudgetUse(finding);
    return use === null ? [] : listReached(evaluation, { ...use, rule: finding.rule, nowMs });
  });
}

interface BudgetMeasure {
  readonly used: Money;
  readonly limit: Money;
}

function readBudgetUse({ limit, measured }: Finding): BudgetMeasure | null {
  if (limit.kind !== "budget" || measured?.kind !== "money") return null;
  const { amount, currency } = measured;
  return currency === limit.amount.currency ? { used: { amount, currency }, limit: limit.amount } : null;
}

/** The highest threshold that is reached: 100 % says all that 80 % does. */
function listReached(
  { pull }: Evaluation,
  { used, limit, rule, nowMs }: BudgetMeasure & { readonly rule: string; readonly nowMs: number },
): readonly Notice[] {
  const highest = THRESHOLDS.findLast(({ share }) => isReached(used.amount, limit.amount, share));
  if (highest === undefined) return [];
  const { reached } = highest;
  const month = new Date(nowMs).toISOString().slice(0, 7);
  const notification = {
    event: "budget",
    repository: pull.repository,
    budget: rule,
    reached,
    used,
    limit,
  } as const;
  const subject = `budget ${pull.repositoryId} ${rule} ${reached}`;
  const key = `${month} ${limit.amount} ${limit.currency}`;
  return [{ event: "budget", subject, change: { key, notification } }];
}

const isReached = (used: Decimal, limit: Decimal, share: Decimal): boolean =>
  compare(limit, decimal("0")) > 0 && compare(used, times(limit, share)) >= 0;

/** The possible notifications about the waivers in force that end within a week; a waiver with another last day is a new one. */
export function listWaiverNotices(
  { pull }: Pick<Evaluation, "pull">,
  waivers: readonly Waiver[],
  nowMs: number,
): readonly Notice[] {
  const ending = waivers.filter(({ untilMs }) => untilMs > nowMs && untilMs - nowMs <= WAIVER_DAYS * DAY_MS);
  return ending.map(({ rule, scope, untilMs, reason, owner }) => {
    const lastDay = new Date(untilMs - 1).toISOString().slice(0, 10);
    const notification = {
      event: "waiver-expiring",
      repository: pull.repository,
      rule,
      lastDay,
      reason,
      owner,
    } as const;
    const subject = `waiver ${pull.repositoryId} ${rule} ${JSON.stringify([scope, owner, reason])}`;
    return { event: "waiver-expiring", subject, change: { key: lastDay, notification } };
  });
}
