import { formatAccountById } from "../formatters/account.ts";
import type { JsonObject } from "../formatters/json.ts";
import { formatTime } from "../formatters/json.ts";
import { formatRepository, getRepositoryUrl } from "../formatters/repository.ts";
import { listChangedFiles } from "../git/diff.ts";
import { isAncestor, listCommitsBetween } from "../git/history.ts";
import type { GitCommit } from "../git/objects.ts";
import { type GitSignature, readCommit } from "../git/objects.ts";
import type { Account } from "../state/accounts.ts";
import { getObjects } from "../state/find.ts";
import type { Repository } from "../state/repositories.ts";
import type { World } from "../state/world.ts";
import { deliverEvent } from "./deliver-event.ts";

/** Git's id of "no commit". */
export const NO_COMMIT = "0".repeat(40);

/** The maximum number of commits in a push payload. */
const MAX_COMMITS = 2048;

export interface BranchMove {
  readonly repository: Repository;
  readonly branch: string;
  readonly before: string;
  readonly after: string;
  readonly by: Account;
}

/** Sends `push`. */
export function emitPush(world: World, move: BranchMove): void {
  const { repository, before, after, by } = move;
  const objects = getObjects(world, repository);
  const created = before === NO_COMMIT;
  const deleted = after === NO_COMMIT;
  const base = created ? (repository.branches.get(repository.defaultBranch) ?? NO_COMMIT) : before;
  const commits = deleted ? [] : listCommitsBetween(objects, base, after).slice(-MAX_COMMITS);
  const head = deleted ? null : readCommit(objects, after);
  const payload = {
    ref: `refs/heads/${move.branch}`,
    before,
    after,
    repository: formatPushedRepository(world, repository),
    pusher: { name: by.login, email: `${by.login}@users.noreply.github.com` },
    created,
    deleted,
    forced: !created && !deleted && !isAncestor(objects, before, after),
    base_ref: null,
    compare: `${getRepositoryUrl(world, repository)}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits: commits.map((commit) => formatPushedCommit(world, repository, commit)),
    head_commit: head === null ? null : formatPushedCommit(world, repository, head),
  };
  deliverEvent(world, { event: "push", action: null, repository, senderId: by.id, payload });
}

/** Push payloads state some of a repository's times in seconds, and more about its owner. */
function formatPushedRepository(world: World, repository: Repository): JsonObject {
  const owner = world.accounts.require(repository.ownerId);
  return {
    ...formatRepository(world, repository),
    owner: { ...formatAccountById(world, owner.id), name: owner.login, email: null },
    created_at: Math.floor(repository.createdAt / 1000),
    pushed_at: Math.floor(repository.pushedAt / 1000),
    stargazers: 0,
    master_branch: repository.defaultBranch,
    ...(owner.type === "Organization" ? { organization: owner.login } : {}),
  };
}

function formatPushedCommit(world: World, repository: Repository, commit: GitCommit): JsonObject {
  const changes = listChangedFiles(getObjects(world, repository), commit.parents[0] ?? null, commit.sha);
  const paths = (...kinds: readonly string[]) =>
    changes.filter((change) => kinds.includes(change.status)).map((change) => change.path);
  const moved = changes.flatMap((change) => change.previousPath ?? []);
  const person = (signature: GitSignature) => ({
    name: signature.name,
    email: signature.email,
    username: world.accounts.require(signature.accountId).login,
  });
  return {
    id: commit.sha,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: formatTime(commit.committer.at),
    url: `${getRepositoryUrl(world, repository)}/commit/${commit.sha}`,
    author: person(commit.author),
    committer: person(commit.committer),
    added: paths("added", "renamed"),
    removed: [...paths("removed"), ...moved],
    modified: paths("modified"),
  };
}
