import { compare, type Money } from "../../kernel/money.ts";
import type {
  Approval,
  ApprovalCommand,
  ApprovalOffer,
  ApprovalRefusal,
  Approvals,
  MissingApproval,
} from "../model/approval.ts";
import {
  combineFindings,
  decideEffect,
  type Finding,
  holdsCheck,
  listOwnGroups,
  type Verdict,
} from "../model/finding.ts";
import type { Rule } from "../model/policy.ts";
import { giveApproval } from "./give-approval.ts";
import { findLapse, isBlocking, type RuleFindings } from "./lapse.ts";

export interface ApprovedVerdict {
  readonly verdict: Verdict;
  readonly approvals: Approvals;
}

/**
 * The verdict with the approvals in force. A finding is approved when every group of its rule has as many different
 * approvers as it requires; an undecided finding never is.
 */
export function applyApprovals(approvals: readonly Approval[], ruleFindings: RuleFindings): ApprovedVerdict {
  const results = approvals.map((approval) => ({ approval, why: findLapse(approval, ruleFindings) }));
  const live = results.filter(({ why }) => why === null).map(({ approval }) => approval);
  const lapsed = results.flatMap(({ approval, why }) => (why === null ? [] : [{ approval, why }]));
  const missing = new Map<string, MissingApproval>();
  const findings = ruleFindings.findings.map((finding) => {
    if (decideEffect(finding) !== "block" || finding.approve === null) return finding;
    const open = listOpenGroups(finding, live);
    if (open.length === 0) return { ...finding, approved: true };
    missing.set(finding.rule, joinMissing(missing.get(finding.rule), { rule: finding.rule, groups: open }));
    return finding;
  });
  const open = [...missing.values()];
  const offer = buildApprovalOffer(ruleFindings, open, findings);
  return { verdict: combineFindings(findings), approvals: { live, lapsed, missing: open, offer } };
}

/** Joins the groups that several findings of a rule lack; a group lacks the same number of approvals for each of them. */
const joinMissing = (
  known: MissingApproval | undefined,
  { rule, groups }: MissingApproval,
): MissingApproval => {
  const others = (known?.groups ?? []).filter(({ group }) => !groups.some((own) => own.group === group));
  return { rule, groups: [...others, ...groups].sort((a, b) => a.group - b.group) };
};

/** Groups that approve the finding and lack approvals. One person may approve for several groups, and counts once in each. */
function listOpenGroups(finding: Finding, live: readonly Approval[]): MissingApproval["groups"] {
  const { rule, approve } = finding;
  return listOwnGroups(finding).flatMap((group) => {
    const count = approve?.groups[group]?.count ?? 1;
    const approvers = new Set(
      live
        .filter(({ covered }) => covered.some((own) => own.rule === rule && own.groups.includes(group)))
        .map(({ approver }) => approver.id),
    );
    return approvers.size >= count ? [] : [{ group, lacks: count - approvers.size }];
  });
}

/**
 * The approvals that can be given now: exactly those that `giveApproval` accepts. `missing`: approvals still required.
 * `findings`: with the existing approvals applied.
 */
function buildApprovalOffer(
  ruleFindings: RuleFindings,
  missing: readonly MissingApproval[],
  findings: readonly Finding[],
): ApprovalOffer {
  const results = missing.flatMap((one) => buildCommands(ruleFindings, one));
  const accepted = results.filter(({ why }) => why === null).map(({ command }) => command);
  const rules = [...new Set(accepted.flatMap((command) => command.rules))];
  const all = buildCommand(ruleFindings.findings.filter(isBlocking));
  const isOne =
    accepted.length === listApprovableRules(ruleFindings).length &&
    !ruleFindings.rules.some((rule) => rules.includes(rule.id) && hasTagGroups(rule)) &&
    findApprovalRefusal(ruleFindings, all) === null;
  const open = findings.filter(holdsCheck);
  return {
    commands: isOne ? [all] : accepted,
    rules,
    opensGate:
      rules.length > 0 && open.every(({ rule, approve }) => approve !== null && rules.includes(rule)),
    why: results.find(({ why }) => why !== null)?.why ?? null,
  };
}

const listApprovableRules = ({ rules, findings }: RuleFindings): readonly string[] => {
  const blocking = new Set(findings.filter(isBlocking).map(({ rule }) => rule));
  return rules.filter(({ id, approve }) => approve !== null && blocking.has(id)).map(({ id }) => id);
};

const hasTagGroups = ({ approve }: Rule): boolean =>
  approve?.groups.some(({ tagValue }) => tagValue !== undefined) === true;

interface CommandResult {
  readonly command: ApprovalCommand;
  readonly why: ApprovalRefusal["kind"] | null;
}

/** The commands for a rule, one for each part that has approvers of its own. */
function buildCommands(
  ruleFindings: RuleFindings,
  { rule, groups }: MissingApproval,
): readonly CommandResult[] {
  const open = new Set(groups.map(({ group }) => group));
  const own = ruleFindings.findings.filter((finding) => finding.rule === rule && isBlocking(finding));
  const parts = Map.groupBy(own, (finding) => listOwnGroups(finding).join());
  return [...parts.values()].flatMap((findings) => {
    const needed = findings.flatMap(listOwnGroups);
    if (!needed.some((group) => open.has(group))) return [];
    const command = { ...buildCommand(findings), rules: [rule] };
    return [{ command, why: findApprovalRefusal(ruleFindings, command, needed) }];
  });
}

/** The command with the least amount that covers these findings. */
function buildCommand(findings: readonly Finding[]): ApprovalCommand {
  const upTo = findings.reduce<Money | null>((most, { measured }) => {
    if (measured?.kind !== "money" || (most !== null && compare(measured.amount, most.amount) <= 0))
      return most;
    return { amount: measured.amount, currency: measured.currency };
  }, null);
  const hasEnd = findings.some(({ approve }) => approve?.until === "required");
  return { rules: [], upTo, ...(hasEnd && { until: "required" }) };
}

/** A placeholder for an approver that every rule names and that did not contribute to the pull request. */
const PLACEHOLDER_APPROVER = { id: -1, login: "" };

function findApprovalRefusal(
  ruleFindings: RuleFindings,
  { rules, upTo }: ApprovalCommand,
  own?: readonly number[],
): ApprovalRefusal["kind"] | null {
  const getGroups = ({ approve }: Rule) => own ?? (approve?.groups ?? []).map((_, group) => group);
  const request = { id: "", source: "comment", sha: "", reason: "", createdMs: 0, approvedMs: 0 } as const;
  const outcome = giveApproval(
    { ...request, approver: PLACEHOLDER_APPROVER, rules, upTo, untilMs: Number.MAX_SAFE_INTEGER },
    { ...ruleFindings, headSha: "", evaluatedMs: 0, getGroups },
  );
  return outcome.state === "approved" ? null : outcome.why.kind;
}
