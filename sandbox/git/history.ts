import { type GitCommit, type ObjectStore, readCommit } from "./objects.ts";

/** Returns the commit and all its ancestors, breadth first. */
export function collectAncestors(store: ObjectStore, sha: string): Map<string, GitCommit> {
  const found = new Map<string, GitCommit>();
  const queue = [sha];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const commit = found.has(next) ? null : readCommit(store, next);
    if (commit === null) continue;
    found.set(next, commit);
    queue.push(...commit.parents);
  }
  return found;
}

/** Returns the nearest common ancestor, or null without one. */
export function findMergeBase(store: ObjectStore, a: string, b: string): string | null {
  const known = collectAncestors(store, a);
  for (const sha of collectAncestors(store, b).keys()) if (known.has(sha)) return sha;
  return null;
}

/** Returns the commits of `head` that `base` lacks, oldest first, in GitHub's order for pull requests. */
export function listCommitsBetween(store: ObjectStore, base: string, head: string): readonly GitCommit[] {
  const known = collectAncestors(store, base);
  const added = [...collectAncestors(store, head).values()].filter((commit) => !known.has(commit.sha));
  return added.reverse();
}

export const isAncestor = (store: ObjectStore, ancestor: string, sha: string): boolean =>
  collectAncestors(store, sha).has(ancestor);
