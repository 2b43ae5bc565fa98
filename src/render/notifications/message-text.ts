import { isPathSegment } from "../../kernel/ids.ts";
import type { Money } from "../../kernel/money.ts";
import type {
  Notification,
  NotifiedApprovers,
  NotifiedChange,
  NotifiedPull,
  NotifiedRule,
  Trouble,
} from "../../policy/notifications/notification.ts";
import { computeMiss } from "../../report/accuracy.ts";
import { formatVisibleSentence, parseLinkTarget } from "../escape.ts";
import { createMoneyStyle, formatMoney, formatPercent } from "../format.ts";
import {
  compileTemplates,
  type FillTemplate,
  type OperatorTemplates,
  type TemplateTexts,
} from "../templates.ts";

/** A message in plain text, for every format: nothing of it is escaped. */
export interface MessageText {
  /** One line. */
  readonly title: string;
  readonly parts: readonly MessagePart[];
  /** One line: where the message comes from. */
  readonly footer: string;
}

/** One notification of a message. */
export interface MessagePart {
  /** One line; null: the title of the message says it. */
  readonly heading: string | null;
  readonly lines: readonly string[];
  /** `url`: an https URL, or http on loopback. */
  readonly links: readonly { readonly label: string; readonly url: string }[];
}

/** Where messages link to, without slashes at the ends. */
interface MessageAddresses {
  /** Root of GitHub's pages. */
  readonly github: string;
  /** Root of Tollgate's own pages; null: unknown. */
  readonly tollgate: string | null;
}

/** Words notifications. Pure. */
export interface NotificationRenderer {
  /** `isDigest`: the messages of a day or a week in one. */
  message(
    notifications: readonly Notification[],
    source: { readonly target: string; readonly isDigest: boolean },
  ): MessageText;
}

export function createNotificationRenderer(
  templates: TemplateTexts,
  addresses: MessageAddresses,
  operator?: OperatorTemplates,
): NotificationRenderer {
  const fill = compileTemplates(templates, operator);
  return {
    message: (notifications, { target, isDigest }) => {
      const [first] = notifications;
      const count = notifications.length;
      const isList = first === undefined || (isDigest && (count > 1 || first.event !== "weekly-report"));
      return {
        title: toLine(isList ? fill("notifications/digest-title", { count }) : fillTitle(fill, first)),
        parts: notifications.map((one) => ({
          heading: isList ? toLine(fillTitle(fill, one)) : null,
          lines: toLines(fill(`notifications/${one.event}`, buildNotificationView(one))),
          links: listLinks(one, addresses).map(({ kind, url }) => ({
            label: toLine(fill("notifications/link", { kind })),
            url,
          })),
        })),
        footer: toLine(fill("notifications/footer", { target })),
      };
    },
  };
}

const fillTitle = (fill: FillTemplate, notification: Notification): string =>
  fill(`notifications/${notification.event}-title`, buildNotificationView(notification));

const toLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ");

const toLines = (text: string): readonly string[] =>
  text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));

interface Address {
  readonly kind: "pull" | "details" | "repository" | "operator" | "organisation" | "merged" | "rules";
  readonly url: string;
}

/** The pages of a notification on GitHub and on Tollgate. */
function listLinks(notification: Notification, { github, tollgate }: MessageAddresses): readonly Address[] {
  const link = (kind: Address["kind"], root: string | null, path: string): readonly Address[] => {
    const url = root === null ? null : parseLinkTarget(`${root}/${path}`);
    return url === null ? [] : [{ kind, url }];
  };
  if (notification.event === "weekly-report") {
    if (!isPathSegment(notification.owner)) return [];
    const page = `o/${encodeURIComponent(notification.owner)}`;
    const below = (["merged", "rules"] as const).flatMap((kind) => link(kind, tollgate, `${page}/${kind}`));
    return [...link("organisation", tollgate, page), ...below];
  }
  const { repository, number } = findPlace(notification);
  const path = repository === null ? null : encodePath(repository);
  if (path === null) return notification.event === "trouble" ? link("operator", tollgate, "operator") : [];
  const page = number === null ? path : `${path}/pull/${number}`;
  return [
    ...link(number === null ? "repository" : "pull", github, page),
    ...link("details", tollgate, `r/${page}`),
  ];
}

function findPlace(notification: Notification): { repository: string | null; number: number | null } {
  if ("pull" in notification) return notification.pull;
  if ("repository" in notification) return { repository: notification.repository, number: null };
  if (notification.event === "trouble" && notification.trouble.kind === "evaluation")
    return notification.trouble;
  return { repository: null, number: null };
}

function encodePath(repository: string): string | null {
  const segments = repository.split("/");
  return segments.length === 2 && segments.every(isPathSegment)
    ? segments.map(encodeURIComponent).join("/")
    : null;
}

type Views = {
  readonly [Event in Notification["event"]]: (of: Extract<Notification, { event: Event }>) => object;
};

const VIEWS: Views = {
  blocked: (of) => ({ ...viewPull(of), ...viewRules(of) }),
  "merged-over-check": (of) => ({ ...viewPull(of), ...viewRules(of), check: of.check.replaceAll("_", " ") }),
  "apply-refused": ({ pull, workspace, actor, differences, more }) => ({
    ...viewPull({ pull, changes: null }),
    workspace: clean(workspace),
    actor: clean(actor),
    differences: differences.map((one) =>
      one.kind === "action"
        ? { address: clean(one.address), action: one.found }
        : {
            found: createMoneyStyle(one.currency).change(one.found),
            allowed: createMoneyStyle(one.currency).change(one.allowed),
          },
    ),
    more,
  }),
  "approval-needed": (of) => ({ ...viewPull(of), approvers: of.approvers.map(viewApprovers) }),
  approved: (of) => ({
    ...viewPull(of),
    approvals: of.approvals.map(({ approver, upTo }) => ({
      approver: clean(approver),
      upTo: upTo && formatMoney(upTo),
    })),
  }),
  "estimate-off": ({ pull, days, totals }) => ({
    ...viewPull({ pull, changes: null }),
    days,
    totals: totals.map(({ currency, ...total }) => {
      const { estimatedChange, actualChange, ofChange, ofWhole } = computeMiss(total);
      const { amount, change } = createMoneyStyle(currency);
      return {
        ...{ estimatedChange: change(estimatedChange), actualChange: change(actualChange) },
        ...{ estimated: amount(total.estimated), actual: amount(total.actual) },
        ofChange: ofChange && formatPercent(ofChange),
        ofWhole: ofWhole && formatPercent(ofWhole),
      };
    }),
  }),
  "approval-ends": ({ pull, approver, rules, upTo, lastDay, reason }) => ({
    ...viewPull({ pull, changes: null }),
    ...{ rules, lastDay },
    approver: clean(approver),
    upTo: upTo && formatMoney(upTo),
    reason: clean(reason),
  }),
  "waiver-expiring": ({ repository, rule, lastDay, reason, owner }) => ({
    ...{ rule, lastDay },
    repository: clean(repository),
    reason: clean(reason),
    owner: clean(owner),
  }),
  budget: ({ repository, budget, reached, used, limit, lastDay = null }) => ({
    ...{ budget, reached, lastDay },
    repository: clean(repository),
    used: formatMoney(used),
    limit: formatMoney(limit),
  }),
  "weekly-report": ({ owner, from, to, merged, longest, prevented, budgets, estimates, ...counts }) => ({
    ...{ owner: clean(owner), from, to, ...counts },
    merged: merged.pulls,
    changes: viewChanges(merged.changes),
    longest: longest && { ...longest, approver: clean(longest.approver) },
    prevented: prevented.amounts.map(formatMoney),
    preventedIsPartial: prevented.isPartial,
    budgets: budgets.map(({ repository, used, limit, ...one }) => ({
      ...{ ...one, repository: clean(repository), used: formatMoney(used), limit: formatMoney(limit) },
    })),
    estimates: estimates.map(({ repository, number, estimated, actual, percent }) => ({
      ...{ repository: clean(repository), pull: number, percent: formatPercent(percent) },
      ...{ estimated: formatChange(estimated), actual: formatChange(actual) },
    })),
  }),
  trouble: ({ trouble }) => viewTrouble(trouble),
  test: ({ target }) => ({ target }),
};

/** What templates may show of a notification: plain text on one line each, invisible characters written out. Every format escapes it. */
function buildNotificationView(notification: Notification): object {
  const view = VIEWS[notification.event] as (of: Notification) => object; // the event chooses the view of its own notification
  return view(notification);
}

const clean = formatVisibleSentence;

/** `figures`: false where no amounts may be shown. */
const viewPull = ({
  pull: { repository, number, title, author },
  changes,
}: {
  readonly pull: NotifiedPull;
  readonly changes: readonly NotifiedChange[] | null;
}) => ({
  repository: clean(repository),
  pull: number, // "number" is a helper
  title: clean(title),
  author: author && clean(author),
  figures: changes !== null,
  changes: viewChanges(changes ?? []),
});

const formatChange = ({ amount, currency }: Money): string => createMoneyStyle(currency).change(amount);

const viewChanges = (changes: readonly NotifiedChange[]) =>
  changes.map(({ currency, change, isPartial }) => ({
    change: change && formatChange({ amount: change, currency }),
    isPartial,
  }));

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

const viewTrouble = (trouble: Trouble) => ({
  kind: trouble.kind,
  repository: "repository" in trouble && trouble.repository !== null ? clean(trouble.repository) : null,
  pull: "number" in trouble ? trouble.number : null,
  part: "part" in trouble ? trouble.part : null,
  target: "target" in trouble ? trouble.target : null,
  reason: "reason" in trouble ? clean(trouble.reason) : null,
});
