import { requirePull } from "../state/find.ts";
import type { SandboxPull, Stack } from "../state/pulls.ts";
import type { World } from "../state/world.ts";

type StackedPull = Pick<SandboxPull, "repositoryId" | "number">;

/** Returns the stack of a pull request; null: it is in none. */
export const findStack = (world: World, { repositoryId, number }: StackedPull): Stack | null =>
  world.stacks.group(String(repositoryId)).find(({ pulls }) => pulls.includes(number)) ?? null;

/** Returns a stack's pull requests that are not merged, lowest first. */
export const listStackPulls = (world: World, { repositoryId, pulls }: Stack): readonly SandboxPull[] =>
  pulls
    .map((number) => requirePull(world, { repositoryId, number }))
    .filter(({ mergedAt }) => mergedAt === null);

/** Returns the branch whose rules hold for a pull request: of a stacked one, the trunk. */
export const findRuledBranch = (world: World, pull: SandboxPull): string =>
  findStack(world, pull)?.trunk ?? pull.baseRef;

/** Returns the pull requests that GitHub merges with this one: those below it in its stack, lowest first, and itself. */
export function listMergedTogether(world: World, pull: SandboxPull): readonly SandboxPull[] {
  const stack = findStack(world, pull);
  if (stack === null) return [pull];
  const open = listStackPulls(world, stack);
  return open.slice(0, open.findIndex(({ id }) => id === pull.id) + 1);
}
