import { ancestors } from "../../git/history.ts";
import { readCommit } from "../../git/objects.ts";
import { entryAt } from "../../git/snapshot.ts";
import { objectsOf } from "../../state/find.ts";
import type { Repository } from "../../state/repositories.ts";
import { gitActorFields } from "./actors.ts";
import { rollupFields } from "./checks.ts";
import { connection, type PageArguments } from "./connection.ts";
import { fileFields } from "./git-objects.ts";
import type { CallerView, NodeFields } from "./view.ts";

/** Returns a commit of a repository; null when the id does not exist there. */
export function commitFields(view: CallerView, repository: Repository, sha: string): NodeFields | null {
  const commit = readCommit(objectsOf(view.world, repository), sha);
  if (commit === null) return null;
  return {
    __typename: "Commit",
    oid: sha,
    committer: () => gitActorFields(view, commit.committer.accountId),
    authors: (page: PageArguments) =>
      connection(
        [commit.author.accountId, ...coAuthors(commit.message)],
        { ...page, name: "authors" },
        (accountId) => gitActorFields(view, accountId),
      ),
    file: ({ path }: { path: string }) => fileFields(view, { repository, sha, path }),
    history: ({ path, ...page }: PageArguments & { path?: string | null }) => ({
      ...connection(
        touching(view, repository, { sha, path: path ?? null }),
        { ...page, name: "history" },
        (one) => ({
          ...commitFields(view, repository, one),
        }),
      ),
    }),
    parents: (page: PageArguments) =>
      connection(commit.parents, { ...page, name: "parents" }, (parent) => ({
        ...commitFields(view, repository, parent),
      })),
    statusCheckRollup: () => rollupFields(view, { repositoryId: repository.id, sha }),
  };
}

const TRAILER = /^co-authored-by:[ \t]*.*?[ \t]*<([^<>]+)>[ \t]*$/gim;

/** Returns the accounts of a message's co-authors by GitHub's noreply addresses; 0: no account. */
const coAuthors = (message: string): readonly number[] =>
  [...message.matchAll(TRAILER)].map(([, email = ""]) =>
    Number(/^(\d+)\+[^@]*@users\.noreply\.github\.com$/.exec(email)?.[1] ?? 0),
  );

/** Returns the commits that changed a path, newest first: those that differ there from each of their parents. */
function touching(
  view: CallerView,
  repository: Repository,
  { sha, path }: { readonly sha: string; readonly path: string | null },
): readonly string[] {
  const objects = objectsOf(view.world, repository);
  const at = (commit: string): string | null =>
    path === null ? commit : (entryAt(objects, commit, path)?.sha ?? null);
  return [...ancestors(objects, sha).values()]
    .filter((commit) => {
      if (commit.parents.length === 0) return at(commit.sha) !== null;
      return commit.parents.every((parent) => at(parent) !== at(commit.sha));
    })
    .map((commit) => commit.sha);
}
