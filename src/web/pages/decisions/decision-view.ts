import type { Money } from "../../../kernel/money.ts";
import { formatMoney } from "../../../render/format/money.ts";
import {
  type DecisionRecord,
  getPerson,
  readRecord,
  type VerdictRecord,
} from "../../../store/audit/decision-record.ts";
import type { ListedDecision } from "../../../store/audit/decisions.ts";
import { formatPullPath } from "../../page/address.ts";
import type { IconName } from "../../page/html.ts";
import type { PageDeps } from "../../page/page.ts";
import { buildTimeView } from "../../page/times.ts";

/** Most rules that one decision lists; the rest is counted. */
const MAX_RULES = 6;

interface Look {
  readonly icon: IconName;
  readonly tone: "success" | "danger" | "attention" | "done" | "muted";
}

/** Returns the values of the template `decision`. */
export function buildDecisionView(
  decision: ListedDecision,
  { github, nowMs }: Pick<PageDeps, "github"> & { readonly nowMs: number },
) {
  const { repository, number, headSha, hash, atMs } = decision;
  const record = readRecord(decision.record);
  const commit = { text: headSha.slice(0, 8), href: `${github}/${repository}/commit/${headSha}` };
  return {
    ...UNREADABLE,
    ...(record !== null && describeRecord(record, { github, figures: decision.figures })),
    source: record === null ? null : formatSource(record, `${github}/${repository}/pull/${number}`),
    repository,
    pullNumber: number,
    pullHref: formatPullPath(repository, number),
    time: buildTimeView(atMs, nowMs),
    commit,
    hash: hash?.slice(0, 12) ?? null,
  };
}

function describeRecord(
  record: DecisionRecord,
  { github, figures }: { readonly github: string; readonly figures: boolean },
) {
  const outcome = decideOutcome(record);
  const person = getPerson(record);
  const rules = listShownRules(record, figures);
  const upTo = figures && record.kind === "approval" ? record.upTo : null;
  return {
    ...LOOKS[outcome],
    outcome,
    person: person === null ? null : { login: person, href: `${github}/${encodeURIComponent(person)}` },
    rules: rules.slice(0, MAX_RULES),
    more: Math.max(0, rules.length - MAX_RULES),
    upTo: upTo === null ? null : formatMoney(upTo),
    reason: "reason" in record ? record.reason : null,
    why: "why" in record ? (record.why?.kind ?? null) : null,
    check: record.kind === "merge" ? record.check : null,
    isPassedByOverride: record.kind === "verdict" && record.override !== undefined,
    baseRef: record.baseRef,
  };
}

/** What a record says happened; the template has the words. */
export type DecisionOutcome = keyof typeof LOOKS;

const LOOKS = {
  passed: { icon: "check-circle-fill", tone: "success" },
  warned: { icon: "alert-fill", tone: "attention" },
  blocked: { icon: "x-circle-fill", tone: "danger" },
  needs_approval: { icon: "person", tone: "attention" },
  undecided: { icon: "question", tone: "danger" },
  nothing_expected: { icon: "check-circle", tone: "success" },
  no_policy: { icon: "info", tone: "muted" },
  waiting: { icon: "hourglass", tone: "attention" },
  draft: { icon: "git-pull-request-draft", tone: "muted" },
  deadline_passed: { icon: "clock", tone: "danger" },
  policy_invalid: { icon: "file-code", tone: "danger" },
  policy_unreadable: { icon: "file-code", tone: "danger" },
  unread: { icon: "server", tone: "danger" },
  failed: { icon: "alert", tone: "danger" },
  approved: { icon: "check", tone: "success" },
  refused: { icon: "x", tone: "muted" },
  revoked: { icon: "history", tone: "attention" },
  lapsed: { icon: "history", tone: "attention" },
  overridden: { icon: "unlock", tone: "attention" },
  override_refused: { icon: "x", tone: "muted" },
  override_ended: { icon: "lock", tone: "muted" },
  merged: { icon: "git-merge", tone: "done" },
  unreadable: { icon: "question", tone: "muted" },
} as const satisfies Readonly<Record<string, Look>>;

const UNREADABLE = {
  ...LOOKS.unreadable,
  outcome: "unreadable",
  person: null,
  rules: [],
  more: 0,
  upTo: null,
  reason: null,
  why: null,
  check: null,
  isPassedByOverride: false,
  baseRef: null,
};

const OVERRIDE_TURNS = {
  given: "overridden",
  refused: "override_refused",
  ended: "override_ended",
} as const;
const SITUATIONS: Readonly<Record<string, DecisionOutcome>> = {
  waiting: "waiting",
  draft: "draft",
  deadline_passed: "deadline_passed",
  policy_invalid: "policy_invalid",
  policy_unreadable: "policy_unreadable",
  cost_unreadable: "unread",
  execution_unreadable: "unread",
  failed: "failed",
  nothing_expected: "nothing_expected",
  no_policy: "no_policy",
};
const DECISIONS: Readonly<Record<string, DecisionOutcome>> = {
  success: "passed",
  neutral: "warned",
  action_required: "needs_approval",
  in_progress: "waiting",
};

/** Returns what happened. */
export function decideOutcome(record: DecisionRecord): DecisionOutcome {
  switch (record.kind) {
    case "merge":
      return "merged";
    case "override":
      return OVERRIDE_TURNS[record.turn];
    case "approval":
      return record.turn;
    case "verdict":
      return decideVerdictOutcome(record);
  }
}

function decideVerdictOutcome(record: Extract<DecisionRecord, { kind: "verdict" }>): DecisionOutcome {
  const { override, decision, situation, findings } = record;
  if (override !== undefined && decision === "success") return "passed";
  const known = SITUATIONS[situation] ?? DECISIONS[decision];
  return known ?? (findings.some(({ outcome }) => outcome === "violated") ? "blocked" : "undecided");
}

interface ShownRule {
  readonly rule: string;
  readonly subject: string | null;
  /** Null: an approval, which covers whole rules. */
  readonly outcome: string | null;
  /** What the rule found; null: no amount, or none that readers may see. */
  readonly amount: string | null;
}

function listShownRules(record: DecisionRecord, figures: boolean): readonly ShownRule[] {
  if (record.kind === "approval")
    return record.rules.map((rule) => ({ rule, subject: null, outcome: null, amount: null }));
  const findings: readonly (VerdictRecord["findings"][number] & { readonly amount?: Money | null })[] =
    record.kind === "verdict" ? record.findings : record.open;
  return findings
    .filter(({ outcome }) => outcome === "violated" || outcome === "undecided")
    .map(({ rule, subject, outcome, amount }) => ({
      ...{ rule, subject, outcome },
      amount: figures && amount ? formatMoney(amount) : null,
    }));
}

/** The comment or review on GitHub that a decision came from; null: it came from none. */
function formatSource(record: DecisionRecord, pullUrl: string): string | null {
  const id = "approval" in record ? record.approval : record.kind === "override" ? record.override : "";
  const [, kind, number] = /^(comment|review):(\d+)$/.exec(id) ?? [];
  if (number === undefined) return null;
  return `${pullUrl}#${kind === "comment" ? "issuecomment" : "pullrequestreview"}-${number}`;
}
