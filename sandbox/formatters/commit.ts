import { type FileChange, listChangedFiles } from "../git/diff.ts";
import type { GitCommit, GitSignature } from "../git/objects.ts";
import { readCommit } from "../git/objects.ts";
import { getObjects } from "../state/find.ts";
import { buildNodeId } from "../state/node-id.ts";
import type { Repository } from "../state/repositories.ts";
import type { World } from "../state/world.ts";
import { formatAccountById } from "./account.ts";
import { formatTime, type JsonObject } from "./json.ts";
import { getRepositoryApiUrl, getRepositoryUrl } from "./repository.ts";

const formatSignature = (signature: GitSignature): JsonObject => ({
  name: signature.name,
  email: signature.email,
  date: formatTime(signature.at),
});

const UNSIGNED_VERIFICATION = {
  verified: false,
  reason: "unsigned",
  signature: null,
  payload: null,
  verified_at: null,
};

/** Formats a commit for lists. */
export function formatCommit(world: World, repository: Repository, commit: GitCommit): JsonObject {
  const api = getRepositoryApiUrl(world, repository);
  const page = getRepositoryUrl(world, repository);
  return {
    sha: commit.sha,
    node_id: buildNodeId("Commit", `${repository.id}:${commit.sha}`),
    commit: {
      author: formatSignature(commit.author),
      committer: formatSignature(commit.committer),
      message: commit.message,
      tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
      url: `${api}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: UNSIGNED_VERIFICATION,
    },
    url: `${api}/commits/${commit.sha}`,
    html_url: `${page}/commit/${commit.sha}`,
    comments_url: `${api}/commits/${commit.sha}/comments`,
    author: formatAccountById(world, commit.author.accountId),
    committer: formatAccountById(world, commit.committer.accountId),
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${api}/commits/${sha}`,
      html_url: `${page}/commit/${sha}`,
    })),
  };
}

/** Formats a commit with its changes against its first parent. */
export function formatFullCommit(world: World, repository: Repository, commit: GitCommit): JsonObject {
  const changes = listChangedFiles(getObjects(world, repository), commit.parents[0] ?? null, commit.sha);
  const additions = changes.reduce((sum, change) => sum + change.additions, 0);
  const deletions = changes.reduce((sum, change) => sum + change.deletions, 0);
  return {
    ...formatCommit(world, repository, commit),
    stats: { total: additions + deletions, additions, deletions },
    files: changes
      .slice(0, 300)
      .map((change) => formatFileChange(world, { repository, ref: commit.sha }, change)),
  };
}

/** Formats a commit for the git database's endpoint. */
export function formatGitCommit(world: World, repository: Repository, commit: GitCommit): JsonObject {
  const api = getRepositoryApiUrl(world, repository);
  const page = getRepositoryUrl(world, repository);
  return {
    sha: commit.sha,
    node_id: buildNodeId("Commit", `${repository.id}:${commit.sha}`),
    url: `${api}/git/commits/${commit.sha}`,
    html_url: `${page}/commit/${commit.sha}`,
    author: formatSignature(commit.author),
    committer: formatSignature(commit.committer),
    tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
    message: commit.message,
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${api}/git/commits/${sha}`,
      html_url: `${page}/commit/${sha}`,
    })),
    verification: UNSIGNED_VERIFICATION,
  };
}

/** Formats a commit for check suites and merge groups. */
export function formatHeadCommit(world: World, repository: Repository, sha: string): JsonObject | null {
  const commit = readCommit(getObjects(world, repository), sha);
  if (commit === null) return null;
  return {
    id: commit.sha,
    tree_id: commit.tree,
    message: commit.message,
    timestamp: formatTime(commit.committer.at),
    author: { name: commit.author.name, email: commit.author.email },
    committer: { name: commit.committer.name, email: commit.committer.email },
  };
}

/** Formats one changed file of a commit or a pull request. */
export function formatFileChange(
  world: World,
  at: { repository: Repository; ref: string },
  change: FileChange,
): JsonObject {
  const page = getRepositoryUrl(world, at.repository);
  const path = encodeURIComponent(change.path);
  return {
    sha: change.sha,
    filename: change.path,
    status: change.status,
    additions: change.additions,
    deletions: change.deletions,
    changes: change.additions + change.deletions,
    blob_url: `${page}/blob/${at.ref}/${path}`,
    raw_url: `${page}/raw/${at.ref}/${path}`,
    contents_url: `${getRepositoryApiUrl(world, at.repository)}/contents/${path}?ref=${at.ref}`,
    ...(change.patch === null ? {} : { patch: change.patch }),
    ...(change.previousPath === null ? {} : { previous_filename: change.previousPath }),
  };
}
