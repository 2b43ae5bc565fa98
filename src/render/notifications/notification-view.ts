import type { Money } from "../../kernel/money.ts";
import type {
  Notification,
  NotifiedApprovers,
  NotifiedChange,
  NotifiedPull,
  NotifiedRule,
  Trouble,
} from "../../policy/notifications/notification.ts";
import { createMoneyStyle, formatMoney } from "../format/money.ts";
import { formatPercent } from "../format/percent.ts";
import { formatVisibleSentence } from "../markup/escape.ts";

type Views = {
  readonly [Event in Notification["event"]]: (of: Extract<Notification, { event: Event }>) => object;
};

const VIEWS: Views = {
  blocked: (of) => ({ ...viewPull(of.pull), ...viewChanges(of.changes), ...viewRules(of) }),
  "merged-over-check": (of) => ({
    ...viewPull(of.pull),
    ...viewChanges(of.changes),
    ...viewRules(of),
    check: of.check.replaceAll("_", " "),
  }),
  "approval-needed": (of) => ({
    ...viewPull(of.pull),
    ...viewChanges(of.changes),
    approvers: of.approvers.map(viewApprovers),
  }),
  approved: (of) => ({
    ...viewPull(of.pull),
    ...viewChanges(of.changes),
    approvals: of.approvals.map(({ approver, upTo }) => ({
      approver: clean(approver),
      upTo: upTo && formatMoney(upTo),
    })),
  }),
  "estimate-off": (of) => ({ ...viewPull(of.pull), ...viewTotals(of) }),
  "waiver-expiring": ({ repository, rule, lastDay, reason, owner }) => ({
    repository: clean(repository),
    ...{ rule, lastDay },
    reason: clean(reason),
    owner: clean(owner),
  }),
  budget: ({ repository, budget, reached, used, limit }) => ({
    repository: clean(repository),
    ...{ budget, reached },
    used: formatMoney(used),
    limit: formatMoney(limit),
  }),
  trouble: ({ trouble }) => viewTrouble(trouble),
  test: ({ target }) => ({ target }),
};

/** What templates may show of a notification: plain text on one line each, invisible characters written out. Every format escapes it. */
export function buildNotificationView(notification: Notification): object {
  const view = VIEWS[notification.event] as (of: Notification) => object; // the event chooses the view of its own notification
  return view(notification);
}

const clean = (text: string): string => formatVisibleSentence(text);

const viewPull = ({ repository, number, title, author }: NotifiedPull) => ({
  repository: clean(repository),
  pull: number, // "number" is a helper
  title: clean(title),
  author: author === null ? null : clean(author),
});

/** `figures`: false where no amounts may be shown. */
const viewChanges = (changes: readonly NotifiedChange[] | null) => ({
  figures: changes !== null,
  changes: (changes ?? []).map(({ currency, change, isPartial }) => ({
    change: change === null ? null : createMoneyStyle(currency).change(change),
    isPartial,
  })),
});

const viewRules = ({ rules, moreRules }: { rules: readonly NotifiedRule[]; moreRules: number }) => ({
  rules: rules.map(({ rule, message, money }) => ({
    rule,
    message: message === null ? null : clean(message),
    measured: money && formatMoney(money.measured),
    limit: money && formatMoney(money.limit),
  })),
  moreRules,
});

const viewApprovers = ({ rule, teams, users, permission, lacks }: NotifiedApprovers) => ({
  rule,
  lacks,
  who: [
    ...teams.map((name) => ({ kind: "team", name })),
    ...users.map((name) => ({ kind: "user", name })),
    ...(permission === null ? [] : [{ kind: "permission", name: permission }]),
  ],
});

const viewTotals = ({ days, totals }: Extract<Notification, { event: "estimate-off" }>) => ({
  days,
  totals: totals.map(({ currency, estimated, actual, percent }) => {
    const format = (amount: Money["amount"]) => formatMoney({ amount, currency });
    return {
      estimated: format(estimated),
      actual: format(actual),
      percent: percent === null ? null : formatPercent(percent),
    };
  }),
});

const viewTrouble = (trouble: Trouble) => ({
  kind: trouble.kind,
  repository: "repository" in trouble && trouble.repository !== null ? clean(trouble.repository) : null,
  pull: "number" in trouble ? trouble.number : null,
  part: "part" in trouble ? trouble.part : null,
  target: "target" in trouble ? trouble.target : null,
  reason: "reason" in trouble ? clean(trouble.reason) : null,
});
