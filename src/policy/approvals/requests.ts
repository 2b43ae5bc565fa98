import type { Evaluation } from "../model/evaluation.ts";
import type { ApproverGroup } from "../model/policy.ts";
import type { Situation } from "../model/situation.ts";

/** Somebody whose approval a violated rule needs. */
export interface ApprovalNeed {
  readonly rule: string;
  /** As GitHub mentions them, without `@`: `ada`, or `acme/finops` for a team. */
  readonly approver: string;
}

/** A need that a comment already told its approver about. */
export interface ApprovalRequest extends ApprovalNeed {
  /** The comment that mentions the approver now; null: none does any more. */
  readonly commentId: number | null;
}

/** Rules that the comment lists as lacking approvals at most. */
export const MOST_MISSING = 12;
/** Approvers whom one comment mentions at most. */
const MOST_MENTIONS = 10;
const MOST_NEEDS = 100;

/** Whom a group names, in the order of the policy; local files have no owner whose teams these could be. */
export function approversOf({ teams, users }: ApproverGroup, { repository, local }: Evaluation["pull"]) {
  const [owner] = repository.split("/");
  return [...teams.map((team) => (local ? team : `${owner}/${team}`)), ...users];
}

/** Whose approval can be given now and is missing. Drafts, local files and merged pull requests ask nobody. */
export function approvalNeeds(evaluation: Evaluation): readonly ApprovalNeed[] {
  const { pull, situation, approvals, afterMerge, context } = evaluation;
  if (situation.kind !== "judged" || pull.draft || pull.local || afterMerge !== undefined) return [];
  const open = approvals.missing.slice(0, MOST_MISSING).map(({ rule }) => rule);
  const askable = open.filter((rule) => approvals.offer?.rules.includes(rule));
  return openNeeds(evaluation)
    .filter(({ rule, approver }) => askable.includes(rule) && approver !== context.author)
    .slice(0, MOST_NEEDS);
}

/** Requests whose need is not over: a need that returns afterwards is a new one. */
export function standingRequests(
  evaluation: Evaluation,
  requests: readonly ApprovalRequest[],
): readonly ApprovalRequest[] {
  if (ASKS_NOTHING.has(evaluation.situation.kind)) return [];
  const { situation } = evaluation;
  const findings = "verdict" in situation ? situation.verdict?.findings : undefined;
  if (findings === undefined) return requests;
  const open = openNeeds(evaluation);
  const isUnknown = ({ rule }: ApprovalNeed): boolean =>
    findings.some((finding) => finding.rule === rule && finding.outcome === "undecided");
  return requests.filter((request) => isUnknown(request) || open.some((need) => isSame(need, request)));
}

/** No rule holds for the pull request any more. */
const ASKS_NOTHING: ReadonlySet<Situation["kind"]> = new Set(["no_policy", "nothing_expected"]);

function openNeeds({ situation, approvals, pull }: Evaluation): readonly ApprovalNeed[] {
  const findings = "verdict" in situation ? (situation.verdict?.findings ?? []) : [];
  return approvals.missing.flatMap(({ rule, groups }) => {
    const named = findings.find((finding) => finding.rule === rule)?.approve?.groups ?? [];
    const open = groups.flatMap(({ group }) => named[group] ?? []);
    const approvers = new Set(open.flatMap((group) => approversOf(group, pull)));
    return [...approvers].map((approver) => ({ rule, approver }));
  });
}

const isSame = (a: ApprovalNeed, b: ApprovalNeed): boolean => a.rule === b.rule && a.approver === b.approver;

/** Needs that no comment told their approvers about. */
export const newNeeds = (
  needs: readonly ApprovalNeed[],
  requests: readonly ApprovalRequest[],
): readonly ApprovalNeed[] => needs.filter((need) => !requests.some((request) => isSame(need, request)));

export interface ApprovalRequests {
  readonly needs: readonly ApprovalNeed[];
  readonly requests: readonly ApprovalRequest[];
  /** Approvers of new needs who must not be mentioned. */
  readonly silent: ReadonlySet<string>;
}

/**
 * Whom a comment mentions: approvers of new needs, and those whom this very comment mentions already, which notifies nobody
 * again. `commentId`: null for a comment that is begun.
 */
export function mentionsIn(
  { needs, requests, silent }: ApprovalRequests,
  commentId: number | null,
): ReadonlySet<string> {
  const fresh = newNeeds(needs, requests).filter(({ approver }) => !silent.has(approver));
  const kept = requests.filter((request) => commentId !== null && request.commentId === commentId);
  const due = needs.filter((need) => [...fresh, ...kept].some((one) => isSame(one, need)));
  return new Set([...new Set(due.map(({ approver }) => approver))].slice(0, MOST_MENTIONS));
}

/** What is known of requests once a comment that mentions exactly `mentions` is written. */
export function requestsAfter(
  { needs, requests }: ApprovalRequests,
  { commentId, mentions }: { readonly commentId: number; readonly mentions: ReadonlySet<string> },
): readonly ApprovalRequest[] {
  const others = requests.filter((request) => !needs.some((need) => isSame(need, request)));
  return [
    ...needs.map((need) => ({ ...need, commentId: mentions.has(need.approver) ? commentId : null })),
    ...others.map((request) => ({ ...request, commentId: null })),
  ];
}
