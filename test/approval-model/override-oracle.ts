import type { Bot } from "./bot.ts";
import type { Comment, Moment, World } from "./world.ts";

/** Whether somebody who may has overridden the check of exactly what is there now, and nothing has ended it. */
export const isOverriddenNow = (world: World, bot: Bot): boolean =>
  [...world.comments.values()].some((comment) => isOverride(comment, world, bot));

const OVERRIDE = /^\/tollgate override ([0-9a-f]{40}) \S/;

function isOverride(comment: Comment, world: World, bot: Bot): boolean {
  const at = bot.history.findIndex((entry) => entry.comment === comment.id);
  const then = bot.history[at]?.moment;
  const [, sha] = OVERRIDE.exec(comment.body) ?? [];
  if (comment.isEdited || comment.isDeleted || then === undefined || sha !== then.head) return false;
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

/** The approver's own `/tollgate revoke` that was acted on after the signature was. */
export const revokedLater = (
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
