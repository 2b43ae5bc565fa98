import type { Bot } from "./bot.ts";
import { allowed, OWNED_ALLOWED, signersNeeded, TEAM_ALLOWED } from "./expected-evaluation.ts";
import {
  CODE_OWNERS,
  type Comment,
  type Moment,
  PAYERS,
  type Payer,
  sharesOf,
  type Team,
  type World,
} from "./world.ts";

/**
 * Whether the merge may be allowed, worked out from what happened in whole dollars and sets, and from nothing that the
 * App's own code says: the rules are met, or people who may sign have signed for exactly this and nothing has outgrown it, or
 * somebody who may has overridden the check of exactly this.
 */
export function mayMerge(world: World, bot: Bot): boolean {
  return maySignedMerge(world, bot) || isOverriddenNow(world, bot);
}

function maySignedMerge(world: World, bot: Bot): boolean {
  const { now } = world;
  if (isUnknown(now)) return false;
  const broken = brokenBy(now);
  if (broken.has("drift") || isObjectedTo(now)) return false;
  const signatures = [...world.comments.values()].flatMap(
    (comment) => signatureOf(comment, world, bot) ?? [],
  );
  const approvers = (rule: string, team: "finops" | "security") =>
    new Set(signatures.filter((one) => one.teams.has(team) && one.rules.has(rule)).map(({ by }) => by)).size;
  const overdrawn = overdrawnBy(now);
  const isSignedFor = (payer: Payer): boolean =>
    signatures.some(({ rules, teams }) => rules.has("team") && teams.has(PAYERS[payer]));
  if (![...overdrawn.keys()].every(isSignedFor)) return false;
  const owners = ownersAt(now);
  const isOwned = owners?.every((team) => approvers("owned", team) > 0) === true;
  if (broken.has("owned") && !isOwned) return false;
  if (broken.has("dear") && approvers("dear", "security") < 1) return false;
  if (broken.has("increase") && approvers("increase", "finops") < signersNeeded(now.base)) return false;
  return (
    !broken.has("deletions") ||
    (approvers("deletions", "finops") > 0 && approvers("deletions", "security") > 0)
  );
}

/** The rule about deletions hears both teams, whether it is broken or not. */
const isObjectedTo = ({ objectors, teams }: Moment): boolean =>
  [...objectors].some((id) => teams.finops.has(id) || teams.security.has(id));

/** A cost that nobody could tell, or in a currency that the rule does not speak, is judged by no rule. */
const isUnknown = ({ facts }: Moment): boolean => facts.increase === null || facts.currency !== "USD";

function brokenBy({ facts, base, policy }: Moment): ReadonlySet<string> {
  const broken = new Set<string>();
  if ((facts.increase ?? 0) > allowed(base, policy)) broken.add("increase");
  if (facts.deleted.length > 0) broken.add("deletions");
  if (facts.drifted > 0) broken.add("drift");
  if (overdrawnBy({ facts }).size > 0) broken.add("team");
  if ((facts.increase ?? 0) > OWNED_ALLOWED) broken.add("owned");
  // Each further workspace costs ten dollars, and the condition is about all that is paid.
  if ((facts.increase ?? 0) + 10 * (facts.workspaces.length - 1) > 180) broken.add("dear");
  return broken;
}

/** The teams that each have to sign for the changed files; null: nobody can. */
const ownersAt = ({ owners }: Moment): readonly Team[] | null => CODE_OWNERS[owners].teams;

/** The values of the tag that cost more than each may, with their dollars. */
const overdrawnBy = ({ facts }: Pick<Moment, "facts">): ReadonlyMap<Payer, number> =>
  new Map(sharesOf(facts).filter(([, share]) => share > TEAM_ALLOWED));

/** Those of them for which these teams sign. */
const overdrawnOf = (moment: Moment, teams: ReadonlySet<Team>): readonly (readonly [Payer, number])[] =>
  [...overdrawnBy(moment)].filter(([payer]) => teams.has(PAYERS[payer]));

interface Signature {
  readonly by: number;
  readonly rules: ReadonlySet<string>;
  readonly teams: ReadonlySet<"finops" | "security">;
}

const APPROVE = /^\/tollgate approve ([0-9a-f]+)(.*?)(?: up to (\d+) (USD|EUR)(.*))?$/;
const UNTIL = / until (\d{4}-\d\d-\d\d)/;
const RULES: readonly string[] = ["increase", "deletions", "drift", "dear", "team", "owned"];

interface Written {
  readonly sha: string;
  readonly rules: readonly string[];
  /** Whole dollars; null: none were named. */
  readonly dollars: number | null;
  /** The last day; null: there is none. */
  readonly lastDay: number | null;
}

/** What a comment says; null: it is no signature, or gives no reason. */
function writtenIn({ body }: Comment): Written | null {
  const [until, end] = UNTIL.exec(body) ?? [];
  const [, sha, words = "", amount, currency, after] = APPROVE.exec(body.replace(until ?? "", "")) ?? [];
  if (sha === undefined) return null;
  const said = words.split(" ").filter((word) => word !== "");
  const first = said.findIndex((word) => !RULES.includes(word));
  const rules = first === -1 ? said : said.slice(0, first);
  const reason = amount === undefined ? said.slice(rules.length).join(" ") : (after ?? "").trim();
  if (reason === "") return null;
  return {
    sha,
    rules,
    dollars: currency === "USD" ? Number(amount) : null,
    lastDay: end === undefined ? null : Date.parse(end) / 86_400_000,
  };
}

/** What a comment signs for to this day; null: nothing. */
function signatureOf(comment: Comment, world: World, bot: Bot): Signature | null {
  const at = bot.history.findIndex((entry) => entry.comment === comment.id);
  const then = bot.history[at]?.moment;
  const written = writtenIn(comment);
  if (then === undefined || written === null) return null;
  if (written.sha !== then.head || !wasEvaluatedBefore(comment, then, bot)) return null;
  const signed = signedAt(then, comment.by, written);
  if (signed === null || revokedLater(comment, at, { world, bot })) return null;
  const later = [...bot.history.slice(at).map(({ moment }) => moment), world.now];
  return later.every((moment) => survives({ then, moment, written, signed })) ? signed : null;
}

/** Whether there was a verdict on the head and its base branch that the comment's writer could have read. */
const wasEvaluatedBefore = ({ writtenMs }: Comment, { head, base }: Moment, { history }: Bot): boolean =>
  history.some(
    ({ moment, comment, atMs }) =>
      comment === null && atMs < writtenMs && moment.head === head && moment.base === base,
  );

/** What somebody's words sign for at one moment; null: nothing. */
function signedAt(then: Moment, by: number, { rules: wanted, dollars, lastDay }: Written): Signature | null {
  if (isUnknown(then) || then.contributors.has(by)) return null;
  if (lastDay !== null && lastDay < then.day) return null;
  const teams = new Set((["finops", "security"] as const).filter((team) => then.teams[team].has(by)));
  const broken = brokenBy(then);
  const isSigner: Readonly<Record<string, boolean>> = {
    increase: teams.has("finops"),
    deletions: teams.size > 0,
    dear: teams.has("security"),
    team: overdrawnOf(then, teams).length > 0,
    owned: ownersAt(then)?.some((team) => teams.has(team)) === true,
  };
  const own = Object.keys(isSigner).filter((rule) => broken.has(rule) && isSigner[rule] === true);
  if (own.length === 0 || wanted.some((rule) => !own.includes(rule))) return null;
  const rules = new Set(wanted.length > 0 ? wanted : own);
  if (rules.has("dear") && lastDay === null) return null;
  const sums = [
    ...(rules.has("increase") || rules.has("owned") ? [then.facts.increase ?? 0] : []),
    ...(rules.has("team") ? overdrawnOf(then, teams).map(([, share]) => share) : []),
  ];
  const isShort = sums.some((sum) => dollars === null || dollars < sum);
  return isShort ? null : { by, rules, teams };
}

interface Survival {
  readonly then: Moment;
  readonly moment: Moment;
  readonly written: Written;
  readonly signed: Signature;
}

function survives({ then, moment, written, signed }: Survival): boolean {
  const { rules, teams, by } = signed;
  if (written.lastDay !== null && moment.day > written.lastDay) return false;
  if (rules.has("owned") && !isOwnedStill(then, moment, written.dollars)) return false;
  if (moment.contributors.has(by) || moment.base !== then.base) return false;
  if (!isSameGround(then, moment) || hasNewlyBroken(then, moment)) return false;
  if (rules.has("increase") && !isStillCovered(then, moment, written.dollars)) return false;
  if (rules.has("team") && !isTeamCovered({ then, moment, teams, dollars: written.dollars })) return false;
  if (rules.has("dear") && brokenBy(moment).has("dear") && !hasSameFigures(then, moment)) return false;
  return (
    !rules.has("deletions") || moment.facts.deleted.every((address) => then.facts.deleted.includes(address))
  );
}

/** A further value ends what was signed; so does more than its dollars for a value of the signer's own teams. */
function isTeamCovered({ then, moment, teams, dollars }: TeamCover): boolean {
  const before = overdrawnBy(then);
  const isListed = [...overdrawnBy(moment).keys()].every((payer) => before.has(payer));
  return isListed && overdrawnOf(moment, teams).every(([, share]) => share <= (dollars ?? 0));
}

interface TeamCover extends Pick<Survival, "then" | "moment"> {
  readonly teams: ReadonlySet<Team>;
  readonly dollars: number | null;
}

/** A workspace whose cost is not known has no currency either. */
const isSameGround = ({ facts: then }: Moment, { facts: now }: Moment): boolean =>
  now.increase !== null && now.currency === then.currency && now.workspaces.join() === then.workspaces.join();

const hasSameFigures = ({ facts: then }: Moment, { facts: now }: Moment): boolean =>
  then.increase === now.increase &&
  then.deleted.length === now.deleted.length &&
  then.drifted === now.drifted;

const hasNewlyBroken = (then: Moment, now: Moment): boolean =>
  [...brokenBy(now)].some((rule) => !brokenBy(then).has(rule));

function isStillCovered(then: Moment, now: Moment, dollars: number | null): boolean {
  if (allowed(now.base, now.policy) !== allowed(then.base, then.policy)) return false;
  return !brokenBy(now).has("increase") || (now.facts.increase ?? 0) <= (dollars ?? 0);
}

function isOwnedStill(then: Moment, now: Moment, dollars: number | null): boolean {
  if (ownersAt(now)?.join() !== ownersAt(then)?.join()) return false;
  return !brokenBy(now).has("owned") || (now.facts.increase ?? 0) <= (dollars ?? 0);
}

/** Whether somebody who may has overridden the check of exactly what is there now, and nothing has ended it. */
const isOverriddenNow = (world: World, bot: Bot): boolean =>
  [...world.comments.values()].some((comment) => isOverride(comment, world, bot));

const OVERRIDE = /^\/tollgate override ([0-9a-f]{40}) \S/;

function isOverride(comment: Comment, world: World, bot: Bot): boolean {
  const at = bot.history.findIndex((entry) => entry.comment === comment.id);
  const then = bot.history[at]?.moment;
  const [, sha] = OVERRIDE.exec(comment.body) ?? [];
  if (then === undefined || sha !== then.head) return false;
  if (!wasHereBefore(comment, at, bot) || !mayOverride(then, comment)) return false;
  // What passes already is not overridden.
  if (!bot.overrides.heldAt.has(comment.id) || revokedLater(comment, at, { world, bot })) return false;
  const later = [...bot.history.slice(at).map(({ moment }) => moment), world.now];
  return later.every((moment) => isSamePlace(then, moment) && mayOverride(moment, comment));
}

const mayOverride = ({ contributors, teams }: Moment, { by }: Comment): boolean =>
  !contributors.has(by) && teams.security.has(by);

const isSamePlace = (a: Moment, b: Moment): boolean =>
  a.head === b.head && a.base === b.base && a.policy === b.policy;

/** Whether the head was evaluated here before the comment was written, and nowhere else until the comment was acted on. */
function wasHereBefore({ writtenMs }: Comment, at: number, { history }: Bot): boolean {
  const then = history[at]?.moment;
  const judged = history.slice(0, at).filter(({ comment }) => comment === null);
  const elsewhere = judged.findLastIndex(({ moment }) => then === undefined || !isSamePlace(then, moment));
  const first = judged[elsewhere + 1];
  return first !== undefined && first.atMs < writtenMs;
}

/** The approver's own `/tollgate revoke` that was carried out after the approval. */
const revokedLater = (
  comment: Comment,
  at: number,
  { world, bot }: { readonly world: World; readonly bot: Bot },
): boolean =>
  bot.history
    .slice(at + 1)
    .some(
      ({ comment: id }) =>
        id !== null && world.comments.get(id)?.by === comment.by && bot.revocations.has(id),
    );
