import { time } from "../../formatters/json.ts";
import { changedFiles, type FileChange } from "../../git/diff.ts";
import { commitsBetween, mergeBase } from "../../git/history.ts";
import { testMergeOf } from "../../rules/test-merge.ts";
import { objectsOf } from "../../state/find.ts";
import { nodeId } from "../../state/node-id.ts";
import type { SandboxComment, SandboxPull } from "../../state/pulls.ts";
import { pullKey } from "../../state/world.ts";
import { actorFields } from "./actors.ts";
import { commitFields } from "./commits.ts";
import { connection, type PageArguments } from "./connection.ts";
import { reviewsOf } from "./reviews.ts";
import { type CallerView, canSee, type NodeFields } from "./view.ts";

/** The maximum number of listed files of a pull request. */
const MAX_FILES = 3000;

const CHANGE: Readonly<Record<FileChange["status"], string>> = {
  added: "ADDED",
  removed: "DELETED",
  modified: "MODIFIED",
  renamed: "RENAMED",
};

export function pullFields(view: CallerView, pull: SandboxPull): NodeFields {
  const repository = view.world.repositories.require(pull.repositoryId);
  const objects = objectsOf(view.world, repository);
  let read: readonly FileChange[] | null = null;
  const changes = (): readonly FileChange[] => {
    read ??= changedFiles(objects, mergeBase(objects, pull.baseSha, pull.headSha), pull.headSha);
    return read;
  };
  return {
    ...plainFields(pull),
    author: () => actorFields(view, pull.authorId),
    baseRef: () => view.nodes.ref(view, repository, pull.baseRef),
    changedFiles: () => changes().length,
    comments: (page: PageArguments) =>
      connection(view.world.comments.group(pullKey(pull)), { ...page, name: "comments" }, (comment) =>
        commentFields(view, comment),
      ),
    commits: (page: PageArguments) =>
      connection(
        commitsBetween(objects, pull.baseSha, pull.headSha),
        { ...page, name: "commits" },
        ({ sha }) => ({ commit: () => commitFields(view, repository, sha) }),
      ),
    files: (page: PageArguments) =>
      connection(changes().slice(0, MAX_FILES), { ...page, name: "files" }, (change) => ({
        path: change.path,
        changeType: CHANGE[change.status],
      })),
    labels: (page: PageArguments) =>
      connection(pull.labels, { ...page, name: "labels" }, (label) => ({ name: label })),
    headRepository: () => {
      const head = view.world.repositories.get(pull.headRepositoryId ?? -1);
      return head !== null && canSee(view, head) ? view.nodes.repository(view, head) : null;
    },
    mergeCommit: () =>
      pull.mergeCommitSha === null ? null : commitFields(view, repository, pull.mergeCommitSha),
    reviews: (page: Parameters<typeof reviewsOf>[2]) => reviewsOf(view, pull, page),
    potentialMergeCommit: () => {
      const sha = pull.state === "open" ? testMergeOf(view.world, pull) : null;
      return sha === null ? null : commitFields(view, repository, sha);
    },
  };
}

function plainFields(pull: SandboxPull): NodeFields {
  return {
    number: pull.number,
    title: pull.title,
    state: pull.mergedAt === null ? pull.state.toUpperCase() : "MERGED",
    isDraft: pull.draft,
    locked: pull.locked,
    mergedAt: pull.mergedAt === null ? null : time(pull.mergedAt),
    baseRefName: pull.baseRef,
    headRefName: pull.headRef,
    headRefOid: pull.headSha,
  };
}

export const commentFields = (view: CallerView, comment: SandboxComment): NodeFields => ({
  __typename: "IssueComment",
  id: nodeId("IssueComment", comment.id),
  databaseId: comment.id,
  body: comment.body,
  author: () => actorFields(view, comment.authorId),
  createdAt: time(comment.createdAt),
  lastEditedAt: comment.editedAt === null ? null : time(comment.editedAt),
  isMinimized: comment.minimised !== null,
});
