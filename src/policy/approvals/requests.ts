import type { Evaluation } from "../model/evaluation.ts";
import { listOwnApprovers, listRuleGroups } from "../model/finding.ts";
import type { ApproverGroup } from "../model/policy.ts";
import { getVerdict, type Situation } from "../model/situation.ts";

/** An approver whose approval a violated rule requires. */
export interface ApprovalNeed {
  readonly rule: string;
  /** As GitHub mentions them, without `@`: `ada`, or `acme/finops` for a team. */
  readonly approver: string;
}

/** A team is named with its organisation. */
export const isTeam = (approver: string): boolean => approver.includes("/");

/** A need about which a comment has mentioned its approver. */
export interface ApprovalRequest extends ApprovalNeed {
  /** The comment that mentions the approver; null: there is no such comment. */
  readonly commentId: number | null;
}

/** Largest number of rules that the comment lists as lacking approvals. */
export const MAX_MISSING = 12;
/** Largest number of approvers that one comment mentions. */
const MAX_MENTIONS = 10;
const MAX_NEEDS = 100;

/** The approvers that a group names, in the order of the policy; local files have no owner, so no teams. */
export function listApprovers(
  { teams, users }: Pick<ApproverGroup, "teams" | "users">,
  { repository, local }: Pick<Evaluation["pull"], "repository" | "local">,
) {
  const [owner] = repository.split("/");
  return [...teams.map((team) => (local ? team : `${owner}/${team}`)), ...users];
}

/** Approvals that are missing and can be given now. Drafts, local files, merged and overridden pull requests request none. */
export function listApprovalNeeds(evaluation: Evaluation): readonly ApprovalNeed[] {
  const { pull, situation, approvals, override, afterMerge, context } = evaluation;
  if (override !== undefined) return [];
  if (situation.kind !== "evaluated" || pull.draft || pull.local || afterMerge !== undefined) return [];
  const open = approvals.missing.slice(0, MAX_MISSING).map(({ rule }) => rule);
  const askable = open.filter((rule) => approvals.offer?.rules.includes(rule));
  return listOpenNeeds(evaluation)
    .filter(({ rule, approver }) => askable.includes(rule) && approver !== context.author)
    .slice(0, MAX_NEEDS);
}

/** Requests whose need continues: a need that ends and returns is a new one. */
export function keepOpenRequests(
  evaluation: Evaluation,
  requests: readonly ApprovalRequest[],
): readonly ApprovalRequest[] {
  if (UNRULED_SITUATIONS.has(evaluation.situation.kind)) return [];
  const findings = getVerdict(evaluation.situation)?.findings;
  if (findings === undefined) return requests;
  const open = listOpenNeeds(evaluation);
  const isUnknown = ({ rule }: ApprovalNeed): boolean =>
    findings.some((finding) => finding.rule === rule && finding.outcome === "undecided");
  return requests.filter((request) => isUnknown(request) || open.some((need) => isSameNeed(need, request)));
}

/**
 * Returns those of these approvers whose approval is still needed, or may be: a rule that names them is undecided. `unknown`: there are
 * no findings, so nothing is known about needs.
 */
function selectNeededApprovers(
  evaluation: Evaluation,
  approvers: readonly string[],
): ReadonlySet<string> | "unknown" {
  const { situation, override, pull } = evaluation;
  if (UNRULED_SITUATIONS.has(situation.kind) || override !== undefined) return new Set();
  const findings = getVerdict(situation)?.findings;
  if (findings === undefined) return "unknown";
  const undecided = findings
    .filter(({ outcome }) => outcome === "undecided")
    .flatMap(listOwnApprovers)
    .flatMap((group) => listApprovers(group, pull));
  const open = listOpenNeeds(evaluation).map(({ approver }) => approver);
  return new Set(approvers.filter((one) => open.includes(one) || undecided.includes(one)));
}

/** Situations in which no rule applies to the pull request. */
const UNRULED_SITUATIONS: ReadonlySet<Situation["kind"]> = new Set(["no_policy", "nothing_expected"]);

function listOpenNeeds({ situation, approvals, pull }: Evaluation): readonly ApprovalNeed[] {
  const findings = getVerdict(situation)?.findings ?? [];
  return approvals.missing.flatMap(({ rule, groups }) => {
    const named = listRuleGroups(findings, rule);
    const open = groups.flatMap(({ group }) => named[group] ?? []);
    const approvers = new Set(open.flatMap((group) => listApprovers(group, pull)));
    return [...approvers].map((approver) => ({ rule, approver }));
  });
}

const isSameNeed = (a: ApprovalNeed, b: ApprovalNeed): boolean =>
  a.rule === b.rule && a.approver === b.approver;

/** Needs about which no comment has mentioned the approver. */
export const selectNewNeeds = (
  needs: readonly ApprovalNeed[],
  requests: readonly ApprovalRequest[],
): readonly ApprovalNeed[] => needs.filter((need) => !requests.some((request) => isSameNeed(need, request)));

export interface ApprovalRequests {
  readonly needs: readonly ApprovalNeed[];
  readonly requests: readonly ApprovalRequest[];
  /** Approvers of new needs that must not be mentioned. */
  readonly silent: ReadonlySet<string>;
}

/**
 * The approvers that a comment mentions: those of new needs, and those that this comment already mentions, which notifies nobody
 * again. `commentId`: null for a new comment.
 */
export function selectMentions(
  { needs, requests, silent }: ApprovalRequests,
  commentId: number | null,
): ReadonlySet<string> {
  const fresh = selectNewNeeds(needs, requests).filter(({ approver }) => !silent.has(approver));
  const commentRequests = requests.filter((request) => commentId !== null && request.commentId === commentId);
  const due = needs.filter((need) => [...fresh, ...commentRequests].some((one) => isSameNeed(one, need)));
  return new Set([...new Set(due.map(({ approver }) => approver))].slice(0, MAX_MENTIONS));
}

/** The requests after a comment with exactly these `mentions` is written. */
export function updateRequests(
  { needs, requests }: ApprovalRequests,
  { commentId, mentions }: { readonly commentId: number; readonly mentions: ReadonlySet<string> },
): readonly ApprovalRequest[] {
  const others = requests.filter((request) => !needs.some((need) => isSameNeed(need, request)));
  return [
    ...needs.map((need) => ({ ...need, commentId: mentions.has(need.approver) ? commentId : null })),
    ...others.map((request) => ({ ...request, commentId: null })),
  ];
}

/** Reviewers are named as in `ApprovalNeed`. */
interface ReviewerPlan {
  /** Approvers whose approval is newly needed. */
  readonly added: readonly string[];
  /** Known reviewers whose approval is no longer needed. */
  readonly ended: readonly string[];
}

/** GitHub accepts no more requested reviewers of one pull request. */
const MAX_REVIEWERS = 15;

/**
 * Returns which reviewers become needed and which are not needed any more. `known`: those that earlier evaluations needed. Without
 * findings, and in drafts, nothing changes.
 */
export function planReviewers(evaluation: Evaluation, known: readonly string[]): ReviewerPlan {
  const isAsked = evaluation.requestReviewers === true;
  const needed = selectNeededApprovers(evaluation, known);
  const remaining = needed === "unknown" ? known : known.filter((one) => isAsked && needed.has(one));
  const wanted = isAsked ? listApprovalNeeds(evaluation).map(({ approver }) => approver) : [];
  const added = [...new Set(wanted)].filter((one) => !known.includes(one));
  return {
    added: added.slice(0, Math.max(0, MAX_REVIEWERS - remaining.length)),
    ended: known.filter((one) => !remaining.includes(one)),
  };
}
