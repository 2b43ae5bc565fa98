import { compare, type Money } from "../../kernel/money.ts";
import type { Approval, ApprovalRefusal, Approver, CoveredRule } from "../model/approval.ts";
import { decideEffect, type Finding, listOwnGroups } from "../model/finding.ts";
import type { Rule } from "../model/policy.ts";
import {
  findLapse,
  isBlocking,
  isOfGroups,
  listCoveredItems,
  type RuleFindings,
  serializeRule,
} from "./lapse.ts";

/** An approval as a person submits it. */
export interface ApprovalSubmission {
  /** `comment:<id>` or `review:<id>`. */
  readonly id: string;
  readonly source: "comment" | "review";
  readonly approver: Approver;
  /** The commit that the approver named. */
  readonly sha: string;
  /** Empty: every violated rule that the approver may approve. */
  readonly rules: readonly string[];
  readonly upTo: Money | null;
  /** See `Approval.untilMs`; null: it has no end. */
  readonly untilMs: number | null;
  readonly reason: string;
  /** When it was written on GitHub, in whole seconds, as milliseconds since 1970; null: GitHub does not say. */
  readonly createdMs: number | null;
  /** Milliseconds since 1970. */
  readonly approvedMs: number;
}

/** The pull request at the moment of the approval. */
export interface ApprovalMoment extends RuleFindings {
  readonly headSha: string;
  /** When this head first had a verdict, into this base branch, in milliseconds since 1970; null: it had none. */
  readonly evaluatedMs: number | null;
  /** Groups of a rule that the approver belongs to, by index, read live. */
  readonly getGroups: (rule: Rule) => readonly number[];
}

export type ApprovalOutcome =
  | { readonly state: "approved"; readonly approval: Approval }
  | { readonly state: "refused"; readonly why: ApprovalRefusal };

/** Grants an approval of the current violations, or says why it is refused. A granted approval is in force at this moment. */
export function giveApproval(request: ApprovalSubmission, moment: ApprovalMoment): ApprovalOutcome {
  const why = findTimeRefusal(request, moment);
  if (why !== null) return refuse(why);
  const chosen = chooseRules(request, moment);
  if ("kind" in chosen) return refuse(chosen);
  const endless = chosen.find(({ approve }) => approve?.until === "required");
  if (request.untilMs === null && endless !== undefined)
    return refuse({ kind: "until_missing", rule: endless.id });
  const amount = findAmountRefusal(request, moment, chosen);
  if (amount !== null) return refuse(amount);
  const approval = buildApproval(request, moment, chosen);
  const lapse = findLapse(approval, moment);
  if (lapse === null) return { state: "approved", approval };
  if (lapse.kind === "approver_contributed" || lapse.kind === "contributors_unknown") return refuse(lapse);
  return refuse({ kind: "too_many", rule: "rule" in lapse ? lapse.rule : (chosen[0]?.id ?? "") });
}

const refuse = (why: ApprovalRefusal): ApprovalOutcome => ({ state: "refused", why });

function findTimeRefusal(request: ApprovalSubmission, moment: ApprovalMoment): ApprovalRefusal | null {
  const { sha, approver, untilMs } = request;
  const { headSha, findings, ground } = moment;
  if (sha !== headSha) return { kind: "other_head", named: sha, headSha };
  if (!isEvaluatedBefore(request, moment)) return { kind: "evaluated_later", headSha };
  if (untilMs !== null && untilMs <= ground.nowMs) return { kind: "until_past" };
  if (ground.contributors === null) return { kind: "contributors_unknown" };
  if (ground.contributors.has(approver.id)) return { kind: "approver_contributed" };
  const undecided = findings.find((finding) => decideEffect(finding) === "undecided");
  if (undecided !== undefined) return { kind: "undecided", rule: undecided.rule };
  return findings.some(isBlocking) ? null : { kind: "nothing_to_approve" };
}

/**
 * Whether something was evaluated before a comment or review about it was written. GitHub states whole seconds, so an event within the
 * same second counts as earlier.
 */
export const isEvaluatedBefore = (
  { createdMs }: { readonly createdMs: number | null },
  { evaluatedMs }: { readonly evaluatedMs: number | null },
): boolean => createdMs !== null && evaluatedMs !== null && evaluatedMs < createdMs + 1_000;

/** The rules to approve: the named ones, else all that the approver may approve. */
function chooseRules(request: ApprovalSubmission, moment: ApprovalMoment): readonly Rule[] | ApprovalRefusal {
  const violated = moment.rules.filter(({ id }) => listBlockingFindings(moment, id).length > 0);
  const open = violated.filter(
    ({ id, approve }) =>
      listBlockingFindings(moment, id).some((finding) => finding.approve !== null) &&
      (request.source === "comment" || approve?.reviews === true),
  );
  for (const rule of request.rules) {
    const isNamed = ({ id }: Rule): boolean => id === rule;
    const named = open.find(isNamed);
    if (!moment.rules.some(isNamed)) return { kind: "unknown_rule", rule };
    if (!violated.some(isNamed)) return { kind: "not_violated", rule };
    if (named === undefined) return { kind: "not_approvable", rule };
    if (listPersonGroups(named, moment).length === 0) return { kind: "not_an_approver", rule };
  }
  if (request.rules.length > 0) return open.filter(({ id }) => request.rules.includes(id));
  if (open.length === 0) return { kind: "not_approvable", rule: violated[0]?.id ?? "" };
  const own = open.filter((rule) => listPersonGroups(rule, moment).length > 0);
  return own.length > 0 ? own : { kind: "not_an_approver", rule: open[0]?.id ?? "" };
}

/** The approver's groups of a rule that approve one of its findings. */
function listPersonGroups(rule: Rule, moment: ApprovalMoment): readonly number[] {
  const needed = new Set(listBlockingFindings(moment, rule.id).flatMap(listOwnGroups));
  return moment.getGroups(rule).filter((group) => needed.has(group));
}

const listBlockingFindings = ({ findings }: RuleFindings, rule: string): readonly Finding[] =>
  findings.filter((finding) => finding.rule === rule && isBlocking(finding));

/** Rules about money require a maximum amount; an amount below the measured value would approve nothing. */
function findAmountRefusal(
  { upTo }: ApprovalSubmission,
  moment: ApprovalMoment,
  chosen: readonly Rule[],
): ApprovalRefusal | null {
  const findings = chosen.flatMap((rule) => {
    const groups = listPersonGroups(rule, moment);
    return listBlockingFindings(moment, rule.id).filter((one) => isOfGroups(one, groups));
  });
  return findings.flatMap((finding) => findShortfall(upTo, finding) ?? [])[0] ?? null;
}

/** Why the amount does not cover a finding about money; null: it does. */
function findShortfall(upTo: Money | null, { rule, measured }: Finding): ApprovalRefusal | null {
  if (measured?.kind !== "money") return null;
  const found = { amount: measured.amount, currency: measured.currency };
  if (upTo === null) return { kind: "amount_missing", rule, found };
  if (upTo.currency !== found.currency) return { kind: "amount_currency", rule, found };
  return compare(found.amount, upTo.amount) > 0 ? { kind: "amount_too_low", rule, found } : null;
}

function buildApproval(
  request: ApprovalSubmission,
  moment: ApprovalMoment,
  chosen: readonly Rule[],
): Approval {
  const { id, approver, approvedMs, reason, upTo, untilMs } = request;
  const { headSha, ground, findings } = moment;
  return {
    id,
    approver,
    headSha,
    baseRef: ground.baseRef,
    givenMs: approvedMs,
    reason,
    upTo,
    ...(untilMs !== null && { untilMs }),
    covered: chosen.map((rule) => buildCoveredRule(rule, moment)),
    violated: [...new Set(findings.filter(isBlocking).map(({ rule }) => rule))],
    ground: ground.ground,
    figures: ground.figures,
  };
}

const buildCoveredRule = (rule: Rule, moment: ApprovalMoment): CoveredRule => ({
  rule: rule.id,
  ruleText: serializeRule(rule),
  groups: listPersonGroups(rule, moment),
  // Those of other approvers too: a further one ends the approval.
  findings: listBlockingFindings(moment, rule.id).map(({ subject, measured, ...listed }) => ({
    subject,
    measured,
    items: listCoveredItems(listed),
  })),
});
