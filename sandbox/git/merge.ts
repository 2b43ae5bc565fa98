import { findMergeBase } from "./history.ts";
import { type GitSignature, type ObjectStore, writeCommit } from "./objects.ts";
import { readSnapshot, type Snapshot, type SnapshotEntry, writeSnapshot } from "./snapshot.ts";

/** Applies the changes of `head` since the common ancestor to `base`; null when both changed one file differently. */
export function mergeFiles(store: ObjectStore, base: string, head: string): Snapshot | null {
  const origin = readSnapshot(store, findMergeBase(store, base, head));
  const ours = readSnapshot(store, base);
  const theirs = readSnapshot(store, head);
  const merged = new Map<string, SnapshotEntry>(ours);
  for (const path of new Set([...origin.keys(), ...theirs.keys()])) {
    const change = { origin: origin.get(path), ours: ours.get(path), theirs: theirs.get(path) };
    if (isSameEntry(change.theirs, change.origin) || isSameEntry(change.theirs, change.ours)) continue;
    if (!isSameEntry(change.ours, change.origin)) return null;
    if (change.theirs === undefined) merged.delete(path);
    else merged.set(path, change.theirs);
  }
  return merged;
}

/** Creates a merge commit of `head` into `base`; null when they conflict. */
export function createMergeCommit(
  store: ObjectStore,
  sides: { base: string; head: string },
  words: { message: string; author: GitSignature },
): string | null {
  const files = mergeFiles(store, sides.base, sides.head);
  if (files === null) return null;
  const commit = {
    tree: writeSnapshot(store, files),
    parents: [sides.base, sides.head],
    author: words.author,
    committer: words.author,
    message: words.message,
  };
  return writeCommit(store, commit).sha;
}

const isSameEntry = (a: SnapshotEntry | undefined, b: SnapshotEntry | undefined): boolean =>
  a?.sha === b?.sha && a?.mode === b?.mode;
