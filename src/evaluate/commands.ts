import type { ApproveCommand, Command, OverrideCommand } from "../github/commands/read-command.ts";
import { namesEnd, readCommand, readReviewAmount, splitReason } from "../github/commands/read-command.ts";
import type { Reaction } from "../github/comments/own-comments.ts";
import { findMissingTeam } from "../github/people/permissions.ts";
import type { PersonComment, PersonText } from "../github/people/person-text.ts";
import { HOUR_MS } from "../kernel/clock.ts";
import { shorten } from "../kernel/shorten.ts";
import { toStorableText } from "../kernel/storable.ts";
import { applyApprovals } from "../policy/approvals/apply-approvals.ts";
import { applyObjections } from "../policy/approvals/apply-objections.ts";
import {
  type ApprovalOutcome,
  type ApprovalSubmission,
  giveApproval,
} from "../policy/approvals/give-approval.ts";
import {
  getOverrideSpec,
  giveOverride,
  type OverrideOutcome,
  type OverrideSubmission,
} from "../policy/approvals/give-override.ts";
import type { RuleFindings } from "../policy/approvals/lapse.ts";
import { type CheckHold, determineHold } from "../policy/decide-check.ts";
import type { Approval, ApprovalRefusal, Approver, OverrideRefusal } from "../policy/model/approval.ts";
import { NO_APPROVALS } from "../policy/model/approval.ts";
import type { ApproverGroup } from "../policy/model/policy.ts";
import { getVerdict } from "../policy/model/situation.ts";
import type { CommandAnswer } from "../render/render-answer.ts";
import type { PendingCommand } from "../store/approvals/commands.ts";
import { computeDigest } from "../store/digest.ts";
import { findFirstEvaluation, findLastApprovable } from "./build-evaluation.ts";
import { computeApprovableDigest, getOverrideGround, withVerdict } from "./consent-basis.ts";
import type { ConsentContext, Reply } from "./consent-ledger.ts";
import {
  listApproverGroups,
  listNeededGroups,
  listTeams,
  type PersonRights,
  readPersonRights,
  selectOwnGroups,
} from "./consent-rights.ts";
import type { CurrentHead } from "./run/deps.ts";

/** A comment or review that a person wrote, as GitHub shows it now, and what it is answered with. */
interface PersonCommand extends ConsentContext {
  readonly commandSource: PendingCommand;
  readonly text: PersonText;
  readonly person: Approver;
}

const NO_REPLY: Reply = { reaction: null, answer: null };
const reply = (reaction: Reaction | null, answer: CommandAnswer | null = null): Reply => ({
  reaction,
  answer,
});

/**
 * Answers a comment or a review. A comment that was deleted, minimised, or now has another author is not a
 * command. A revocation counts even in a minimised or edited comment: a CI job reads comments again each time,
 * and others may do both. A review that is answered later waits.
 */
export async function answerCommand(context: ConsentContext, commandSource: PendingCommand): Promise<void> {
  const { state, ledger } = context;
  const text = state.texts.get(commandSource.nodeId);
  const person = text?.author ?? null;
  const isTheirs = text !== undefined && person !== null && person.id === commandSource.authorId;
  const answer = isTheirs ? await handleText({ ...context, commandSource, text, person }) : NO_REPLY;
  if (answer !== "later") ledger.replies.push({ commandSource, ...answer });
}

function handleText(personCommand: PersonCommand): Reply | Promise<Reply | "later"> {
  const { commandSource, text, person } = personCommand;
  const isReview = commandSource.source === "review";
  const { approvalsInForce, overridesInForce } = personCommand.ledger;
  const hasConsent =
    approvalsInForce.some(({ approver }) => approver.id === person.id) ||
    overridesInForce.some((override) => override.person.id === person.id);
  if (!isReview && hasConsent && isRevocation(text, person.id)) return revoke(personCommand);
  if (text.isMinimised) return NO_REPLY;
  return isReview ? handleReview(personCommand) : handleComment(personCommand);
}

/** Whether a text revokes its author's approvals and overrides. */
export function isRevocation(
  { author, body }: Pick<PersonText, "author" | "body">,
  personId: number,
): boolean {
  if (author?.id !== personId) return false;
  const read = readCommand(body);
  return read.state === "command" && read.command.verb === "revoke";
}

/**
 * Commands of one person on one pull request that are answered within an hour, so that commenters on a public repository cannot
 * cause endless writes. An approval can always be revoked.
 */
const MAX_PER_HOUR = 20;

function handleComment(personCommand: PersonCommand): Reply | Promise<Reply> {
  const { commandSource, text } = personCommand;
  const read = readCommand(text.body);
  if (read.state === "none") return NO_REPLY;
  if (commandSource.earlier >= MAX_PER_HOUR)
    return reply(commandSource.earlier === MAX_PER_HOUR ? "confused" : null);
  if (text.isEdited) return reply("confused", { kind: "refused", why: { kind: "edited" } });
  if (read.state === "malformed") return reply("confused", { kind: "malformed", problem: read.problem });
  return handleCommand(personCommand, read.command);
}

function handleCommand(personCommand: PersonCommand, command: Command): Reply | Promise<Reply> {
  switch (command.verb) {
    case "help":
      return reply("eyes", { kind: "help" });
    case "explain":
      return reply("eyes", { kind: "explain", rule: command.rule });
    case "recheck":
      personCommand.ledger.recheck = true;
      return reply("eyes");
    case "revoke":
      return revoke(personCommand);
    case "override":
      return submitOverride(personCommand, command);
    case "approve":
      return handleApprove(personCommand, command);
  }
}

/** Everybody can revoke their own approvals and overrides, whatever their current permission. */
function revoke({ ledger, person }: PersonCommand): Reply {
  const own = ledger.approvalsInForce.filter(({ approver }) => approver.id === person.id);
  const ownOverrides = ledger.overridesInForce.filter((override) => override.person.id === person.id);
  if (own.length + ownOverrides.length === 0) return reply("confused", { kind: "nothing_to_revoke" });
  const why = { kind: "command" } as const;
  for (const approval of own) ledger.endApproval(approval, { how: "revoked", why });
  for (const override of ownOverrides) ledger.endOverride(override, why);
  return reply("+1");
}

function handleApprove(personCommand: PersonCommand, command: ApproveCommand): Reply | Promise<Reply> {
  const known = new Set(personCommand.findings?.rules.map(({ id }) => id));
  const { rules, reason } =
    command.rules === null
      ? splitReason(command.reason, (name) => known.has(name))
      : { rules: command.rules, reason: command.reason };
  if (reason === "") return reply("confused", { kind: "malformed", problem: { kind: "reason" } });
  const { sha, upTo, untilMs = null } = command;
  return submitApproval(personCommand, { sha, rules, upTo, untilMs, reason });
}

/**
 * An approving review approves the rules that accept reviews; for other rules it has no effect. It waits for a verdict. An approver whose
 * review does not count gets a reply with the reason if a rule blocks; other people's reviews are only code reviews.
 */
async function handleReview(personCommand: PersonCommand): Promise<Reply | "later"> {
  const { current, basis, findings, ledger, text } = personCommand;
  const rules = basis.policy.state === "found" ? basis.policy.policy.rules : [];
  const reviewable = rules.filter(({ approve }) => approve?.reviews === true);
  if (reviewable.length === 0 || !text.isApproving || text.isOverruled) return NO_REPLY;
  if (findings === null || getVerdict(basis.situation) === null)
    return (await isApprover(personCommand, listApproverGroups(reviewable))) ? "later" : NO_REPLY;
  const given = ledger.newApprovals.length;
  const answer = await submitReview(personCommand);
  const isAnswered =
    ledger.newApprovals.length === given &&
    !current.deps.isOneShot &&
    (await isApprover(
      personCommand,
      reviewable.flatMap(({ id }) => listNeededGroups(findings, id)),
    ));
  return isAnswered ? answer : NO_REPLY;
}

function submitReview(personCommand: PersonCommand): Reply | Promise<Reply> {
  const { isEdited, commitSha: sha, body } = personCommand.text;
  if (sha === null) return NO_REPLY;
  if (isEdited) return reply(null, { kind: "refused", why: { kind: "edited" }, review: true });
  if (namesEnd(body)) return reply(null, { kind: "malformed", problem: { kind: "until", found: "" } });
  const upTo = readReviewAmount(body);
  if (upTo !== null && "unclear" in upTo)
    return reply(null, { kind: "malformed", problem: { kind: "amount", found: upTo.unclear } });
  const reason = body.trim() === "" ? "an approving review" : body.trim();
  return submitApproval(personCommand, { sha, rules: [], upTo, untilMs: null, reason });
}

/** Reviews of one approver within an hour that wait or are answered; further ones still count. */
const MAX_WAITING = 5;

/** Whether the person belongs to one of these groups, and no more than a few of their reviews wait. */
async function isApprover(
  { current, person, commandSource }: PersonCommand,
  groups: readonly ApproverGroup[],
): Promise<boolean> {
  if (commandSource.earlier >= MAX_WAITING || groups.length === 0) return false;
  const rights = await readPersonRights(current, person, groups);
  return typeof rights !== "string" && groups.some((group) => rights(group) === "named");
}

/** Age in ms from which an approve or override command refers to an earlier state of the pull request. */
const LATE_MS = HOUR_MS;

/**
 * Returns why an approve or override command is too late; null: it is not. It may have waited because the pull request
 * was closed or deliveries were late. Deliveries also come in any order: a command that its author revoked
 * later has no effect.
 */
export function findLateRefusal(
  {
    commandSource,
    text,
    person,
  }: Pick<PersonCommand, "text" | "person"> & {
    readonly commandSource: Pick<PendingCommand, "source" | "sourceId">;
  },
  comments: readonly PersonComment[],
  nowMs: number,
): "late" | "taken_back" | null {
  const { createdMs } = text;
  if (createdMs !== null && nowMs - createdMs > LATE_MS) return "late";
  // Ids order comments; a comment and a review can only be ordered by GitHub's whole seconds.
  const isLater = (one: PersonComment): boolean =>
    commandSource.source === "comment"
      ? one.id > commandSource.sourceId
      : one.createdMs !== null && one.createdMs >= (createdMs ?? 0);
  return comments.some((one) => isRevocation(one, person.id) && isLater(one)) ? "taken_back" : null;
}

/** Longest reason, in characters; longer ones are cut. */
const MAX_REASON = 500;
const storeReason = (reason: string): string => toStorableText(shorten(reason, MAX_REASON));

/** Accepts an override, or refuses it with the reason. */
async function submitOverride(
  personCommand: PersonCommand,
  { sha, reason }: OverrideCommand,
): Promise<Reply> {
  const { current, ledger, commandSource, text, person } = personCommand;
  const request: OverrideSubmission = {
    id: `comment:${commandSource.sourceId}`,
    person,
    sha,
    reason: storeReason(reason),
    createdMs: text.createdMs,
    givenMs: current.deps.clock.now(),
  };
  const outcome = await decideOverride(personCommand, request);
  if (outcome.state === "refused") {
    const { why } = outcome;
    ledger.refuseOverride(request, why);
    return reply("-1", { kind: "override_refused", why });
  }
  const bodyDigest = computeDigest(text.body);
  ledger.addOverride({ override: outcome.override, nodeId: commandSource.nodeId, bodyDigest });
  return reply("+1");
}

async function decideOverride(
  personCommand: PersonCommand,
  request: OverrideSubmission,
): Promise<OverrideOutcome> {
  const { current, basis, state } = personCommand;
  const refuse = (why: OverrideRefusal) => ({ state: "refused", why }) as const;
  if (current.deps.isOneShot) return refuse({ kind: "ci_job" });
  const late = findLateRefusal(personCommand, state.comments, request.givenMs);
  if (late !== null) return refuse({ kind: late });
  const spec = getOverrideSpec(basis.policy);
  const rights = spec && (await readPersonRights(current, request.person, [spec]));
  if (typeof rights === "string") return refuse({ kind: "no_permission" });
  const named = spec && rights ? rights(spec) : "not_named";
  if (named === "unclear") return refuse({ kind: "membership_unknown" });
  const outcome = giveOverride(request, {
    ...getOverrideGround(current, basis),
    contributors: state.contributors,
    evaluatedMs: findFirstEvaluation(current, basis.policy)?.atMs ?? null,
    hold: findHold(personCommand),
    isNamed: named === "named",
  });
  if (outcome.state === "given" || outcome.why.kind !== "not_named") return outcome;
  const team = await findMissingTeam(current.client, {
    owner: current.head.repository.owner,
    teams: spec?.teams ?? [],
  });
  return team === null ? outcome : refuse({ kind: "team_missing", team });
}

/** Whether the check would be held back without this override. One override in force is enough. */
function findHold({ basis, findings, objections, ledger }: ConsentContext): CheckHold {
  if (ledger.overridesInForce.length > 0) return "not_held";
  if (findings === null || getVerdict(basis.situation) === null)
    return determineHold(basis.situation, NO_APPROVALS);
  const approved = applyApprovals(ledger.approvalsInForce, findings);
  const { verdict, approvals } = applyObjections(approved, objections);
  return determineHold(withVerdict(basis.situation, verdict), approvals);
}

/** Accepts an approval, or refuses it with the reason. A new one replaces those of its approver for one of its rules: not both amounts count. */
async function submitApproval(
  personCommand: PersonCommand,
  intent: Pick<ApprovalSubmission, "sha" | "rules" | "upTo" | "untilMs" | "reason">,
): Promise<Reply> {
  const { current, ledger, commandSource, text, person } = personCommand;
  const { source, sourceId, nodeId } = commandSource;
  const { isOneShot, clock } = current.deps;
  const request: ApprovalSubmission = {
    ...intent,
    reason: storeReason(intent.reason),
    id: `${source}:${sourceId}`,
    source,
    approver: person,
    createdMs: text.createdMs,
    // A CI job reads all commands of a pull request again: they have not waited, and their order is known.
    approvedMs: (isOneShot ? text.createdMs : null) ?? clock.now(),
  };
  const outcome = await decideApproval(personCommand, request);
  const isComment = source === "comment";
  if (outcome.state === "refused") {
    const { why } = outcome;
    ledger.refuseApproval(request, why);
    return reply(isComment ? "-1" : null, { kind: "refused", why, ...(!isComment && { review: true }) });
  }
  const { approval } = outcome;
  const rules = new Set(approval.covered.map(({ rule }) => rule));
  const isReplaced = (old: Approval): boolean =>
    old.approver.id === person.id && old.covered.some(({ rule }) => rules.has(rule));
  for (const old of ledger.approvalsInForce.filter(isReplaced))
    ledger.endApproval(old, { how: "revoked", why: { kind: "replaced" } });
  ledger.addApproval({ approval, nodeId, bodyDigest: computeDigest(text.body) });
  return reply(isComment ? "+1" : null);
}

async function decideApproval(
  personCommand: PersonCommand,
  request: ApprovalSubmission,
): Promise<ApprovalOutcome> {
  const { current, basis, findings, state } = personCommand;
  const refuse = (why: ApprovalRefusal) => ({ state: "refused", why }) as const;
  const late = current.deps.isOneShot
    ? null
    : findLateRefusal(personCommand, state.comments, request.approvedMs);
  if (late !== null) return refuse({ kind: late });
  if (findings === null || getVerdict(basis.situation) === null) return refuse({ kind: "not_evaluated" });
  const groups = listNeededGroups(findings);
  const rights = await readPersonRights(current, request.approver, groups);
  if (typeof rights === "string") return refuse({ kind: "no_permission" });
  const last = findLastApprovable(current, basis.checkName);
  const isKnown = last.approvableDigest === computeApprovableDigest(current, findings);
  const outcome = giveApproval(request, {
    ...findings,
    headSha: current.head.pull.headSha,
    evaluatedMs: (isKnown ? last.evaluatedMs : null) ?? null, // nobody has seen findings that are new in this evaluation
    getGroups: (rule) => selectOwnGroups(rights, rule),
  });
  if (outcome.state === "approved" || outcome.why.kind !== "not_an_approver") return outcome;
  return refuse(await explainNoApprover(current, findings, { rule: outcome.why.rule, rights }));
}

/** Says of somebody who may not approve a rule whether GitHub did not state who may, or has no such team. */
async function explainNoApprover(
  { client, head }: CurrentHead,
  findings: RuleFindings,
  { rule, rights }: { readonly rule: string; readonly rights: PersonRights },
): Promise<ApprovalRefusal> {
  const groups = listNeededGroups(findings, rule);
  if (groups.some((group) => rights(group) === "unclear")) return { kind: "groups_unknown", rule };
  const team = await findMissingTeam(client, { owner: head.repository.owner, teams: listTeams(groups) });
  return team === null ? { kind: "not_an_approver", rule } : { kind: "team_missing", rule, team };
}
