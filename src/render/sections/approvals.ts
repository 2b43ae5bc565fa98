import { listApprovers, MAX_MISSING } from "../../policy/approvals/requests.ts";
import type { Approval, Approvals, Lapse, MissingApproval } from "../../policy/model/approval.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { ApproverGroup } from "../../policy/model/policy.ts";
import { formatMention, formatName, formatSentence, type Inline } from "../escape.ts";
import { formatMoney, formatUtcTime } from "../format.ts";
import { listFindings } from "./findings.ts";
import type { Section, Subject } from "./section.ts";

interface ApprovalView {
  readonly approver: Inline;
  readonly rules: readonly { readonly rule: Inline }[];
  /** Null: no amount is evaluated, or amounts are not shown in this repository. */
  readonly upTo: Inline | null;
  readonly approvedOn: Inline;
  readonly reason: Inline | null;
  readonly lapse: Lapse["kind"] | null;
  /** The rule that caused a lapse; null: none. */
  readonly about: Inline | null;
  /** True: it is the only rule that was approved. */
  readonly own: boolean;
}

interface MissingApprovalView {
  readonly rule: Inline;
  readonly groups: readonly {
    readonly lacks: number;
    readonly who: readonly Inline[];
    readonly permission: ApproverGroup["permission"];
  }[];
}

type Mentions = ReadonlySet<string>;

interface ApprovalTableOptions {
  readonly rows: number;
  readonly mentions: Mentions;
}

/** The section about approvals: those in force, those that lapsed, and those that are missing. */
export function buildApprovalsSection({ evaluation, links: { mentions = new Set() } }: Subject): Section {
  const { live, lapsed, missing } = evaluation.approvals;
  const all = missing.length + live.length + lapsed.length;
  return {
    template: "approvals",
    rows: Math.min(MAX_MISSING, all),
    isRequired: false,
    view: (rows) =>
      all === 0 ? null : buildApprovalsView(evaluation, { rows: Math.max(0, rows), mentions }),
  };
}

function buildApprovalsView(evaluation: Evaluation, { rows, mentions }: ApprovalTableOptions): object {
  const { approvals, pull } = evaluation;
  const approvalViews = listApprovals(approvals, pull.figures);
  const missing = approvals.missing.slice(0, rows).map((one) => buildMissingView(one, evaluation, mentions));
  const visible = approvalViews.slice(0, rows - missing.length);
  return {
    missing,
    live: visible.filter(({ lapse }) => lapse === null),
    lapsed: visible.filter(({ lapse }) => lapse !== null),
    more: approvals.missing.length + approvalViews.length - missing.length - visible.length,
  };
}

const listApprovals = ({ live, lapsed }: Approvals, figures: boolean): readonly ApprovalView[] => [
  ...live.map((approval) => buildApprovalView(approval, null, figures)),
  ...lapsed.map(({ approval, why }) => buildApprovalView(approval, why, figures)),
];

function buildApprovalView(approval: Approval, why: Lapse | null, figures: boolean): ApprovalView {
  const { approver, covered, upTo, givenMs, reason } = approval;
  return {
    approver: formatName(approver.login),
    rules: covered.map(({ rule }) => ({ rule: formatName(rule) })),
    upTo: upTo === null || !figures ? null : formatMoney(upTo),
    approvedOn: formatUtcTime(givenMs),
    reason: reason === "" ? null : formatSentence(reason),
    lapse: why?.kind ?? null,
    about: why !== null && "rule" in why ? formatName(why.rule) : null,
    own: why !== null && "rule" in why && covered.every(({ rule }) => rule === why.rule),
  };
}

function buildMissingView(
  { rule, groups }: MissingApproval,
  { situation, pull }: Evaluation,
  mentions: Mentions,
): MissingApprovalView {
  const approve = listFindings(situation).find((finding) => finding.rule === rule)?.approve;
  const formatApprover = (approver: string): Inline => {
    if (pull.local) return formatName(approver);
    return mentions.has(approver) ? formatMention(approver) : formatName(`@${approver}`);
  };
  return {
    rule: formatName(rule),
    groups: groups.map(({ group, lacks }) => {
      const named = approve?.groups[group];
      const who = named === undefined ? [] : listApprovers(named, pull).map(formatApprover);
      return { lacks, who, permission: named?.permission ?? null };
    }),
  };
}
