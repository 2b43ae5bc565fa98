import { formatTime } from "../../formatters/json.ts";
import { type FileChange, listChangedFiles } from "../../git/diff.ts";
import { findMergeBase, listCommitsBetween } from "../../git/history.ts";
import { findTestMerge } from "../../rules/test-merge.ts";
import { getObjects } from "../../state/find.ts";
import { buildNodeId } from "../../state/node-id.ts";
import type { SandboxComment, SandboxPull } from "../../state/pulls.ts";
import { buildPullKey } from "../../state/world.ts";
import { buildActorFields } from "./actors.ts";
import { type CallerView, canSee, type NodeFields } from "./caller-view.ts";
import { buildCommitFields } from "./commits.ts";
import { buildConnection, type PageArguments } from "./connection.ts";
import { buildReviewConnection } from "./reviews.ts";

/** The maximum number of listed files of a pull request. */
const MAX_FILES = 3000;

const PATCH_STATUSES: Readonly<Record<FileChange["status"], string>> = {
  added: "ADDED",
  removed: "DELETED",
  modified: "MODIFIED",
  renamed: "RENAMED",
};

export function buildPullFields(view: CallerView, pull: SandboxPull): NodeFields {
  const repository = view.world.repositories.require(pull.repositoryId);
  const objects = getObjects(view.world, repository);
  let read: readonly FileChange[] | null = null;
  const changes = (): readonly FileChange[] => {
    read ??= listChangedFiles(objects, findMergeBase(objects, pull.baseSha, pull.headSha), pull.headSha);
    return read;
  };
  return {
    ...buildPlainFields(pull),
    author: () => buildActorFields(view, pull.authorId),
    mergedBy: () => (pull.mergedById === null ? null : buildActorFields(view, pull.mergedById)),
    baseRef: () => view.nodes.ref(view, repository, pull.baseRef),
    changedFiles: () => changes().length,
    comments: (page: PageArguments) =>
      buildConnection(
        view.world.comments.group(buildPullKey(pull)),
        { ...page, name: "comments" },
        (comment) => buildCommentFields(view, comment),
      ),
    commits: (page: PageArguments) =>
      buildConnection(
        listCommitsBetween(objects, pull.baseSha, pull.headSha),
        { ...page, name: "commits" },
        ({ sha }) => ({ commit: () => buildCommitFields(view, repository, sha) }),
      ),
    files: (page: PageArguments) =>
      buildConnection(changes().slice(0, MAX_FILES), { ...page, name: "files" }, (change) => ({
        path: change.path,
        changeType: PATCH_STATUSES[change.status],
      })),
    labels: (page: PageArguments) =>
      buildConnection(pull.labels, { ...page, name: "labels" }, (label) => ({ name: label })),
    headRepository: () => {
      const head = view.world.repositories.get(pull.headRepositoryId ?? -1);
      return head !== null && canSee(view, head) ? view.nodes.repository(view, head) : null;
    },
    mergeCommit: () =>
      pull.mergeCommitSha === null ? null : buildCommitFields(view, repository, pull.mergeCommitSha),
    reviews: (page: Parameters<typeof buildReviewConnection>[2]) => buildReviewConnection(view, pull, page),
    potentialMergeCommit: () => {
      const sha = pull.state === "open" ? findTestMerge(view.world, pull) : null;
      return sha === null ? null : buildCommitFields(view, repository, sha);
    },
  };
}

export const getPullState = (pull: SandboxPull): string =>
  pull.mergedAt === null ? pull.state.toUpperCase() : "MERGED";

function buildPlainFields(pull: SandboxPull): NodeFields {
  return {
    number: pull.number,
    title: pull.title,
    state: getPullState(pull),
    isDraft: pull.draft,
    locked: pull.locked,
    createdAt: formatTime(pull.createdAt),
    closedAt: pull.closedAt === null ? null : formatTime(pull.closedAt),
    mergedAt: pull.mergedAt === null ? null : formatTime(pull.mergedAt),
    baseRefName: pull.baseRef,
    headRefName: pull.headRef,
    headRefOid: pull.headSha,
  };
}

export const buildCommentFields = (view: CallerView, comment: SandboxComment): NodeFields => ({
  __typename: "IssueComment",
  id: buildNodeId("IssueComment", comment.id),
  databaseId: comment.id,
  body: comment.body,
  author: () => buildActorFields(view, comment.authorId),
  createdAt: formatTime(comment.createdAt),
  lastEditedAt: comment.editedAt === null ? null : formatTime(comment.editedAt),
  isMinimized: comment.minimised !== null,
});
