import type { PersonComment, PersonText } from "../github/people/person-text.ts";
import { type People, type PeopleRequest, readPeople } from "../github/people/read-people.ts";
import { applyApprovals } from "../policy/approvals/apply-approvals.ts";
import { applyObjections } from "../policy/approvals/apply-objections.ts";
import { findOverrideEnd, getOverrideSpec } from "../policy/approvals/give-override.ts";
import { findLapse } from "../policy/approvals/lapse.ts";
import { determineHold } from "../policy/decide-check.ts";
import {
  type Approval,
  type Approvals,
  type Approver,
  Lapse,
  NO_APPROVALS,
  type OverrideEnd,
} from "../policy/model/approval.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { getVerdict } from "../policy/model/situation.ts";
import {
  listApprovalsInForce,
  listLapsedApprovals,
  type StoredApproval,
} from "../store/approvals/approvals.ts";
import {
  findUnreadComments,
  listPendingCommands,
  listPushes,
  type PendingCommand,
  recordCommand,
} from "../store/approvals/commands.ts";
import { listOverridesInForce } from "../store/approvals/overrides.ts";
import { computeDigest } from "../store/digest.ts";
import { findPull } from "../store/pulls.ts";
import { answerCommand, isRevocation } from "./commands.ts";
import {
  type ApprovedSituation,
  type ConsentBasis,
  type ConsentState,
  computeApprovableDigest,
  evaluateFindings,
  getOverrideGround,
  withVerdict,
} from "./consent-basis.ts";
import { type ConsentContext, ConsentLedger } from "./consent-ledger.ts";
import { listApproverGroups, readPersonRights, selectBlockingRules } from "./consent-rights.ts";
import { findObjections, readPullObjectors } from "./objections.ts";
import type { CurrentHead } from "./run/deps.ts";

/** Most approvals that one evaluation checks: no pull request has this many. With the commands and overrides they fit one request. */
const MAX_APPROVALS = 55;
/** Most overrides that one evaluation checks: while one is in force, no other is given. */
const MAX_OVERRIDES = 5;

/**
 * Reads the approvals, overrides and waiting commands and, only if there are any, who worked on the pull request and the current text of
 * the comments. Where contributors were unknown before, they are read again: nobody is asked for an approval that cannot be given.
 */
export async function readConsents(current: CurrentHead, policy: LoadedPolicy): Promise<ConsentState> {
  const { deps, key, head, before } = current;
  const [allApprovals, allOverrides, { commands, hasMore }, lapsed, pushes, objectors] = await Promise.all([
    listApprovalsInForce(deps.db, key),
    listOverridesInForce(deps.db, key),
    listPendingCommands(deps.db, key),
    listLapsedApprovals(deps.db, key),
    listPushes(deps.db, key),
    readPullObjectors(current, policy),
  ]);
  const approvals = allApprovals.slice(0, MAX_APPROVALS);
  const overrides = allOverrides.slice(0, MAX_OVERRIDES);
  const stored = { approvals, overrides, hasMore, lapsed, objectors };
  const { commitsComplete } = head.pull;
  const wereUnknown = before?.evaluation.approvals.offer?.why === "contributors_unknown";
  if (approvals.length + overrides.length + commands.length === 0 && !(wereUnknown && commitsComplete)) {
    const contributors = commitsComplete ? new Set<number>() : null;
    return { ...stored, commands, texts: new Map(), comments: [], contributors };
  }
  const nodeIds = [...approvals, ...overrides, ...commands].map(({ nodeId }) => nodeId);
  const { number } = key;
  const people = await readPeopleNow(current, { number, headSha: head.pull.headSha, nodeIds, pushes });
  const missed = await recoverRevocations(current, { approvals, overrides, ...people });
  const texts = new Map([...people.texts, ...missed.map((comment) => [comment.nodeId, comment] as const)]);
  const found = missed.map((comment) => toCommand(current, comment));
  const known = [people.contributors, ...(await readPeopleBelow(current)), toSet(head.pull.author?.id)];
  return {
    ...stored,
    commands: sortCommands([...commands, ...found], texts),
    comments: people.comments,
    texts,
    contributors: known.includes(null) ? null : new Set(known.flatMap((ids) => [...(ids ?? [])])),
  };
}

const toSet = (id: number | null | undefined): ReadonlySet<number> =>
  new Set(id === null || id === undefined ? [] : [id]);

function readPeopleNow(
  { client, key, head }: CurrentHead,
  about: Omit<PeopleRequest, "owner" | "name" | "repositoryId">,
): Promise<People> {
  const { owner, name } = head.repository;
  return readPeople(client, { owner, name, repositoryId: key.repositoryId, ...about });
}

/** Those who worked on the pull requests below it in its stack, which are merged with it; null: unknown. */
async function readPeopleBelow(current: CurrentHead): Promise<(ReadonlySet<number> | null)[]> {
  const { deps, key, head } = current;
  const everyone: (ReadonlySet<number> | null)[] = [];
  for (const { number, headSha } of head.pull.stack?.below ?? []) {
    const lower = { repositoryId: key.repositoryId, number };
    const about = { number, headSha, nodeIds: [], pushes: await listPushes(deps.db, lower) };
    const { contributors } = await readPeopleNow(current, about);
    everyone.push(contributors, toSet((await findPull(deps.db, lower))?.author_id));
  }
  return everyone;
}

/** Sorts commands by the time at which they were written, because deliveries arrive in any order. */
const sortCommands = (
  commands: readonly PendingCommand[],
  texts: People["texts"],
): readonly PendingCommand[] =>
  commands.toSorted((a, b) => {
    const [first, second] = [a, b].map(({ nodeId }) => texts.get(nodeId)?.createdMs ?? 0);
    return (first ?? 0) - (second ?? 0) || (a.source === b.source ? a.sourceId - b.sourceId : 0);
  });

type Conversation = Pick<ConsentState, "approvals" | "overrides" | "texts" | "comments">;
type AuthoredComment = PersonComment & { readonly author: NonNullable<PersonComment["author"]> };

/**
 * Finds comments whose delivery was lost and in which a person revokes an approval or override in force, and stores them as commands.
 * Other lost commands are not recovered: their authors see that nothing happens, whereas a missed revocation would leave the gate open.
 */
async function recoverRevocations(
  current: CurrentHead,
  { approvals, overrides, texts, comments }: Conversation,
): Promise<readonly AuthoredComment[]> {
  const { deps, key } = current;
  const given = [
    ...approvals.map(({ nodeId, approval }) => ({ nodeId, personId: approval.approver.id })),
    ...overrides.map(({ nodeId, override }) => ({ nodeId, personId: override.person.id })),
  ];
  const found = comments.filter((one): one is AuthoredComment => {
    const { author, createdMs } = one;
    if (author === null || createdMs === null || !isRevocation(one, author.id)) return false;
    const own = given.filter(({ personId }) => personId === author.id);
    return own.some(({ nodeId }) => createdMs >= (texts.get(nodeId)?.createdMs ?? 0));
  });
  const ids = found.map(({ id }) => id);
  const unread = await findUnreadComments(deps.db, key, ids);
  const missed = found.filter(({ id }) => unread.has(id));
  for (const one of missed) await recordCommand(deps.db, toCommand(current, one), new Date(deps.clock.now()));
  return missed;
}

const toCommand = ({ key }: CurrentHead, { id, nodeId, author }: AuthoredComment): PendingCommand => ({
  ...key,
  source: "comment",
  sourceId: id,
  nodeId,
  authorId: author.id,
  earlier: 0,
});

/** The outcome of approvals, overrides and commands. */
export interface ConsentResult extends ApprovedSituation {
  readonly consents: ConsentLedger;
}

/** Checks every approval and override and answers every waiting command, in their order. Writes nothing. */
export async function decideConsents(
  current: CurrentHead,
  basis: ConsentBasis,
  state: ConsentState,
): Promise<ConsentResult> {
  const findings = await evaluateFindings(current, basis, state.contributors);
  const ledger = new ConsentLedger(current, basis, state);
  const objections = findings === null ? new Map() : await findObjections(current, findings, state.objectors);
  const context: ConsentContext = { current, basis, findings, state, objections, ledger };
  const revoked = endRevokedApprovals(context);
  const unauthorized = await endUnauthorized(context);
  await endOverrides(context);
  for (const command of state.commands) await answerCommand(context, command);
  const { situation, approvals, lapsed } = applyInForce(context, [
    ...unauthorized,
    ...revoked,
    ...state.lapsed,
  ]);
  for (const { approval, why } of lapsed) ledger.endApproval(approval, { how: "lapsed", why });
  const isHeldBack = determineHold(situation, approvals) === "held";
  return {
    situation,
    approvals,
    approvableDigest:
      findings === null || getVerdict(basis.situation) === null
        ? null
        : computeApprovableDigest(current, findings),
    override: isHeldBack ? (ledger.overridesInForce.at(-1) ?? null) : null,
    consents: ledger,
  };
}

/** Ends the approvals whose comment or review no longer supports them. Returns those that are shown. */
function endRevokedApprovals({ ledger, state }: ConsentContext): Approvals["lapsed"] {
  return state.approvals.flatMap((stored) => {
    const why = findRevocation(stored, state.texts.get(stored.nodeId));
    if (why === null) return [];
    ledger.endApproval(stored.approval, { how: "revoked", why });
    const shown = Lapse.safeParse(why);
    return shown.success ? [{ approval: stored.approval, why: shown.data }] : [];
  });
}

/** `overruled`: the approver requested changes in a later review. */
type Revocation = TextEnd | { readonly kind: "dismissed" | "overruled" };

/** Returns why the comment or review of an approval no longer supports it; null: it does. */
function findRevocation(
  { approval, bodyDigest }: StoredApproval,
  text: PersonText | undefined,
): Revocation | null {
  const end = findTextEnd({ authorId: approval.approver.id, bodyDigest }, text);
  if (end !== null) return end;
  if (text?.kind !== "review") return null;
  if (!text.isApproving) return { kind: "dismissed" };
  return text.isOverruled ? { kind: "overruled" } : null;
}

interface TextEnd {
  readonly kind: "deleted" | "edited" | "hidden";
}

/** Returns what happened to a comment or review since it was acted on; null: it still says the same. */
function findTextEnd(
  acted: { readonly authorId: number; readonly bodyDigest: string },
  text: PersonText | undefined,
): TextEnd | null {
  if (text === undefined) return { kind: "deleted" };
  if (text.isEdited || computeDigest(text.body) !== acted.bodyDigest || text.author?.id !== acted.authorId)
    return { kind: "edited" };
  return text.isMinimised ? { kind: "hidden" } : null;
}

/**
 * Ends the overrides that no longer count for what is there now: the comment, the head, base branch and policy, and whether the person is
 * still named and authorized. Only a definite "no" of GitHub about a person ends an override.
 *
 * @throws GitHubError while GitHub asks us to wait
 */
async function endOverrides(context: ConsentContext): Promise<void> {
  const { current, basis, state, ledger } = context;
  const ground = { ...getOverrideGround(current, basis), contributors: state.contributors };
  for (const { override, bodyDigest, nodeId } of state.overrides) {
    const text = state.texts.get(nodeId);
    const person = text?.author ?? override.person; // with the current login, because accounts are renamed
    const why: OverrideEnd | null =
      findTextEnd({ authorId: override.person.id, bodyDigest }, text) ??
      findOverrideEnd(override, ground) ??
      ((await mayOverride(context, person)) ? null : { kind: "unauthorized" });
    if (why !== null) ledger.endOverride(override, why);
  }
}

async function mayOverride({ current, basis }: ConsentContext, person: Approver): Promise<boolean> {
  const spec = getOverrideSpec(basis.policy);
  if (spec === null) return false;
  const rights = await readPersonRights(current, person, [spec]);
  return typeof rights === "string" ? rights === "unknown" : rights(spec) !== "not_named";
}

/**
 * Ends the approvals whose approver is no longer authorized: without write access, or no longer in a group that the approval needs.
 * GitHub is asked only about approvals that a passing rule needs now. Only a definite "no" ends an approval; an unknown answer ends none.
 *
 * @throws GitHubError while GitHub asks us to wait
 */
async function endUnauthorized(context: ConsentContext): Promise<Approvals["lapsed"]> {
  const { current, findings, ledger } = context;
  const { approvals, texts } = context.state;
  if (findings === null) return [];
  const blocking = selectBlockingRules(findings);
  const isUnauthorized = async (approval: Approval): Promise<boolean> => {
    const rules = blocking.filter(({ id }) => approval.covered.some(({ rule }) => rule === id));
    if (rules.length === 0 || findLapse(approval, findings) !== null) return false;
    const nodeId = approvals.find((stored) => stored.approval.id === approval.id)?.nodeId ?? "";
    const approver = texts.get(nodeId)?.author ?? approval.approver; // accounts are renamed
    const rights = await readPersonRights(current, approver, listApproverGroups(rules));
    if (typeof rights === "string") return rights === "denied";
    return rules.some(({ id, approve }) => {
      const groups = approve?.groups ?? [];
      const covered = approval.covered.find(({ rule }) => rule === id)?.groups ?? [];
      const isOut = covered.some((index) => groups[index] === undefined || rights(groups[index]) !== "named");
      return isOut && !groups.some((group) => rights(group) === "unclear");
    });
  };
  const checked = ledger.approvalsInForce.map(async (approval) =>
    (await isUnauthorized(approval)) ? [approval] : [],
  );
  const why = { kind: "approver_unauthorized" } as const;
  const out = (await Promise.all(checked)).flat();
  for (const approval of out) ledger.endApproval(approval, { how: "lapsed", why });
  return out.map((approval) => ({ approval, why }));
}

interface AppliedApprovals extends Pick<ApprovedSituation, "situation" | "approvals"> {
  /** Those that the current findings end. */
  readonly lapsed: Approvals["lapsed"];
}

/** Applies the approvals in force. Without a verdict nothing can be approved; without findings no approval ends. */
function applyInForce(
  { basis, findings, objections, ledger }: ConsentContext,
  ended: Approvals["lapsed"],
): AppliedApprovals {
  const { situation } = basis;
  if (findings === null) return { situation, approvals: NO_APPROVALS, lapsed: [] };
  const approved = applyApprovals(ledger.approvalsInForce, findings);
  const { verdict, approvals } = applyObjections(approved, objections);
  const { offer, ...applied } = approvals;
  const lapsed = [...applied.lapsed, ...ended].filter(({ approval }) => isWorthShowing(approval, approvals));
  const isOffered = getVerdict(situation) !== null && offer !== undefined;
  return {
    situation: getVerdict(situation) === null ? situation : withVerdict(situation, verdict),
    approvals: { ...applied, lapsed, ...(isOffered && { offer }) },
    lapsed: applied.lapsed,
  };
}

/**
 * Whether a lapsed approval is shown: its rules still need an approval, and its approver has not approved
 * again.
 */
const isWorthShowing = ({ approver, covered }: Approval, { live, missing }: Approvals): boolean =>
  !live.some((other) => other.approver.id === approver.id) &&
  covered.some(({ rule }) => missing.some((own) => own.rule === rule));
