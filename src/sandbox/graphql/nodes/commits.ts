import { time } from "../../formatters/json.ts";
import { coAuthors } from "../../git/co-authors.ts";
import { ancestors } from "../../git/history.ts";
import { readCommit } from "../../git/objects.ts";
import { entryAt } from "../../git/snapshot.ts";
import { objectsOf } from "../../state/find.ts";
import { nodeId } from "../../state/node-id.ts";
import type { Repository } from "../../state/repositories.ts";
import { gitActorFields } from "./actors.ts";
import { rollupFields, statusFields, suiteConnection } from "./checks.ts";
import { connection, type PageArguments } from "./connection.ts";
import { fileFields, treeFields } from "./git-objects.ts";
import type { CallerView, NodeFields } from "./view.ts";

/** Returns a commit of a repository; null when the id does not exist there. */
export function commitFields(view: CallerView, repository: Repository, sha: string): NodeFields | null {
  const commit = readCommit(objectsOf(view.world, repository), sha);
  if (commit === null) return null;
  const at = { repositoryId: repository.id, sha };
  return {
    __typename: "Commit",
    id: nodeId("Commit", `${repository.id}:${sha}`),
    oid: sha,
    message: commit.message,
    committedDate: time(commit.committer.at),
    author: () => gitActorFields(view, commit.author),
    committer: () => gitActorFields(view, commit.committer),
    authors: (page: PageArguments) =>
      connection([commit.author, ...coAuthors(commit.message)], { ...page, name: "authors" }, (one) =>
        gitActorFields(view, one),
      ),
    tree: () => treeFields(view, repository, commit.tree),
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
    status: () => statusFields(view, at),
    statusCheckRollup: () => rollupFields(view, at),
    checkSuites: (page: PageArguments & { filterBy?: { appId?: number | null } | null }) =>
      suiteConnection(view, at, page),
  };
}

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
