import type { HeadState } from "../../github/head/head-state.ts";
import type { PersonComment, PersonText } from "../../github/people/permissions.ts";
import { type People, type PeopleRequest, readPeople } from "../../github/people/read-people.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { PullKey } from "../../kernel/ids.ts";
import { findOverrideEnd, getOverrideSpec } from "../../policy/approvals/give-override.ts";
import type { Approval, Lapse, Override, OverrideEnd } from "../../policy/model/approval.ts";
import {
  listApprovalsInForce,
  listLapsedApprovals,
  type StoredApproval,
} from "../../store/approvals/approvals.ts";
import {
  findUnreadComments,
  listPendingCommands,
  listPushes,
  type PendingCommand,
  recordCommand,
} from "../../store/approvals/commands.ts";
import { listOverridesInForce, type StoredOverride } from "../../store/approvals/overrides.ts";
import { findPull } from "../../store/pulls.ts";
import { computeDigest } from "../publish/comment-content.ts";
import type { CurrentHead, PullRun } from "../run/deps.ts";
import type { ApprovalBasis } from "./approval-basis.ts";
import { isRevocation, readStanding } from "./group-membership.ts";
import type { CommandOutcome } from "./outcome.ts";
import { buildOverrideEnding } from "./outcome.ts";

/** The approvals and commands of a pull request before a decision. */
export interface ApprovalState {
  /** The approvals in force so far; each is compared with its comment or review on GitHub. */
  readonly stored: readonly StoredApproval[];
  /** The overrides in force so far; each is compared with its comment on GitHub. */
  readonly storedOverrides: readonly StoredOverride[];
  readonly commands: readonly PendingCommand[];
  /** Whether more commands wait than one evaluation reads. */
  readonly hasMore: boolean;
  readonly lapsed: readonly { readonly approval: Approval; readonly why: Lapse }[];
  /** Comments and reviews by global id, as they are on GitHub now. */
  readonly texts: People["texts"];
  /** The newest comments, oldest first. */
  readonly comments: People["comments"];
  /** See `ApprovalGround.contributors`. */
  readonly contributors: ReadonlySet<number> | null;
}

/** Most approvals that one evaluation checks: no pull request has this many. With the commands and overrides they fit one request. */
const MAX_APPROVALS = 55;
/** Most overrides that one evaluation checks: while one is in force, no other is given. */
const MAX_OVERRIDES = 5;

/**
 * Reads the approvals and waiting commands and, only if there are any, who worked on the pull request and the current text of the
 * comments. Where contributors were unknown before, they are read again: nobody is asked for an approval that cannot be given.
 */
export async function readApprovalState({ run, head, before }: CurrentHead): Promise<ApprovalState> {
  const { deps, key } = run;
  const [all, overrides, pending, lapsed, pushes] = await Promise.all([
    listApprovalsInForce(deps.db, key),
    listOverridesInForce(deps.db, key),
    listPendingCommands(deps.db, key),
    listLapsedApprovals(deps.db, key),
    listPushes(deps.db, key),
  ]);
  const stored = all.slice(0, MAX_APPROVALS);
  const storedOverrides = overrides.slice(0, MAX_OVERRIDES);
  const { commands, hasMore } = pending;
  const { commitsComplete } = head.pull;
  const wereUnknown = before?.evaluation.approvals.offer?.why === "contributors_unknown";
  if (stored.length + storedOverrides.length + commands.length === 0 && !(wereUnknown && commitsComplete))
    return {
      stored,
      storedOverrides,
      commands,
      hasMore,
      lapsed,
      texts: new Map(),
      comments: [],
      contributors: commitsComplete ? new Set() : null,
    };
  const acts = [...stored, ...storedOverrides, ...commands];
  const own = { number: key.number, headSha: head.pull.headSha };
  const nodeIds = acts.map(({ nodeId }) => nodeId);
  const people = await readPeopleNow(run, head, { ...own, nodeIds, pushes });
  const missed = await recoverRevocations(run, { acts: listActs(stored, storedOverrides), ...people });
  const texts = new Map([...people.texts, ...missed.texts]);
  const below = await readPeopleBelow(run, head);
  const known = [people.contributors, ...below, toSet(head.pull.author?.id)];
  return {
    stored,
    storedOverrides,
    commands: sortCommands([...commands, ...missed.commands], texts),
    comments: people.comments,
    hasMore,
    lapsed,
    texts,
    contributors: known.includes(null) ? null : new Set(known.flatMap((ids) => [...(ids ?? [])])),
  };
}

const toSet = (id: number | null | undefined): ReadonlySet<number> =>
  new Set(id === null || id === undefined ? [] : [id]);

/** Those who worked on the pull requests below it in its stack, which are merged with it; null: unknown. */
async function readPeopleBelow(run: PullRun, head: HeadState): Promise<(ReadonlySet<number> | null)[]> {
  const { db } = run.deps;
  const everyone: (ReadonlySet<number> | null)[] = [];
  for (const { number, headSha } of head.pull.stack?.below ?? []) {
    const key = { repositoryId: run.key.repositoryId, number };
    const about = { number, headSha, nodeIds: [], pushes: await listPushes(db, key) };
    const { contributors } = await readPeopleNow(run, head, about);
    everyone.push(contributors, toSet((await findPull(db, key))?.author_id));
  }
  return everyone;
}

/** The people whose approvals and overrides are in force, and where they wrote them. */
const listActs = (approvals: readonly StoredApproval[], overrides: readonly StoredOverride[]) => [
  ...approvals.map(({ nodeId, approval }) => ({ nodeId, personId: approval.approver.id })),
  ...overrides.map(({ nodeId, override }) => ({ nodeId, personId: override.person.id })),
];

/** Sorts commands by the time at which they were written, because deliveries arrive in any order. */
const sortCommands = (
  commands: readonly PendingCommand[],
  texts: People["texts"],
): readonly PendingCommand[] =>
  commands.toSorted((a, b) => {
    const [first, second] = [a, b].map(({ nodeId }) => texts.get(nodeId)?.createdMs ?? 0);
    return (first ?? 0) - (second ?? 0) || (a.source === b.source ? a.sourceId - b.sourceId : 0);
  });

async function readPeopleNow(
  run: PullRun,
  head: HeadState,
  about: Omit<PeopleRequest, "owner" | "name" | "repositoryId">,
): Promise<People> {
  const { owner, name } = head.repository;
  const people = await readPeople(run.client, {
    owner,
    name,
    repositoryId: run.key.repositoryId,
    ...about,
  });
  if (people.ok) return people.value;
  const { kind, message } = people.failure;
  throw new TollgateError("github_failed", `GitHub could not be asked about approvers: ${kind}, ${message}`, {
    retryable: true,
  });
}

interface Conversation {
  /** The approvals and overrides in force: whose they are, and in which comment or review. */
  readonly acts: readonly { readonly personId: number; readonly nodeId: string }[];
  readonly texts: ReadonlyMap<string, PersonText>;
  readonly comments: readonly PersonComment[];
}

/**
 * Finds revocations in comments whose delivery was lost, and stores them as commands. Other lost commands are not recovered: their
 * authors see that nothing happens, whereas a missed revocation would leave the merge gate open.
 */
async function recoverRevocations(
  { deps, key }: Pick<PullRun, "deps" | "key">,
  conversation: Conversation,
): Promise<{
  readonly commands: readonly PendingCommand[];
  readonly texts: readonly (readonly [string, PersonText])[];
}> {
  const found = findRevocationComments(conversation);
  const unread = await findUnreadComments(
    deps.db,
    key,
    found.map(({ id }) => id),
  );
  const missed = found.filter(({ id }) => unread.has(id));
  const commands = missed.flatMap((comment) => toCommandSource(comment, key));
  for (const one of commands) await recordCommand(deps.db, one, new Date(deps.clock.now()));
  return { commands, texts: missed.map((comment) => [comment.nodeId, comment]) };
}

/** Returns the comments in which a person revokes an approval or override in force. */
const findRevocationComments = ({ acts, texts, comments }: Conversation): readonly PersonComment[] =>
  comments.filter((one) => {
    const { author, createdMs } = one;
    const own = acts.filter(({ personId }) => personId === author?.id);
    if (createdMs === null || !own.some(({ personId }) => isRevocation(one, personId))) return false;
    return own.some(({ nodeId }) => createdMs >= (texts.get(nodeId)?.createdMs ?? 0));
  });

const toCommandSource = (
  { id: sourceId, nodeId, author }: PersonComment,
  { repositoryId, number }: PullKey,
): readonly PendingCommand[] =>
  author === null
    ? []
    : [{ repositoryId, number, source: "comment", sourceId, nodeId, authorId: author.id, earlier: 0 }];

/** How an approval was revoked, by its approver or by somebody else who could. */
type Revocation = {
  readonly kind:
    | "deleted"
    | "edited"
    | "hidden"
    | "dismissed"
    /** The approver requested changes in a later review. */
    | "overruled"
    | "command"
    | "replaced";
};

/** Returns why the comment or review of an approval no longer supports it; null: it does. */
export function findRevocation(
  { approval, bodyDigest }: StoredApproval,
  text: PersonText | undefined,
): Revocation | null {
  const end = findTextEnd({ authorId: approval.approver.id, bodyDigest }, text);
  if (end !== null) return end;
  if (text?.kind !== "review") return null;
  if (!text.isApproving) return { kind: "dismissed" };
  return text.isOverruled ? { kind: "overruled" } : null;
}

/** Returns what happened to a comment or review since it was acted on; null: it still says the same. */
export function findTextEnd(
  acted: { readonly authorId: number; readonly bodyDigest: string },
  text: PersonText | undefined,
): { readonly kind: "deleted" | "edited" | "hidden" } | null {
  if (text === undefined) return { kind: "deleted" };
  if (text.isEdited || computeDigest(text.body) !== acted.bodyDigest || text.author?.id !== acted.authorId)
    return { kind: "edited" };
  return text.isMinimised ? { kind: "hidden" } : null;
}

interface RecheckedOverrides {
  readonly inForce: readonly Override[];
  readonly outcomes: readonly CommandOutcome[];
}

/**
 * Compares each override with what is there now: its comment, the head, base branch and policy, and whether its person is still named
 * and authorized. Only a definite "no" of GitHub about a person ends an override.
 *
 * @throws TollgateError `github_failed`, retryable, while GitHub asks us to wait
 */
export async function recheckOverrides(
  run: PullRun,
  basis: ApprovalBasis,
  { storedOverrides, texts, contributors }: ApprovalState,
): Promise<RecheckedOverrides> {
  const inForce: Override[] = [];
  const outcomes: CommandOutcome[] = [];
  for (const stored of storedOverrides) {
    const { override } = stored;
    const text = texts.get(stored.nodeId);
    const why =
      findOverrideTextEnd(stored, text) ??
      findOverrideEnd(override, { ...buildOverridePlace(basis), contributors }) ??
      ((await isAuthorized(run, basis, text?.author ?? override.person)) ? null : UNAUTHORIZED);
    if (why === null) inForce.push(override);
    else outcomes.push(buildOverrideEnding(run.deps.operator, basis, { override, why }));
  }
  return { inForce, outcomes };
}

const UNAUTHORIZED: OverrideEnd = { kind: "unauthorized" };

/** The head, base branch and policy that an override counts for. */
export const buildOverridePlace = ({ head: { pull }, policy }: ApprovalBasis) => ({
  headSha: pull.headSha,
  baseRef: pull.baseRef,
  policy,
});

const findOverrideTextEnd = (
  { override, bodyDigest }: StoredOverride,
  text: PersonText | undefined,
): OverrideEnd | null => findTextEnd({ authorId: override.person.id, bodyDigest }, text);

/** `person`: with the current login, because accounts are renamed. */
async function isAuthorized(
  run: PullRun,
  { head, policy }: ApprovalBasis,
  person: Override["person"],
): Promise<boolean> {
  const spec = getOverrideSpec(policy);
  if (spec === null) return false;
  const standing = await readStanding(run, { head, person, teams: spec.teams });
  if (standing.state !== "known") return standing.state === "unknown";
  return standing.isMember(spec) || standing.isUnknown(spec);
}
