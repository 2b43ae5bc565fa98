import { mergeCommit } from "../git/merge.ts";
import type { GitSignature } from "../git/objects.ts";
import type { Account } from "../state/accounts.ts";
import { objectsOf } from "../state/find.ts";
import type { SandboxPull } from "../state/pulls.ts";
import type { World } from "../state/world.ts";

/** How an account signs commits at a moment. */
export const signatureOf = (account: Account, at: number): GitSignature => ({
  name: account.name ?? account.login,
  email: `${account.id}+${account.login.replace(/[[\]]/g, "")}@users.noreply.github.com`,
  at,
  accountId: account.id,
});

/** The commit that merging now would make, as `refs/pull/N/merge` holds it; null when both sides conflict. The same sides give the same id. */
export function testMergeOf(world: World, pull: SandboxPull): string | null {
  const repository = world.repositories.require(pull.repositoryId);
  const base = repository.branches.get(pull.baseRef) ?? pull.baseSha;
  const key = `${pull.id}:${base}:${pull.headSha}`;
  const known = world.testMerges.get(key);
  if (known !== undefined) return known;
  const made = mergeCommit(
    objectsOf(world, repository),
    { base, head: pull.headSha },
    {
      message: `Merge ${pull.headSha} into ${base}`,
      author: signatureOf(world.accounts.require(pull.authorId), pull.createdAt),
    },
  );
  world.testMerges.set(key, made);
  return made;
}

/** The message of a commit that merges the pull request for good. */
export const mergeMessage = (world: World, pull: SandboxPull): string =>
  `Merge pull request #${pull.number} from ${world.accounts.require(pull.headOwnerId).login}/${pull.headRef}\n\n${pull.title}`;
