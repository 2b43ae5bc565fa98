import { createMergeCommit } from "../git/merge.ts";
import type { GitSignature } from "../git/objects.ts";
import type { Account } from "../state/accounts.ts";
import { getObjects } from "../state/find.ts";
import type { SandboxPull } from "../state/pulls.ts";
import type { World } from "../state/world.ts";

/** Returns an account's commit signature at a time. */
export const createSignature = (account: Account, at: number): GitSignature => ({
  name: account.name ?? account.login,
  email: `${account.id}+${account.login.replace(/[[\]]/g, "")}@users.noreply.github.com`,
  at,
  accountId: account.id,
});

/** Returns the test merge commit (`refs/pull/N/merge`); null on a conflict. Equal sides give an equal id. */
export function findTestMerge(world: World, pull: SandboxPull): string | null {
  const repository = world.repositories.require(pull.repositoryId);
  const base = repository.branches.get(pull.baseRef) ?? pull.baseSha;
  const key = `${pull.id}:${base}:${pull.headSha}`;
  const known = world.testMerges.get(key);
  if (known !== undefined) return known;
  const made = createMergeCommit(
    getObjects(world, repository),
    { base, head: pull.headSha },
    {
      message: `Merge ${pull.headSha} into ${base}`,
      author: createSignature(world.accounts.require(pull.authorId), pull.createdAt),
    },
  );
  world.testMerges.set(key, made);
  return made;
}

/** Returns the message of the pull request's merge commit. */
export const formatMergeMessage = (world: World, pull: SandboxPull): string =>
  `Merge pull request #${pull.number} from ${world.accounts.require(pull.headOwnerId).login}/${pull.headRef}\n\n${pull.title}`;
