import { findMissingTeam } from "../../github/people/permissions.ts";
import type { PersonComment, PersonText } from "../../github/people/person-text.ts";
import { shorten } from "../../kernel/shorten.ts";
import { toStorableText } from "../../kernel/storable.ts";
import { type ApprovalSubmission, giveApproval } from "../../policy/approvals/give-approval.ts";
import type { RuleFindings } from "../../policy/approvals/lapse.ts";
import type { Approval, ApprovalRefusal, Approver, Override } from "../../policy/model/approval.ts";
import type { Rule } from "../../policy/model/policy.ts";
import type { CommandSource } from "../../store/approvals/commands.ts";
import { computeDigest } from "../publish/digest.ts";
import type { PullRun } from "../run/pull-run.ts";
import { type ApprovalBasis, computeApprovableDigest, getVerdict } from "./approval-basis.ts";
import { findLateRefusal } from "./find-late-refusal.ts";
import { type GroupMembership, listTeams, readGroups, selectBlockingRules } from "./group-membership.ts";
import {
  buildApprovalRecord,
  buildEnding,
  type CommandOutcome,
  mergeOutcomes,
  NO_OUTCOME,
} from "./outcome.ts";

/** Longest reason, in characters; longer ones are cut. */
export const MAX_REASON = 500;

/** A person's approve command, as written. */
export interface ApprovalIntent {
  readonly commandSource: CommandSource;
  readonly text: PersonText;
  readonly approver: Approver;
  readonly sha: string;
  readonly rules: readonly string[];
  readonly upTo: ApprovalSubmission["upTo"];
  readonly reason: string;
}

export interface ApprovalContext {
  readonly basis: ApprovalBasis;
  /** Null: there is no verdict now. */
  readonly findings: RuleFindings | null;
  /** Approvals in force before this command. */
  readonly inForce: readonly Approval[];
  /** Overrides in force before this command. */
  readonly overridesInForce: readonly Override[];
  /** See `ApprovalGround.contributors`. */
  readonly contributors: ReadonlySet<number> | null;
  /** The newest comments. */
  readonly comments: readonly PersonComment[];
}

/** Accepts an approval, or refuses it with the reason. */
export async function submitApproval(
  run: PullRun,
  intent: ApprovalIntent,
  approving: ApprovalContext,
): Promise<CommandOutcome> {
  const { basis, findings, inForce } = approving;
  const { commandSource, text, approver, sha, rules, upTo } = intent;
  const { source, sourceId, nodeId } = commandSource;
  const reason = toStorableText(shorten(intent.reason, MAX_REASON));
  const id = `${source}:${sourceId}`;
  // A CI job reads all commands of a pull request again: they have not waited, and their order is known.
  const { isOneShot } = run.deps;
  const approvedMs = (isOneShot ? text.createdMs : null) ?? run.deps.clock.now();
  const request = { id, source, approver, sha, rules, upTo, reason, createdMs: text.createdMs, approvedMs };
  const late = isOneShot ? null : findLateRefusal(intent, approving.comments, approvedMs);
  if (late !== null) return refuseApproval(basis, intent, { request, why: { kind: late } });
  if (findings === null || getVerdict(basis) === null)
    return refuseApproval(basis, intent, { request, why: { kind: "not_evaluated" } });
  const groups = await readGroups(run, { head: basis.head, approver, rules: selectBlockingRules(findings) });
  if (groups.state !== "known")
    return refuseApproval(basis, intent, { request, why: { kind: "no_permission" } });
  const { getGroups } = groups;
  const { lastApprovable: last } = basis;
  // Nobody has seen findings that are new in this evaluation.
  const evaluatedMs =
    last?.digest === computeApprovableDigest(run.deps, basis, findings) ? last.evaluatedMs : null;
  const { pull, repository } = basis.head;
  const { headSha } = pull;
  const outcome = giveApproval(request, { ...findings, headSha, evaluatedMs, getGroups });
  if (outcome.state === "refused")
    return refuseApproval(basis, intent, {
      request,
      why: await explainRefusal(
        run,
        { why: outcome.why, rules: findings.rules, owner: repository.owner },
        groups,
      ),
    });
  const { approval } = outcome;
  const coveredRules = approval.covered.map(({ rule }) => rule);
  return mergeOutcomes([
    ...findReplacedApprovals(approval, inForce).map((old) =>
      buildEnding(basis, old, { how: "revoked", why: { kind: "replaced" } }),
    ),
    {
      ...NO_OUTCOME,
      replies: [{ commandSource, reaction: source === "comment" ? "+1" : null, answer: null }],
      approvals: [{ approval, nodeId, bodyDigest: computeDigest(text.body) }],
      records: [
        buildApprovalRecord(basis, { ...request, rules: coveredRules }, { turn: "approved", why: null }),
      ],
    },
  ]);
}

/** Says of others who may approve whether GitHub did not state who they are, or has no such team. */
async function explainRefusal(
  run: PullRun,
  {
    why,
    rules,
    owner,
  }: { readonly why: ApprovalRefusal; readonly rules: readonly Rule[]; readonly owner: string },
  { isUnknown }: GroupMembership,
): Promise<ApprovalRefusal> {
  if (why.kind !== "not_an_approver") return why;
  const { rule } = why;
  if (isUnknown(rule)) return { kind: "groups_unknown", rule };
  const team = await findMissingTeam(run.client, {
    owner,
    teams: listTeams(rules.filter(({ id }) => id === rule)),
  });
  return team === null ? why : { kind: "team_missing", rule, team };
}

/**
 * Returns the earlier approvals that a new one replaces: an approver who approves a rule again approves the
 * new amount, not both.
 */
function findReplacedApprovals(
  { approver, covered }: Approval,
  inForce: readonly Approval[],
): readonly Approval[] {
  const rules = new Set(covered.map(({ rule }) => rule));
  return inForce.filter(
    (old) => old.approver.id === approver.id && old.covered.some(({ rule }) => rules.has(rule)),
  );
}

function refuseApproval(
  basis: ApprovalBasis,
  { commandSource }: ApprovalIntent,
  { request, why }: { readonly request: ApprovalSubmission; readonly why: ApprovalRefusal },
): CommandOutcome {
  const isComment = commandSource.source === "comment";
  return {
    ...NO_OUTCOME,
    replies: [
      {
        commandSource,
        reaction: isComment ? "-1" : null,
        answer: { kind: "refused", why, ...(!isComment && { review: true }) },
      },
    ],
    records: [buildApprovalRecord(basis, request, { turn: "refused", why })],
  };
}
