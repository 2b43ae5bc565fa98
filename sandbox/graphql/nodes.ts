import { GraphQLError } from "graphql";
import {
  formatTime,
  hasAccess,
  type InstallationCaller,
  isVisible,
  type PermissionNeed,
} from "../api/call.ts";
import { selectNewestRuns } from "../resources/check-runs.ts";
import { listGroups } from "../resources/merge-queue.ts";
import { findTestMerge } from "../resources/merge-rule.ts";
import { MAX_FILES } from "../resources/pulls.ts";
import { selectNewestStatuses } from "../resources/statuses.ts";
import {
  collectAncestors,
  type FileChange,
  isBinary,
  listCommitsBetween,
  listPullChanges,
  readBlob,
  readCommit,
  readTree,
  readTreeEntry,
} from "../state/git.ts";
import type {
  Account,
  CheckRun,
  Repository,
  Review,
  SandboxComment,
  SandboxPull,
  Status,
} from "../state/records.ts";
import {
  buildCommitKey,
  buildNodeId,
  buildPullKey,
  findPull,
  getObjects,
  getPermission,
  parseNodeId,
  requirePull,
  type World,
} from "../state/world.ts";

/** The world with the permissions of one caller; every object of an answer is created from it. */
export interface CallerView {
  readonly world: World;
  readonly caller: InstallationCaller;
}

/** One object of an answer: each field is a value, or a function of its arguments that runs only when queried. */
export type NodeFields = Readonly<Record<string, unknown>>;

/** Returns an error with GitHub's error type. */
export const createGraphqlError = (type: string, message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { type } });

export const createMissingNode = (id: string): GraphQLError =>
  createGraphqlError("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'.`);

export const createForbidden = (): GraphQLError =>
  createGraphqlError("FORBIDDEN", "Resource not accessible by integration");

/** Refuses a field that the token may not read; other fields are still answered. */
export function requirePermissions({ caller }: CallerView, ...needs: readonly PermissionNeed[]): void {
  if (!needs.every((need) => hasAccess(caller.permissions, need))) throw createForbidden();
}

interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
}

/** GraphQL's maximum page size. */
const MAX_PAGE_SIZE = 100;

/** Returns a field with pages of a list by `first` and `after`, or by `last`. Only rows of the page are formatted. */
const connect =
  <T>(name: string, list: () => readonly T[], format: (row: T) => NodeFields | null) =>
  ({ first, last, after }: PageArguments): NodeFields => {
    const size = first ?? last ?? null;
    if (size === null) {
      const words = `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`;
      throw createGraphqlError("MISSING_PAGINATION_BOUNDARIES", words);
    }
    if (size > MAX_PAGE_SIZE) {
      const words = `Requesting ${size} records on the \`${name}\` connection exceeds the \`first\` limit of ${MAX_PAGE_SIZE} records.`;
      throw createGraphqlError("EXCESSIVE_PAGINATION", words);
    }
    const rows = list();
    const start = typeof first === "number" ? parseCursor(after ?? null) : Math.max(0, rows.length - size);
    const end = Math.min(rows.length, start + size);
    return {
      totalCount: rows.length,
      nodes: () => rows.slice(start, end).map(format),
      pageInfo: {
        hasNextPage: end < rows.length,
        endCursor: end > start ? Buffer.from(`cursor:${end - 1}`).toString("base64") : null,
      },
    };
  };

function parseCursor(after: string | null): number {
  if (after === null) return 0;
  const index = /^cursor:(\d+)$/.exec(Buffer.from(after, "base64").toString())?.[1];
  if (index !== undefined) return Number(index) + 1;
  throw createGraphqlError("INVALID_CURSOR_ARGUMENTS", `\`${after}\` does not appear to be a valid cursor.`);
}

export const buildRepositoryFields = (view: CallerView, repository: Repository): NodeFields => ({
  __typename: "Repository",
  id: buildNodeId("Repository", repository.id),
  databaseId: repository.id,
  name: repository.name,
  updatedAt: formatTime(repository.updatedAt),
  visibility: repository.visibility.toUpperCase(),
  owner: () => buildActorFields(view, repository.ownerId),
  defaultBranchRef: () => buildRefFields(view, repository, repository.defaultBranch),
  ref: ({ qualifiedName }: { qualifiedName: string }) =>
    buildRefFields(view, repository, qualifiedName.replace(/^refs\/heads\//, "")),
  object: ({ oid }: { oid: string }) => {
    requirePermissions(view, "contents:read");
    return buildObjectFields(view, repository, oid);
  },
  mergeQueue: ({ branch }: { branch?: string | null }) =>
    buildQueueFields(view, repository, branch ?? repository.defaultBranch),
  pullRequest: ({ number }: { number: number }) => {
    requirePermissions(view, "pull_requests:read");
    const pull = findPull(view.world, { repositoryId: repository.id, number });
    if (pull !== null) return buildPullFields(view, pull);
    throw createGraphqlError("NOT_FOUND", `Could not resolve to a PullRequest with the number of ${number}.`);
  },
});

/** Returns a branch; null when the name does not exist. */
function buildRefFields(view: CallerView, repository: Repository, branch: string): NodeFields | null {
  requirePermissions(view, "contents:read");
  const sha = repository.branches.get(branch);
  if (sha === undefined) return null;
  const list = (states: readonly string[] | null) =>
    view.world.pulls
      .group(String(repository.id))
      .filter((pull) => pull.headRepositoryId === repository.id && pull.headRef === branch)
      .filter((pull) => states === null || states.includes(getPullState(pull)));
  return {
    name: branch,
    associatedPullRequests: ({ states, ...page }: PageArguments & { states?: readonly string[] | null }) =>
      connect(
        "associatedPullRequests",
        () => list(states ?? null),
        (pull) => buildPullFields(view, pull),
      )(page),
    target: () => buildCommitFields(view, repository, sha),
  };
}

/** Returns the queue of a branch with one entry per waiting pull request; null when nothing was ever queued. */
function buildQueueFields(view: CallerView, repository: Repository, branch: string): NodeFields | null {
  requirePermissions(view, "merge_queues:read");
  const groups = listGroups(view.world, repository, `refs/heads/${branch}`);
  if (groups.length === 0) return null;
  const entries = groups
    .filter((group) => group.destroyed === null)
    .flatMap(({ numbers, commits }) =>
      numbers.map((number, index) => ({ number, sha: commits[index] ?? "" })),
    )
    .map((entry, index) => ({ ...entry, position: index + 1 }));
  const pullOf = (number: number) => requirePull(view.world, { repositoryId: repository.id, number });
  return {
    entries: connect(
      "entries",
      () => entries,
      ({ position, sha, number }) => ({
        position,
        headCommit: () => buildCommitFields(view, repository, sha),
        pullRequest: () => {
          requirePermissions(view, "pull_requests:read");
          return buildPullFields(view, pullOf(number));
        },
      }),
    ),
  };
}

const PATCH_STATUSES: Readonly<Record<FileChange["status"], string>> = {
  added: "ADDED",
  removed: "DELETED",
  modified: "MODIFIED",
  renamed: "RENAMED",
};

function buildPullFields(view: CallerView, pull: SandboxPull): NodeFields {
  const { world } = view;
  const repository = world.repositories.require(pull.repositoryId);
  const objects = getObjects(world, repository);
  let read: readonly FileChange[] | null = null;
  const changes = (): readonly FileChange[] => {
    read ??= listPullChanges(objects, pull);
    return read;
  };
  const commit = (sha: string | null) => (sha === null ? null : buildCommitFields(view, repository, sha));
  return {
    number: pull.number,
    title: pull.title,
    state: getPullState(pull),
    isDraft: pull.draft,
    createdAt: formatTime(pull.createdAt),
    closedAt: pull.closedAt === null ? null : formatTime(pull.closedAt),
    mergedAt: pull.mergedAt === null ? null : formatTime(pull.mergedAt),
    baseRefName: pull.baseRef,
    headRefName: pull.headRef,
    headRefOid: pull.headSha,
    author: () => buildActorFields(view, pull.authorId),
    mergedBy: () => (pull.mergedById === null ? null : buildActorFields(view, pull.mergedById)),
    baseRef: () => buildRefFields(view, repository, pull.baseRef),
    headRepository: () => {
      const head = world.repositories.require(pull.headRepositoryId);
      return isVisible(view.caller, head) ? buildRepositoryFields(view, head) : null;
    },
    mergeCommit: () => commit(pull.mergeCommitSha),
    potentialMergeCommit: () => commit(pull.state === "open" ? findTestMerge(world, pull) : null),
    changedFiles: () => changes().length,
    files: connect(
      "files",
      () => changes().slice(0, MAX_FILES),
      ({ path, status }) => ({
        path,
        changeType: PATCH_STATUSES[status],
      }),
    ),
    labels: connect(
      "labels",
      () => pull.labels,
      (name) => ({ name }),
    ),
    comments: connect(
      "comments",
      () => world.comments.group(buildPullKey(pull)),
      (comment) => buildCommentFields(view, comment),
    ),
    commits: connect(
      "commits",
      () => listCommitsBetween(objects, pull.baseSha, pull.headSha),
      ({ sha }) => ({
        commit: () => commit(sha),
      }),
    ),
    // The newest opinion of each person who may write: an approval, a request for changes, or one that was dismissed.
    latestOpinionatedReviews: connect(
      "latestOpinionatedReviews",
      () => {
        const opinions = world.reviews.group(buildPullKey(pull)).filter(({ state }) => state !== "COMMENTED");
        const newest = [...new Map(opinions.map((review) => [review.authorId, review])).values()];
        const repository = world.repositories.require(pull.repositoryId);
        return newest.filter(({ authorId }) => WRITERS.has(getPermission(world, repository, authorId)));
      },
      (review) => buildReviewFields(view, review),
    ),
    reviews: ({ states, ...page }: PageArguments & { readonly states?: readonly string[] | null }) => {
      const all = world.reviews.group(buildPullKey(pull));
      const selected = all.filter(({ state }) => states?.includes(state) ?? true);
      return connect(
        "reviews",
        () => selected,
        (review) => buildReviewFields(view, review),
      )(page);
    },
  };
}

const WRITERS: ReadonlySet<string> = new Set(["write", "maintain", "admin"]);

const getPullState = (pull: SandboxPull): string =>
  pull.mergedAt === null ? pull.state.toUpperCase() : "MERGED";

/** Returns a comment or a review by its global id; refuses a missing or invisible one without failing the query. */
export function findCommentOrReview(view: CallerView, id: string): NodeFields {
  const { world } = view;
  const comment = world.comments.get(parseNodeId("IssueComment", id));
  const review = world.reviews.get(parseNodeId("PullRequestReview", id));
  const node = comment ?? review;
  if (node === null || !isVisible(view.caller, world.repositories.require(node.repositoryId)))
    throw createMissingNode(id);
  return {
    ...(comment !== null && buildCommentFields(view, comment)),
    ...(review !== null && buildReviewFields(view, review)),
    repository: () => buildRepositoryFields(view, world.repositories.require(node.repositoryId)),
    pullRequest: () => buildPullFields(view, requirePull(world, node)),
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

const buildReviewFields = (view: CallerView, review: Review): NodeFields => ({
  __typename: "PullRequestReview",
  id: buildNodeId("PullRequestReview", review.id),
  body: review.body,
  author: () => buildActorFields(view, review.authorId),
  commit: () =>
    buildCommitFields(view, view.world.repositories.require(review.repositoryId), review.commitSha),
  state: review.state,
  submittedAt: formatTime(review.submittedAt),
  lastEditedAt: review.editedAt === null ? null : formatTime(review.editedAt),
  isMinimized: false,
});

const buildActorFields = (view: CallerView, accountId: number): NodeFields =>
  buildAccountFields(view.world.accounts.require(accountId));

/** Returns a person, bot or organisation. A bot's login has no "[bot]" suffix, unlike in REST. */
const buildAccountFields = (account: Account): NodeFields => ({
  __typename: account.type,
  databaseId: account.id,
  login: account.login.replace(/\[bot\]$/, ""),
});

/** Returns a commit's author or committer; `user` only where GitHub knows the email address. */
function buildGitActorFields(view: CallerView, accountId: number): NodeFields {
  const account = view.world.accounts.get(accountId);
  return { user: account?.type === "User" ? buildAccountFields(account) : null };
}

/** Returns a commit of a repository; null when the id does not exist there. */
function buildCommitFields(view: CallerView, repository: Repository, sha: string): NodeFields | null {
  const commit = readCommit(getObjects(view.world, repository), sha);
  if (commit === null) return null;
  const authors = () => [commit.author.accountId, ...parseCoAuthors(commit.message)];
  return {
    __typename: "Commit",
    oid: sha,
    committedViaWeb: commit.committer.email === "noreply@github.com",
    signature: commit.isMadeByGitHub
      ? { __typename: "GpgSignature", isValid: true, wasSignedByGitHub: true }
      : null,
    committer: () => buildGitActorFields(view, commit.committer.accountId),
    authors: connect("authors", authors, (accountId) => buildGitActorFields(view, accountId)),
    file: ({ path }: { path: string }) => buildFileFields(view, repository, sha, path),
    history: ({ path, ...page }: PageArguments & { path?: string | null }) =>
      connect(
        "history",
        () => listTouchingCommits(view, repository, sha, path ?? null),
        (one) => buildCommitFields(view, repository, one),
      )(page),
    parents: connect(
      "parents",
      () => commit.parents,
      (parent) => buildCommitFields(view, repository, parent),
    ),
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
  sha: string,
  path: string | null,
): readonly string[] {
  const objects = getObjects(view.world, repository);
  const at = (commit: string): string | null =>
    path === null ? commit : (readTreeEntry(objects, commit, path)?.sha ?? null);
  return [...collectAncestors(objects, sha).values()]
    .filter((commit) =>
      commit.parents.length === 0
        ? at(commit.sha) !== null
        : commit.parents.every((parent) => at(parent) !== at(commit.sha)),
    )
    .map((commit) => commit.sha);
}

/** Returns the newest runs and statuses of a commit together; null for a commit without any. */
function buildRollupFields(view: CallerView, at: { repositoryId: number; sha: string }): NodeFields | null {
  requirePermissions(view, "checks:read", "statuses:read");
  const runs = selectNewestRuns(view.world.checkRuns.group(buildCommitKey(at)));
  const statuses = selectNewestStatuses(view.world, at);
  if (runs.length + statuses.length === 0) return null;
  const rows = [
    ...runs.map((run) => () => buildRunFields(view, run)),
    ...statuses.map((status) => () => buildContextFields(view, status)),
  ];
  return {
    contexts: connect(
      "contexts",
      () => rows,
      (row) => row(),
    ),
  };
}

export const buildRunFields = ({ world }: CallerView, run: CheckRun): NodeFields => ({
  __typename: "CheckRun",
  id: buildNodeId("CheckRun", run.id),
  databaseId: run.id,
  name: run.name,
  status: run.status.toUpperCase(),
  conclusion: run.conclusion?.toUpperCase() ?? null,
  detailsUrl: run.detailsUrl,
  externalId: run.externalId,
  checkSuite: {
    app: { databaseId: run.appId, slug: () => world.apps.require(run.appId).slug },
    commit: { oid: run.headSha },
  },
});

const buildContextFields = (view: CallerView, status: Status): NodeFields => ({
  __typename: "StatusContext",
  context: status.context,
  state: status.state.toUpperCase(),
  targetUrl: status.targetUrl,
  creator: () => buildActorFields(view, status.creatorId),
});

/** A blob's text is truncated at this size, in bytes. */
const TEXT_BYTES = 512_000;

/** Returns a file or directory of a commit with its mode; null when the path does not exist. */
function buildFileFields(
  view: CallerView,
  repository: Repository,
  commit: string,
  path: string,
): NodeFields | null {
  requirePermissions(view, "contents:read");
  const entry = readTreeEntry(getObjects(view.world, repository), commit, path);
  if (entry === null) return null;
  const { mode, sha } = entry;
  return {
    mode: Number.parseInt(mode, 8),
    type: mode === "040000" ? "tree" : mode === "160000" ? "commit" : "blob",
    object: () => buildObjectFields(view, repository, sha),
  };
}

/** Returns the object of a git id; null when the repository does not have it. A submodule's commit is in another repository. */
function buildObjectFields(view: CallerView, repository: Repository, oid: string): NodeFields | null {
  const objects = getObjects(view.world, repository);
  if (readTree(objects, oid) !== null) return { __typename: "Tree", oid };
  const bytes = readBlob(objects, oid)?.bytes;
  if (bytes === undefined) return buildCommitFields(view, repository, oid);
  const binary = isBinary(bytes);
  return {
    __typename: "Blob",
    oid,
    byteSize: bytes.length,
    isBinary: binary,
    isTruncated: bytes.length > TEXT_BYTES,
    text: binary ? null : bytes.subarray(0, TEXT_BYTES).toString("utf8"),
  };
}
