import type { Money } from "../../../kernel/money.ts";
import { formatCount, formatMoney } from "../../../render/format.ts";
import {
  type DecisionRecord,
  getPerson,
  listRules,
  readRecord,
  type VerdictRecord,
} from "../../../store/audit/decision-record.ts";
import type { ListedDecision } from "../../../store/audit/decisions.ts";
import { formatPullPath } from "../../page/address.ts";
import { buildFileColumn } from "../../page/columns.ts";
import { type Html, html, icon, type Label, renderTime } from "../../page/html.ts";
import type { PageDeps } from "../../page/page.ts";
import type { Column } from "../../page/table.ts";

/** Most rules that one decision lists; the rest is counted. */
const MAX_RULES = 6;

interface DecisionPlace extends Pick<PageDeps, "github"> {
  readonly nowMs: number;
  readonly hasRepositories: boolean;
}

export const renderDecisions = (decisions: readonly ListedDecision[], place: DecisionPlace): Html =>
  html`<ol class="rows log">
${decisions.map(
  (decision) => html`<li>${renderDecision(decision, place)}</li>
`,
)}</ol>`;

function renderDecision(decision: ListedDecision, { github, nowMs, hasRepositories }: DecisionPlace): Html {
  const { repository, number, headSha, hash, atMs } = decision;
  const record = readRecord(decision.record);
  const { icon: mark, tone } = OUTCOMES[record === null ? "unreadable" : decideOutcome(record)];
  const root = `${github}/${repository}`;
  const source = record === null ? null : formatSource(record, `${root}/pull/${number}`);
  return html`<span class="log-icon ${tone}">${icon(mark)}</span>
<div class="log-text">
<p><a href="${formatPullPath(repository, number)}">${hasRepositories && html`<bdi>${repository}</bdi> `}#${number}</a> <strong>${record === null ? "A record that this version cannot read" : renderOutcome(record, github)}</strong></p>
${record !== null && renderRules(record, decision.figures)}
${record !== null && "why" in record && record.why && html`<p>${renderWhy(record.why.kind)}</p>`}
${record !== null && "reason" in record && record.reason && html`<blockquote><bdi>${record.reason}</bdi></blockquote>`}
<small>${renderTime(atMs, nowMs)} · ${source !== null && html`<a href="${source}">Comment</a> · `}<a href="${root}/commit/${headSha}"><code>${headSha.slice(0, 8)}</code></a>${record !== null && html` into <bdi>${record.baseRef}</bdi>`}${hash !== null && html` · record <span title="Begin of its hash">${hash.slice(0, 12)}</span>`}</small>
</div>`;
}

/** What happened, in words; the person is a link. */
function renderOutcome(record: DecisionRecord, github: string): Html | string {
  const outcome = decideOutcome(record);
  if (outcome === "passed" && record.kind === "verdict" && record.override !== undefined)
    return "Passed by an override";
  const login = getPerson(record);
  const person =
    login === null
      ? html`somebody`
      : html`<a href="${github}/${encodeURIComponent(login)}"><bdi>@${login}</bdi></a>`;
  if (record.kind === "merge")
    return html`Merged${login !== null && html` by ${person}`} although the check ${CHECK_WORDS[record.check] ?? "did not pass"}`;
  const { words } = OUTCOMES[outcome];
  if (record.kind === "apply")
    return html`${words} (workspace <bdi>${record.workspace}</bdi>, <bdi>${record.actor}</bdi>)`;
  if (typeof words === "string") return words;
  return html`${words[0]} by ${person}${words[1]}`;
}

const CHECK_WORDS: Readonly<Record<string, string>> = {
  missing: "was missing",
  in_progress: "had not ended",
};

/** What a record says happened, with its look and its words; of what a person did, those before and after the person. */
const OUTCOMES = {
  passed: { icon: "check-circle-fill", tone: "success", words: "Passed" },
  warned: { icon: "alert-fill", tone: "attention", words: "Passed with warnings" },
  blocked: { icon: "x-circle-fill", tone: "danger", words: "Blocked" },
  needs_approval: { icon: "person", tone: "attention", words: "Blocked until it is approved" },
  undecided: { icon: "question", tone: "danger", words: "Undecided: not everything could be evaluated" },
  nothing_expected: { icon: "check-circle", tone: "success", words: "No provisioning change" },
  no_policy: { icon: "info", tone: "muted", words: "No policy" },
  waiting: { icon: "hourglass", tone: "attention", words: "Waiting for executions" },
  draft: { icon: "git-pull-request-draft", tone: "muted", words: "Draft" },
  deadline_passed: {
    icon: "clock",
    tone: "danger",
    words: "Undecided: expected executions did not arrive in time",
  },
  policy_invalid: { icon: "file-code", tone: "danger", words: "Undecided: the policy file has mistakes" },
  policy_unreadable: {
    icon: "file-code",
    tone: "danger",
    words: "Undecided: the policy file could not be read",
  },
  unread: { icon: "server", tone: "danger", words: "Undecided: the platform did not return what is needed" },
  failed: { icon: "alert", tone: "danger", words: "Undecided: an error in Tollgate" },
  approved: { icon: "check", tone: "success", words: ["Approved", ""] },
  refused: { icon: "x", tone: "muted", words: ["Approval", " refused"] },
  revoked: { icon: "history", tone: "attention", words: ["Approval", " taken back"] },
  lapsed: { icon: "history", tone: "attention", words: ["Approval", " no longer counts"] },
  overridden: { icon: "unlock", tone: "attention", words: ["Overridden", ""] },
  override_refused: { icon: "x", tone: "muted", words: ["Override", " refused"] },
  override_ended: { icon: "lock", tone: "muted", words: ["Override", " ended"] },
  within: { icon: "check-circle", tone: "success", words: "Apply accepted" },
  exceeds: { icon: "x-circle-fill", tone: "danger", words: "Apply refused: it does more than was evaluated" },
  unverified: { icon: "question", tone: "attention", words: "Apply not accepted: not everything is known" },
  merged: { icon: "git-merge", tone: "done", words: ["Merged", ""] },
  unreadable: { icon: "question", tone: "muted", words: "A record that this version cannot read" },
} as const satisfies Readonly<
  Record<string, Pick<Label, "icon" | "tone"> & { readonly words: string | readonly [string, string] }>
>;
type DecisionOutcome = keyof typeof OUTCOMES;

function renderRules(record: DecisionRecord, figures: boolean): Html | null {
  const rules = listShownRules(record, figures);
  const upTo = figures && record.kind === "approval" ? record.upTo : null;
  const more = rules.length - MAX_RULES;
  if (rules.length === 0) return null;
  return html`<p class="log-rules">${rules.slice(0, MAX_RULES).map(renderRule)}${
    upTo !== null && html`<span>up to <strong>${formatMoney(upTo)}</strong> per month</span>`
  }${more > 0 && html`<span class="muted">and ${formatCount(more)} more</span>`}</p>`;
}

function renderRule({ rule, subject, outcome, holds, amount }: ShownRule): Html {
  const look = outcome === "violated" && !holds ? "warned" : outcome;
  const { tone, mark } = RULE_LOOKS[look ?? ""] ?? { tone: "", mark: null };
  return html`<span class="label ${tone}">${mark}<bdi>${rule}</bdi>${subject !== null && html` · <bdi>${subject}</bdi>`}${amount !== null && ` · ${amount} per month`}</span>
`;
}

const RULE_LOOKS: Readonly<Record<string, { readonly tone: string; readonly mark: Html }>> = {
  violated: { tone: "danger", mark: icon("x", "violated") },
  warned: { tone: "attention", mark: icon("alert", "violated, and does not hold the check back") },
  undecided: { tone: "attention", mark: icon("question", "not evaluated") },
};

/** Why an approval or an override was refused or ended. */
const renderWhy = (why: string): Html => html`${REASONS[why] ?? html`Reason: <code>${why}</code>.`}`;

const REASONS: Readonly<Record<string, string>> = {
  pushed: "Another commit was pushed.",
  retargeted: "The pull request goes into another branch.",
  policy_changed: "The policy changed.",
  ground_changed: "Other stages or currencies are touched.",
  rule_changed: "The rule was changed.",
  other_rule_violated: "Another rule is violated.",
  fact_unknown: "A rule could not be evaluated any more.",
  over_amount: "A rule found more than was approved.",
  grown: "A rule found something that was not there before.",
  approver_contributed: "The person worked on the pull request.",
  contributed: "The person worked on the pull request.",
  approver_unauthorized: "The person is no longer authorized.",
  unauthorized: "The person is no longer authorized.",
  contributors_unknown: "It is not known who worked on the pull request.",
  deleted: "The comment was deleted.",
  edited: "The comment was edited.",
  hidden: "The comment was hidden.",
  dismissed: "The review was dismissed.",
  overruled: "A later review requested changes.",
  command: "A command revoked it.",
  replaced: "A newer one replaced it.",
  other_head: "It named another commit than the newest.",
  evaluated_later: "The commit was evaluated after the comment was written.",
  not_evaluated: "There was no verdict yet.",
  undecided: "A rule could not be evaluated.",
  nothing_to_approve: "Nothing blocked the pull request.",
  unknown_rule: "The policy has no such rule.",
  not_violated: "The rule was not violated.",
  not_approvable: "Nobody may approve the rule.",
  not_an_approver: "The policy names others.",
  not_named: "The policy names others.",
  team_missing: "The policy names a team that does not exist.",
  not_allowed: "The policy allows no overrides.",
  no_policy: "No policy was in force.",
  groups_unknown: "GitHub did not say whether the person is in the team.",
  membership_unknown: "GitHub did not say whether the person is in the team.",
  no_permission: "It takes write permission on the repository.",
  amount_missing: "The amount did not fit what the rule found.",
  amount_currency: "The amount did not fit what the rule found.",
  amount_too_low: "The amount did not fit what the rule found.",
  draft: "The pull request was a draft.",
  nothing_to_override: "The check passed, or another override was in force.",
  ci_job: "CI jobs take no overrides.",
  too_many: "The rule found more than can be listed.",
  late: "It was read more than an hour after it was written.",
  taken_back: "The person took their approvals back afterwards.",
};

const OVERRIDE_TURNS = {
  given: "overridden",
  refused: "override_refused",
  ended: "override_ended",
} as const;
/** Situations that are told as another outcome; the others are one of their own. */
const SITUATIONS: Readonly<Record<string, DecisionOutcome>> = {
  cost_unreadable: "unread",
  execution_unreadable: "unread",
  stack_held: "waiting",
};
const DECISIONS: Readonly<Record<string, DecisionOutcome>> = {
  success: "passed",
  neutral: "warned",
  action_required: "needs_approval",
  in_progress: "waiting",
};

function decideOutcome(record: DecisionRecord): DecisionOutcome {
  switch (record.kind) {
    case "merge":
      return "merged";
    case "override":
      return OVERRIDE_TURNS[record.turn];
    case "approval":
      return record.turn;
    case "apply":
      return record.result === "undecided" ? "unverified" : record.result;
    case "verdict":
      return decideVerdictOutcome(record);
  }
}

function decideVerdictOutcome(record: Extract<DecisionRecord, { kind: "verdict" }>): DecisionOutcome {
  const { override, decision, situation, findings } = record;
  if (override !== undefined && decision === "success") return "passed";
  const own = isOutcome(situation) ? situation : SITUATIONS[situation];
  const known = own ?? DECISIONS[decision];
  return known ?? (findings.some(({ outcome }) => outcome === "violated") ? "blocked" : "undecided");
}

const isOutcome = (name: string): name is DecisionOutcome => Object.hasOwn(OUTCOMES, name);

interface ShownRule {
  readonly rule: string;
  readonly subject: string | null;
  /** Null: an approval, which covers whole rules. */
  readonly outcome: string | null;
  /** Whether it holds the check back. */
  readonly holds: boolean;
  /** What the rule found; null: no amount, or none that readers may see. */
  readonly amount: string | null;
}

function listShownRules(record: DecisionRecord, figures: boolean): readonly ShownRule[] {
  if (record.kind === "approval")
    return record.rules.map((rule) => ({ rule, subject: null, outcome: null, holds: true, amount: null }));
  if (record.kind === "apply") return [];
  const findings: readonly (VerdictRecord["findings"][number] & { readonly amount?: Money | null })[] =
    record.kind === "verdict" ? record.findings : record.open;
  return findings
    .filter(({ outcome }) => outcome === "violated" || outcome === "undecided")
    .map(({ rule, subject, outcome, holds = true, amount }) => ({
      ...{ rule, subject, outcome, holds },
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

/** Returns what CSV, JSON and the API say of a decision. Null: there is none, the record cannot be read, or readers may not see it. */
export function describeDecision({ id, atMs, headSha, figures, ...row }: ListedDecision) {
  const record = readRecord(row.record);
  return {
    ...{ ...row, record: id, at: new Date(atMs).toISOString(), head_sha: headSha },
    base: record?.baseRef ?? null,
    outcome: record && decideOutcome(record),
    person: record && getPerson(record),
    rules: record && [...listRules(record)],
    reason: record !== null && "reason" in record ? record.reason : null,
    why: record !== null && "why" in record ? (record.why?.kind ?? null) : null,
    up_to: figures && record?.kind === "approval" ? record.upTo : null,
  };
}

/** The columns of decisions as CSV and JSON. */
export const DECISION_COLUMNS: readonly Column<DescribedDecision>[] = [
  ...(["record", "at", "kind", "repository"] as const).map(buildOwnColumn),
  buildFileColumn("pull_request", ({ number }) => number),
  ...(["outcome", "person"] as const).map(buildOwnColumn),
  buildFileColumn("rules", ({ rules }) => rules?.join(" ") ?? null),
  buildFileColumn("up_to", ({ up_to }) => up_to?.amount ?? null),
  buildFileColumn("currency", ({ up_to }) => up_to?.currency ?? null),
  ...(["reason", "why", "base", "head_sha", "hash"] as const).map(buildOwnColumn),
];

type DescribedDecision = ReturnType<typeof describeDecision>;

function buildOwnColumn(key: Exclude<keyof DescribedDecision, "rules" | "up_to">): Column<DescribedDecision> {
  return buildFileColumn(key, (row) => row[key]);
}
