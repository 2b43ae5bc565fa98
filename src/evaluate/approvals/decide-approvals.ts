import { applyApprovals } from "../../policy/approvals/apply-approvals.ts";
import type { RuleFindings } from "../../policy/approvals/lapse.ts";
import { findLapse } from "../../policy/approvals/lapse.ts";
import { determineHold } from "../../policy/decide-check.ts";
import type { Override } from "../../policy/model/approval.ts";
import { type Approval, type Approvals, Lapse, NO_APPROVALS } from "../../policy/model/approval.ts";
import type { Rule } from "../../policy/model/policy.ts";
import type { Situation } from "../../policy/model/situation.ts";
import type { PullRun } from "../run/deps.ts";
import type { ApprovalContext } from "./answer-command.ts";
import { answerCommand } from "./answer-command.ts";
import {
  type ApprovalBasis,
  computeApprovableDigest,
  evaluateFindings,
  getVerdict,
  withVerdict,
} from "./approval-basis.ts";
import { type MembershipResult, readGroups, selectBlockingRules } from "./group-membership.ts";
import { buildEnding, type CommandOutcome, mergeOutcomes, NO_OUTCOME } from "./outcome.ts";
import type { ApprovalState } from "./read-state.ts";
import { findRevocation, recheckOverrides } from "./read-state.ts";

/** The situation with approvals and an override, and the outcome of commands and of what ended. */
export interface ApprovalResult {
  readonly situation: Situation;
  readonly approvals: Approvals;
  /** The override that lets the check pass; null: none does. */
  readonly override: Override | null;
  readonly outcome: CommandOutcome;
  /** Digest of the approvable findings; null: there is no verdict. */
  readonly approvableDigest: string | null;
}

/** Checks every approval and override and answers every waiting command, in their order. Writes nothing. */
export async function decideApprovals(
  run: PullRun,
  basis: ApprovalBasis,
  state: ApprovalState,
): Promise<ApprovalResult> {
  const findings = await evaluateFindings(run.deps, basis, state.contributors);
  const rechecked = recheckApprovals(basis, state);
  const overrides = await recheckOverrides(run, basis, state);
  const out =
    findings === null ? [] : await findUnauthorized(run, rechecked.inForce, { basis, findings, state });
  const outgoing = out.map((approval) => ({ approval, why: { kind: "approver_unauthorized" } as const }));
  const inForce = rechecked.inForce.filter((approval) => !out.includes(approval));
  const answered = await answerCommands(run, state, {
    basis,
    findings,
    inForce,
    overridesInForce: overrides.inForce,
    comments: state.comments,
    contributors: state.contributors,
  });
  const outcomes = [
    rechecked.outcome,
    { ...NO_OUTCOME, hasMore: state.hasMore },
    ...buildEndings(basis, outgoing),
    ...overrides.outcomes,
    ...answered.outcomes,
  ];
  const shown = [...outgoing, ...rechecked.ended, ...state.lapsed];
  const applied = applyInForce(basis, findings, { inForce: answered.inForce, ended: shown });
  const { situation, approvals } = applied;
  const isHeld = determineHold(situation, approvals) === "held";
  return {
    situation,
    approvals,
    approvableDigest:
      findings === null || getVerdict(basis) === null
        ? null
        : computeApprovableDigest(run.deps, basis, findings),
    override: isHeld ? (answered.overridesInForce.at(-1) ?? null) : null,
    outcome: mergeOutcomes([...outcomes, ...buildEndings(basis, applied.lapsed)]),
  };
}

/** Answers the waiting commands, each with what the commands before it gave and ended. */
async function answerCommands(
  run: PullRun,
  state: ApprovalState,
  first: ApprovalContext,
): Promise<Pick<ApprovalContext, "inForce" | "overridesInForce"> & { outcomes: readonly CommandOutcome[] }> {
  let { inForce, overridesInForce } = first;
  const outcomes: CommandOutcome[] = [];
  for (const commandSource of state.commands) {
    const question = { commandSource, text: state.texts.get(commandSource.nodeId) };
    const outcome = await answerCommand(run, question, { ...first, inForce, overridesInForce });
    const over = new Set([...outcome.endings, ...outcome.overrideEndings].map(({ id }) => id));
    inForce = [
      ...inForce.filter(({ id }) => !over.has(id)),
      ...outcome.approvals.map(({ approval }) => approval),
    ];
    overridesInForce = [
      ...overridesInForce.filter(({ id }) => !over.has(id)),
      ...outcome.overrides.map(({ override }) => override),
    ];
    outcomes.push(outcome);
  }
  return { inForce, overridesInForce, outcomes };
}

interface AppliedApprovals extends Pick<ApprovalResult, "situation" | "approvals"> {
  /** Those that the current findings end. */
  readonly lapsed: Approvals["lapsed"];
}

/** Applies the approvals in force. Without a verdict nothing can be approved; without findings no approval ends. */
function applyInForce(
  basis: ApprovalBasis,
  findings: RuleFindings | null,
  { inForce, ended }: { readonly inForce: readonly Approval[]; readonly ended: Approvals["lapsed"] },
): AppliedApprovals {
  const { situation } = basis;
  if (findings === null) return { situation, approvals: NO_APPROVALS, lapsed: [] };
  const { verdict, approvals } = applyApprovals(inForce, findings);
  const lapsed = [...approvals.lapsed, ...ended].filter((one) => isWorthShowing(one.approval, approvals));
  if (getVerdict(basis) === null) {
    const { offer: _, ...held } = approvals;
    return {
      situation,
      approvals: { ...held, lapsed },
      lapsed: approvals.lapsed,
    };
  }
  return {
    situation: withVerdict(situation, verdict),
    approvals: { ...approvals, lapsed },
    lapsed: approvals.lapsed,
  };
}

const buildEndings = (at: ApprovalBasis, lapsed: Approvals["lapsed"]): readonly CommandOutcome[] =>
  lapsed.map(({ approval, why }) => buildEnding(at, approval, { how: "lapsed", why }));

/** Compares each approval with its comment or review as GitHub shows it now. */
function recheckApprovals(
  basis: ApprovalBasis,
  { stored, texts }: ApprovalState,
): {
  readonly inForce: readonly Approval[];
  readonly ended: Approvals["lapsed"];
  readonly outcome: CommandOutcome;
} {
  const rechecked = stored.map((one) => ({
    approval: one.approval,
    why: findRevocation(one, texts.get(one.nodeId)),
  }));
  const revoked = rechecked.flatMap(({ approval, why }) =>
    why === null ? [] : [buildEnding(basis, approval, { how: "revoked", why })],
  );
  return {
    ended: rechecked.flatMap(({ approval, why }) => {
      const shown = Lapse.safeParse(why);
      return shown.success ? [{ approval, why: shown.data }] : [];
    }),
    inForce: rechecked.flatMap(({ approval, why }) => (why === null ? [approval] : [])),
    outcome: revoked.length === 0 ? NO_OUTCOME : mergeOutcomes(revoked),
  };
}

/**
 * Whether a lapsed approval is shown: its rules still need an approval, and its approver has not approved
 * again.
 */
const isWorthShowing = ({ approver, covered }: Approval, { live, missing }: Approvals): boolean =>
  !live.some((other) => other.approver.id === approver.id) &&
  covered.some(({ rule }) => missing.some((own) => own.rule === rule));

interface AuthorizationCheck {
  readonly basis: ApprovalBasis;
  readonly findings: RuleFindings;
  readonly state: ApprovalState;
}

/**
 * Returns the approvals whose approver is no longer authorized: without write access, or no longer in a group
 * that the approval needs. GitHub is asked only about approvals that a passing rule needs now. Only a
 * definite "no" ends an approval; an unknown answer ends none.
 *
 * @throws TollgateError `github_failed`, retryable, while GitHub asks us to wait
 */
async function findUnauthorized(
  run: PullRun,
  inForce: readonly Approval[],
  { basis, findings, state }: AuthorizationCheck,
): Promise<readonly Approval[]> {
  const blocking = selectBlockingRules(findings);
  const found = await Promise.all(
    inForce.map(async (approval) => {
      const rules = blocking.filter(({ id }) => approval.covered.some(({ rule }) => rule === id));
      if (rules.length === 0 || findLapse(approval, findings) !== null) return [];
      const membership = await readGroups(run, {
        head: basis.head,
        approver: getCurrentApprover(approval, state),
        rules,
      });
      return isUnauthorized(approval, rules, membership) ? [approval] : [];
    }),
  );
  return found.flat();
}

/** Returns the approver's current login, because accounts are renamed. */
function getCurrentApprover(
  { id, approver }: Approval,
  { stored, texts }: ApprovalState,
): Approval["approver"] {
  const nodeId = stored.find(({ approval }) => approval.id === id)?.nodeId ?? "";
  return texts.get(nodeId)?.author ?? approver;
}

function isUnauthorized(
  { covered }: Approval,
  rules: readonly Rule[],
  membership: MembershipResult,
): boolean {
  if (membership.state !== "known") return membership.state === "denied";
  return rules.some((rule) => {
    const now = membership.getGroups(rule);
    const coveredRules = covered.find((own) => own.rule === rule.id)?.groups ?? [];
    return !membership.isUnknown(rule.id) && coveredRules.some((group) => !now.includes(group));
  });
}
