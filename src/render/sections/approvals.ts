import { type Money, toPlaces } from "../../kernel/money.ts";
import { listApprovers, MAX_MISSING } from "../../policy/approvals/requests.ts";
import type { Approval, ApprovalCommand, Lapse, MissingApproval } from "../../policy/model/approval.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import { decideEffect, type Finding, listOwnGroups, listRuleGroups } from "../../policy/model/finding.ts";
import { formatCodeBlock, formatMention, formatName, formatSentence } from "../escape.ts";
import { formatMoney, formatUtcDay, formatUtcTime, getUsualPlaces } from "../format.ts";
import { formatMeasuredAndLimit, listFindings } from "./findings.ts";
import type { Section, SectionSource } from "./section.ts";

/** The section about approvals: those in force, those that lapsed, and those that are missing. */
export function buildApprovalsSection({ evaluation, links: { mentions } }: SectionSource): Section {
  const { live, lapsed, missing } = evaluation.approvals;
  const all = missing.length + live.length + lapsed.length;
  return {
    template: "approvals",
    rows: Math.min(MAX_MISSING, all),
    view: (rows) => (all === 0 ? null : buildApprovalsView(evaluation, Math.max(0, rows), mentions)),
  };
}

function buildApprovalsView(evaluation: Evaluation, rows: number, mentions?: ReadonlySet<string>) {
  const { approvals, pull } = evaluation;
  const missing = approvals.missing.slice(0, rows).map((one) => buildMissingView(one, evaluation, mentions));
  const approvalViews = [
    ...approvals.live.map((approval) => buildApprovalView(approval, null, pull.figures)),
    ...approvals.lapsed.map(({ approval, why }) => buildApprovalView(approval, why, pull.figures)),
  ];
  const visible = approvalViews.slice(0, rows - missing.length);
  return {
    missing,
    live: visible.filter(({ lapse }) => lapse === null),
    lapsed: visible.filter(({ lapse }) => lapse !== null),
    more: approvals.missing.length + approvalViews.length - missing.length - visible.length,
  };
}

/** `about`: the rule that caused a lapse; `own`: it is the only rule that was approved. */
function buildApprovalView(approval: Approval, why: Lapse | null, figures: boolean) {
  const { approver, covered, upTo, untilMs, givenMs, reason } = approval;
  const about = why !== null && "rule" in why ? why.rule : null;
  return {
    approver: formatName(approver.login),
    rules: covered.map(({ rule }) => ({ rule: formatName(rule) })),
    upTo: upTo === null || !figures ? null : formatMoney(upTo),
    until: untilMs === undefined ? null : formatUtcDay(untilMs - 1),
    approvedOn: formatUtcTime(givenMs),
    reason: reason === "" ? null : formatSentence(reason),
    lapse: why?.kind ?? null,
    about: about === null ? null : formatName(about),
    own: about !== null && covered.every(({ rule }) => rule === about),
  };
}

function buildMissingView(
  { rule, groups }: MissingApproval,
  { situation, pull }: Evaluation,
  mentions?: ReadonlySet<string>,
) {
  const findings = listFindings(situation).filter((finding) => finding.rule === rule);
  const all = listRuleGroups(findings, rule);
  const formatApprover = (approver: string) => {
    if (pull.local) return formatName(approver);
    return mentions?.has(approver) ? formatMention(approver) : formatName(`@${approver}`);
  };
  return {
    rule: formatName(rule),
    groups: groups.map(({ group, lacks }) => {
      const named = all[group];
      const members = named?.codeowners ?? named;
      const who = members === undefined ? [] : listApprovers(members, pull).map(formatApprover);
      const parts = findings.filter(
        (one) =>
          one.perTag !== undefined && decideEffect(one) === "block" && listOwnGroups(one).includes(group),
      );
      return {
        lacks,
        who,
        permission: members?.permission ?? null,
        owners: named?.codeowners !== undefined,
        ownsFiles: named?.ownsFiles === true,
        others: who.length > 0 || (members?.permission ?? null) !== null,
        parts: parts.slice(0, MAX_PARTS).map((part) => buildPartView(part, pull.figures)),
        moreParts: Math.max(0, parts.length - MAX_PARTS),
      };
    }),
  };
}

/** Largest number of values of a tag that are named beside their approvers. */
const MAX_PARTS = 3;

/** The part of a rule that an approver is asked for. */
const buildPartView = ({ subject, measured, limit }: Finding, figures: boolean) => ({
  subject: formatName(subject ?? ""),
  measured: figures ? formatMeasuredAndLimit(measured, limit)[0] : null,
});

/**
 * The approvals that the policy would accept, as commands that can be copied. `approvable`: approvals alone open the gate; else
 * `approvableRules` can be approved, and other blocking rules cannot. `refusal`: why rules that name approvers cannot be approved now. Local
 * files cannot be approved.
 */
export function buildOfferView({ pull, approvals: { offer } }: Evaluation) {
  const { commands = [], rules = [], opensGate = false, why = null } = offer ?? {};
  const texts = pull.local
    ? []
    : commands.map((command) => ({ command: formatCodeBlock(formatCommand(command, pull)) }));
  const isOne = texts.length === 1;
  return {
    approvable: opensGate,
    command: (isOne && texts[0]?.command) || null,
    commands: isOne ? [] : texts,
    approvableRules: opensGate ? [] : rules.map((rule) => ({ rule: formatName(rule) })),
    refusal: why,
  };
}

function formatCommand(command: ApprovalCommand, { headSha, figures }: Evaluation["pull"]): string {
  const { rules, upTo, until } = command;
  const amount = upTo === null ? [] : ["up to", figures ? formatPlainAmount(upTo) : "AMOUNT"];
  const end = until === undefined ? [] : ["until YYYY-MM-DD"];
  return ["/tollgate approve", headSha, ...rules, ...amount, ...end, "REASON"].join(" ");
}

/** An amount as an argument of a command: exact, because a rounded one could be less than the measured value. */
function formatPlainAmount({ amount, currency }: Money): string {
  const places = amount.split(".")[1]?.length ?? 0;
  return `${toPlaces(amount, Math.max(getUsualPlaces(currency), places))} ${currency}`;
}
