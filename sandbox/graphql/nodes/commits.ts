import { collectAncestors } from "../../git/history.ts";
import { readCommit } from "../../git/objects.ts";
import { readTreeEntry } from "../../git/snapshot.ts";
import { getObjects } from "../../state/find.ts";
import type { Repository } from "../../state/repositories.ts";
import { buildGitActorFields } from "./actors.ts";
import type { CallerView, NodeFields } from "./caller-view.ts";
import { buildRollupFields } from "./checks.ts";
import { buildConnection, type PageArguments } from "./connection.ts";
import { buildFileFields } from "./git-objects.ts";

/** Returns a commit of a repository; null when the id does not exist there. */
export function buildCommitFields(view: CallerView, repository: Repository, sha: string): NodeFields | null {
  const commit = readCommit(getObjects(view.world, repository), sha);
  if (commit === null) return null;
  return {
    __typename: "Commit",
    oid: sha,
    committedViaWeb: commit.committer.email === "noreply@github.com",
    signature: commit.isMadeByGitHub
      ? { __typename: "GpgSignature", isValid: true, wasSignedByGitHub: true }
      : null,
    committer: () => buildGitActorFields(view, commit.committer.accountId),
    authors: (page: PageArguments) =>
      buildConnection(
        [commit.author.accountId, ...parseCoAuthors(commit.message)],
        { ...page, name: "authors" },
        (accountId) => buildGitActorFields(view, accountId),
      ),
    file: ({ path }: { path: string }) => buildFileFields(view, { repository, sha, path }),
    history: ({ path, ...page }: PageArguments & { path?: string | null }) => ({
      ...buildConnection(
        listTouchingCommits(view, repository, { sha, path: path ?? null }),
        { ...page, name: "history" },
        (one) => ({
          ...buildCommitFields(view, repository, one),
        }),
      ),
    }),
    parents: (page: PageArguments) =>
      buildConnection(commit.parents, { ...page, name: "parents" }, (parent) => ({
        ...buildCommitFields(view, repository, parent),
      })),
    statusCheckRollup: () => buildRollupFields(view, { repositoryId: repository.id, sha }),
  };
}

const TRAILER = /^co-authored-by:[ \t]*.*?[ \t]*<([^<>]+)>[ \t]*$/gim;

/** Returns the accounts of a message's co-authors by GitHub's noreply addresses; 0: no account. */
const parseCoAuthors = (message: string): readonly number[] =>
  [...message.matchAll(TRAILER)].map(([, email = ""]) =>
    Number(/^(\d+)\+[^@]*@users\.noreply\.github\.com$/.exec(email)?.[1] ?? 0),
  );

/** Returns the commits that changed a path, newest first: those that differ there from each of their parents. */
function listTouchingCommits(
  view: CallerView,
  repository: Repository,
  { sha, path }: { readonly sha: string; readonly path: string | null },
): readonly string[] {
  const objects = getObjects(view.world, repository);
  const at = (commit: string): string | null =>
    path === null ? commit : (readTreeEntry(objects, commit, path)?.sha ?? null);
  return [...collectAncestors(objects, sha).values()]
    .filter((commit) => {
      if (commit.parents.length === 0) return at(commit.sha) !== null;
      return commit.parents.every((parent) => at(parent) !== at(commit.sha));
    })
    .map((commit) => commit.sha);
}
