import { compare, type Money } from "../../kernel/money.ts";
import { effectOf } from "../evaluate/evaluate-policy.ts";
import type { ApprovalCommand, ApprovalOffer, MissingApproval } from "../model/approval.ts";
import type { ApprovalRefusal } from "../model/approval-refusal.ts";
import type { Finding } from "../model/finding.ts";
import type { Rule } from "../model/policy.ts";
import { giveApproval } from "./give.ts";
import { isBlocking, type RuleFindings } from "./lapse.ts";

/**
 * What can be approved now: exactly what `giveApproval` accepts. `missing`: what the approvals given so far leave open.
 * `findings`: as they are with those approvals.
 */
export function offerOf(
  judged: RuleFindings,
  missing: readonly MissingApproval[],
  findings: readonly Finding[],
): ApprovalOffer {
  const single = missing.map(({ rule }) => commandFor(judged, [rule]));
  const looked = single.map((command) => ({ command, why: refusalOf(judged, command) }));
  const accepted = looked.filter(({ why }) => why === null).map(({ command }) => command);
  const rules = accepted.flatMap((command) => command.rules);
  const all = { ...commandFor(judged, approvableRules(judged)), rules: [] };
  const isOne = accepted.length === approvableRules(judged).length && refusalOf(judged, all) === null;
  const held = findings.filter((finding) => ["block", "undecided"].includes(effectOf(finding)));
  return {
    commands: isOne ? [all] : accepted,
    rules,
    opensGate: rules.length > 0 && held.every(({ rule }) => rules.includes(rule)),
    why: looked.find(({ why }) => why !== null)?.why ?? null,
  };
}

const approvableRules = ({ rules, findings }: RuleFindings): readonly string[] => {
  const blocking = new Set(findings.filter(isBlocking).map(({ rule }) => rule));
  return rules.filter(({ id, approve }) => approve !== null && blocking.has(id)).map(({ id }) => id);
};

/** The command for these rules with the least amount that covers what they find. */
function commandFor({ findings }: RuleFindings, rules: readonly string[]): ApprovalCommand {
  const covered = findings.filter((finding) => isBlocking(finding) && rules.includes(finding.rule));
  const upTo = covered.reduce<Money | null>((most, { measured }) => {
    if (measured?.kind !== "money" || (most !== null && compare(measured.amount, most.amount) <= 0))
      return most;
    return { amount: measured.amount, currency: measured.currency };
  }, null);
  return { rules, upTo };
}

/** Somebody whom every rule names, and who did not work on the pull request. */
const APPROVER = { id: -1, login: "" };
const HEAD = "0".repeat(40);

function refusalOf(judged: RuleFindings, { rules, upTo }: ApprovalCommand): ApprovalRefusal["kind"] | null {
  const groupsOf = ({ approve }: Rule) => (approve?.groups ?? []).map((_, group) => group);
  const request = {
    id: "",
    source: "comment",
    signer: APPROVER,
    sha: HEAD,
    rules,
    upTo,
    reason: "",
  } as const;
  const given = giveApproval(
    { ...request, writtenMs: 0, givenMs: 0 },
    { ...judged, headSha: HEAD, evaluatedMs: 0, groupsOf },
  );
  return given.state === "given" ? null : given.why.kind;
}
