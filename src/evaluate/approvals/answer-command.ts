import type { ApproveCommand, Command, OverrideCommand } from "../../github/commands/read-command.ts";
import { readCommand, readReviewAmount, splitReason } from "../../github/commands/read-command.ts";
import type { Reaction } from "../../github/comments/add-reaction.ts";
import type { PersonComment, PersonText } from "../../github/people/permissions.ts";
import { findMissingTeam } from "../../github/people/permissions.ts";
import { shorten } from "../../kernel/shorten.ts";
import { toStorableText } from "../../kernel/storable.ts";
import { applyApprovals } from "../../policy/approvals/apply-approvals.ts";
import { type ApprovalSubmission, giveApproval } from "../../policy/approvals/give-approval.ts";
import {
  getOverrideSpec,
  giveOverride,
  type OverrideSubmission,
} from "../../policy/approvals/give-override.ts";
import type { RuleFindings } from "../../policy/approvals/lapse.ts";
import { type CheckHold, determineHold } from "../../policy/decide-check.ts";
import type {
  Approval,
  ApprovalRefusal,
  Approver,
  Override,
  OverrideRefusal,
} from "../../policy/model/approval.ts";
import { NO_APPROVALS } from "../../policy/model/approval.ts";
import type { Rule } from "../../policy/model/policy.ts";
import type { CommandAnswer } from "../../render/render-answer.ts";
import type { CommandSource, PendingCommand } from "../../store/approvals/commands.ts";
import { computeDigest } from "../publish/comment-content.ts";
import type { PullRun } from "../run/deps.ts";
import { type ApprovalBasis, computeApprovableDigest, getVerdict, withVerdict } from "./approval-basis.ts";
import {
  findLateRefusal,
  type GroupMembership,
  listTeams,
  readGroups,
  readStanding,
  selectBlockingRules,
} from "./group-membership.ts";
import {
  buildApprovalRecord,
  buildEnding,
  buildOverrideEnding,
  buildOverrideRecord,
  type CommandOutcome,
  mergeOutcomes,
  NO_OUTCOME,
} from "./outcome.ts";
import { buildOverridePlace } from "./read-state.ts";

/**
 * Answers a comment or a review. A comment that was deleted, minimised, or now has another author is not a
 * command. A comment that takes approvals back does so also when it was minimised or edited: a CI job reads it again each time, and
 * others may do both.
 */
export function answerCommand(
  run: PullRun,
  { commandSource, text }: { readonly commandSource: PendingCommand; readonly text: PersonText | undefined },
  approving: ApprovalContext,
): CommandOutcome | Promise<CommandOutcome> {
  const approver = text?.author ?? null;
  if (text === undefined || approver === null || approver.id !== commandSource.authorId)
    return buildSilentReply(commandSource);
  const question = { commandSource, text, approver };
  if (isTakingBack(question, approving)) return revokeApprovals(run, question, approving);
  if (text.isMinimised) return buildSilentReply(commandSource);
  return commandSource.source === "review"
    ? handleReview(run, question, approving)
    : handleComment(run, question, approving);
}

interface PersonCommand {
  readonly commandSource: PendingCommand;
  readonly text: PersonText;
  readonly approver: Approver;
}

function isTakingBack(
  { commandSource, text, approver }: PersonCommand,
  { inForce, overridesInForce }: ApprovalContext,
): boolean {
  const people = [
    ...inForce.map((approval) => approval.approver),
    ...overridesInForce.map(({ person }) => person),
  ];
  if (commandSource.source === "review" || !people.some(({ id }) => id === approver.id)) return false;
  const read = readCommand(text.body);
  return read.state === "command" && read.command.verb === "revoke";
}

const buildReply = (
  commandSource: CommandSource,
  reaction: Reaction | null,
  answer: CommandAnswer | null,
): CommandOutcome => ({
  ...NO_OUTCOME,
  replies: [{ commandSource, reaction, answer }],
});
const buildSilentReply = (commandSource: CommandSource): CommandOutcome =>
  buildReply(commandSource, null, null);

/**
 * Commands of one person on one pull request that are answered within an hour, so that commenters on a public repository cannot
 * cause endless writes. An approval can always be revoked.
 */
const MAX_PER_HOUR = 20;

function handleComment(
  run: PullRun,
  question: PersonCommand,
  approving: ApprovalContext,
): CommandOutcome | Promise<CommandOutcome> {
  const { commandSource, text } = question;
  const read = readCommand(text.body);
  if (read.state === "none") return buildSilentReply(commandSource);
  if (commandSource.earlier >= MAX_PER_HOUR)
    return buildReply(commandSource, commandSource.earlier === MAX_PER_HOUR ? "confused" : null, null);
  if (text.isEdited)
    return buildReply(commandSource, "confused", { kind: "refused", why: { kind: "edited" } });
  if (read.state === "malformed")
    return buildReply(commandSource, "confused", { kind: "malformed", problem: read.problem });
  return handleCommand(run, { ...question, command: read.command }, approving);
}

function handleCommand(
  run: PullRun,
  question: PersonCommand & { readonly command: Command },
  approving: ApprovalContext,
): CommandOutcome | Promise<CommandOutcome> {
  const { command, commandSource } = question;
  switch (command.verb) {
    case "help":
      return buildReply(commandSource, "eyes", { kind: "help" });
    case "explain":
      return buildReply(commandSource, "eyes", { kind: "explain", rule: command.rule });
    case "recheck":
      return { ...buildReply(commandSource, "eyes", null), recheck: true };
    case "revoke":
      return revokeApprovals(run, question, approving);
    case "override":
      return submitOverride(run, { ...question, command }, approving);
    case "approve":
      return handleApprove(run, { ...question, command }, approving);
  }
}

/** Everybody can revoke their own approvals and overrides, whatever their current permission. */
function revokeApprovals(
  { deps }: PullRun,
  { commandSource, approver }: PersonCommand,
  { basis, inForce, overridesInForce }: ApprovalContext,
): CommandOutcome {
  const own = inForce.filter((approval) => approval.approver.id === approver.id);
  const ownOverrides = overridesInForce.filter(({ person }) => person.id === approver.id);
  if (own.length + ownOverrides.length === 0)
    return buildReply(commandSource, "confused", { kind: "nothing_to_revoke" });
  const why = { kind: "command" } as const;
  return mergeOutcomes([
    buildReply(commandSource, "+1", null),
    ...own.map((approval) => buildEnding(basis, approval, { how: "revoked", why })),
    ...ownOverrides.map((override) => buildOverrideEnding(deps.operator, basis, { override, why })),
  ]);
}

function handleApprove(
  run: PullRun,
  { command, ...question }: PersonCommand & { readonly command: ApproveCommand },
  approving: ApprovalContext,
): CommandOutcome | Promise<CommandOutcome> {
  const known = new Set(approving.findings?.rules.map(({ id }) => id));
  const { rules, reason } =
    command.rules === null
      ? splitReason(command.reason, (name) => known.has(name))
      : { rules: command.rules, reason: command.reason };
  if (reason === "")
    return buildReply(question.commandSource, "confused", { kind: "malformed", problem: { kind: "reason" } });
  const { sha, upTo } = command;
  return submitApproval(run, { ...question, sha, rules, upTo, reason }, approving);
}

/**
 * An approving review approves the rules that accept reviews; for other rules it has no effect. It waits for a verdict. An approver whose
 * review does not count is told why, where something blocks; for everybody else it is a review of the code.
 */
async function handleReview(
  run: PullRun,
  question: PersonCommand,
  approving: ApprovalContext,
): Promise<CommandOutcome> {
  const { basis, findings } = approving;
  const rules = basis.policy.state === "found" ? basis.policy.policy.rules : [];
  const open = rules.filter(({ approve }) => approve?.reviews === true);
  const silent = buildSilentReply(question.commandSource);
  if (open.length === 0 || !question.text.isApproving || question.text.isOverruled) return silent;
  if (findings === null || getVerdict(basis) === null)
    return (await isApprover(run, question, { basis, rules: open })) ? NO_OUTCOME : silent;
  const outcome = await decideReview(run, question, approving);
  const isTold =
    outcome.approvals.length === 0 &&
    !run.deps.isOneShot &&
    selectBlockingRules(findings).some(({ id }) => open.some((rule) => rule.id === id)) &&
    (await isApprover(run, question, { basis, rules: open }));
  return isTold ? outcome : { ...outcome, replies: silent.replies };
}

function decideReview(
  run: PullRun,
  question: PersonCommand,
  approving: ApprovalContext,
): CommandOutcome | Promise<CommandOutcome> {
  const { commandSource, text } = question;
  const { isEdited, commitSha: sha, body } = text;
  if (sha === null) return buildSilentReply(commandSource);
  if (isEdited)
    return buildReply(commandSource, null, { kind: "refused", why: { kind: "edited" }, review: true });
  const upTo = readReviewAmount(body);
  if (upTo !== null && "unclear" in upTo) {
    const problem = { kind: "amount", found: upTo.unclear } as const;
    return buildReply(commandSource, null, { kind: "malformed", problem });
  }
  const reason = body.trim() === "" ? "an approving review" : body.trim();
  return submitApproval(run, { ...question, sha, rules: [], upTo, reason }, approving);
}

/** Whether the person may approve one of these rules, and no more than a few of their reviews wait. */
async function isApprover(
  run: PullRun,
  { approver, commandSource }: PersonCommand,
  { basis, rules }: { readonly basis: ApprovalContext["basis"]; readonly rules: readonly Rule[] },
): Promise<boolean> {
  if (commandSource.earlier >= MAX_WAITING) return false;
  const groups = await readGroups(run, { head: basis.head, approver, rules });
  return groups.state === "known" && rules.some((rule) => groups.getGroups(rule).length > 0);
}

/** Reviews of one approver within an hour that wait or are answered; further ones still count. */
const MAX_WAITING = 5;

/** A person's override command, as written. */
interface OverrideIntent {
  readonly commandSource: CommandSource;
  readonly text: PersonText;
  readonly approver: Approver;
  readonly command: OverrideCommand;
}

/** Accepts an override, or refuses it with the reason. */
async function submitOverride(
  run: PullRun,
  intent: OverrideIntent,
  approving: ApprovalContext,
): Promise<CommandOutcome> {
  const { basis } = approving;
  const { commandSource, text, approver: person, command } = intent;
  const request: OverrideSubmission = {
    id: `comment:${commandSource.sourceId}`,
    person,
    sha: command.sha,
    reason: toStorableText(shorten(command.reason, MAX_REASON)),
    createdMs: text.createdMs,
    givenMs: run.deps.clock.now(),
  };
  const refuse = (why: OverrideRefusal) => refuseOverride(run, intent, { approving, request, why });
  if (run.deps.isOneShot) return refuse({ kind: "ci_job" });
  const late = findLateRefusal(intent, approving.comments, request.givenMs);
  if (late !== null) return refuse({ kind: late });
  const named = await readNaming(run, approving, person);
  if (named !== "named" && named !== "not_named") return refuse({ kind: named });
  const outcome = giveOverride(request, {
    ...buildOverridePlace(basis),
    contributors: approving.contributors,
    evaluatedMs: basis.evaluatedSince,
    hold: findHold(approving),
    isNamed: named === "named",
  });
  if (outcome.state === "refused") {
    const teams = outcome.why.kind === "not_named" ? (getOverrideSpec(basis.policy)?.teams ?? []) : [];
    const team = await findMissingTeam(run.client, { owner: basis.head.repository.owner, teams });
    return refuse(team === null ? outcome.why : { kind: "team_missing", team });
  }
  const { override } = outcome;
  return {
    ...NO_OUTCOME,
    replies: [{ commandSource, reaction: "+1", answer: null }],
    overrides: [{ override, nodeId: commandSource.nodeId, bodyDigest: computeDigest(text.body) }],
    records: [buildOverrideRecord(run.deps.operator, basis, { ...request, turn: "given", why: null })],
  };
}

/** Whether the policy names the person now, and the person may write to the repository. */
async function readNaming(
  run: PullRun,
  { basis: { head, policy } }: ApprovalContext,
  person: Approver,
): Promise<"named" | "not_named" | "no_permission" | "membership_unknown"> {
  const spec = getOverrideSpec(policy);
  if (spec === null) return "not_named";
  const standing = await readStanding(run, { head, person, teams: spec.teams });
  if (standing.state !== "known") return "no_permission";
  if (standing.isMember(spec)) return "named";
  return standing.isUnknown(spec) ? "membership_unknown" : "not_named";
}

/** Whether the check would be held back without this override. One override in force is enough. */
function findHold({ basis, findings, inForce, overridesInForce }: ApprovalContext): CheckHold {
  if (overridesInForce.length > 0) return "not_held";
  if (findings === null || getVerdict(basis) === null) return determineHold(basis.situation, NO_APPROVALS);
  const { verdict, approvals } = applyApprovals(inForce, findings);
  return determineHold(withVerdict(basis.situation, verdict), approvals);
}

function refuseOverride(
  run: PullRun,
  { commandSource }: OverrideIntent,
  refusal: {
    readonly approving: ApprovalContext;
    readonly request: OverrideSubmission;
    readonly why: OverrideRefusal;
  },
): CommandOutcome {
  const { approving, request, why } = refusal;
  return {
    ...NO_OUTCOME,
    replies: [{ commandSource, reaction: "-1", answer: { kind: "override_refused", why } }],
    records: [buildOverrideRecord(run.deps.operator, approving.basis, { ...request, turn: "refused", why })],
  };
}

/** Longest reason, in characters; longer ones are cut. */
const MAX_REASON = 500;

/** A person's approve command, as written. */
interface ApprovalIntent {
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
async function submitApproval(
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
