import { type ObjectStore, readBlob } from "./objects.ts";
import { readSnapshot, type Snapshot, type SnapshotEntry } from "./snapshot.ts";

export interface FileChange {
  readonly path: string;
  readonly status: "added" | "removed" | "modified" | "renamed";
  readonly previousPath: string | null;
  /** Id of the file's new content; of the old one for a removed file. */
  readonly sha: string;
  readonly additions: number;
  readonly deletions: number;
  /** Unified hunks; null for binary files and pure renames. */
  readonly patch: string | null;
}

/** Returns the changed files between two commits, ordered by path. A removed and an added file of equal content are a rename. */
export function listChangedFiles(store: ObjectStore, from: string | null, to: string): readonly FileChange[] {
  const before = readSnapshot(store, from);
  const after = readSnapshot(store, to);
  const removed = new Map([...before].filter(([path]) => !after.has(path)));
  const changes: FileChange[] = [];
  for (const [path, entry] of after) {
    const change = deriveFileChange(store, { path, entry, old: before.get(path) ?? null, removed });
    if (change !== null) changes.push(change);
  }
  for (const [path, entry] of removed) {
    changes.push({
      path,
      status: "removed",
      previousPath: null,
      sha: entry.sha,
      ...diffLines(store, entry, null),
    });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

interface DiffPosition {
  readonly path: string;
  readonly entry: SnapshotEntry;
  readonly old: SnapshotEntry | null;
  readonly removed: Map<string, SnapshotEntry>;
}

function deriveFileChange(store: ObjectStore, place: DiffPosition): FileChange | null {
  const { path, entry, old } = place;
  if (old !== null && old.sha === entry.sha && old.mode === entry.mode) return null;
  if (old !== null) {
    return { path, status: "modified", previousPath: null, sha: entry.sha, ...diffLines(store, old, entry) };
  }
  const source = findRenameSource(place.removed, entry);
  if (source !== null) {
    place.removed.delete(source);
    const same = { additions: 0, deletions: 0, patch: null };
    return { path, status: "renamed", previousPath: source, sha: entry.sha, ...same };
  }
  return { path, status: "added", previousPath: null, sha: entry.sha, ...diffLines(store, null, entry) };
}

function findRenameSource(removed: Snapshot, entry: SnapshotEntry): string | null {
  for (const [path, old] of removed) if (old.sha === entry.sha) return path;
  return null;
}

type LineDiff = Pick<FileChange, "additions" | "deletions" | "patch">;

/** Returns one hunk from the first to the last differing line: a correct diff, but not the shortest. */
function diffLines(store: ObjectStore, from: SnapshotEntry | null, to: SnapshotEntry | null): LineDiff {
  const before = readTextLines(store, from);
  const after = readTextLines(store, to);
  if (before === null || after === null) return { additions: 0, deletions: 0, patch: null };
  const start = countSharedLines(before, after);
  const end = Math.min(
    countSharedLines([...before].reverse(), [...after].reverse()),
    Math.min(before.length, after.length) - start,
  );
  const gone = before.slice(start, before.length - end);
  const come = after.slice(start, after.length - end);
  const header = `@@ -${formatRange(start, gone.length)} +${formatRange(start, come.length)} @@`;
  const patch = [header, ...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`)].join("\n");
  return { additions: come.length, deletions: gone.length, patch };
}

const formatRange = (start: number, length: number): string =>
  `${length === 0 ? start : start + 1},${length}`;

function countSharedLines(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

function readTextLines(store: ObjectStore, entry: SnapshotEntry | null): readonly string[] | null {
  if (entry === null) return [];
  const bytes = readBlob(store, entry.sha)?.bytes ?? Buffer.from(`Subproject commit ${entry.sha}\n`);
  if (isBinary(bytes)) return null;
  const text = bytes.toString("utf8");
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** Git's rule for binary files: a zero byte among the first 8,000. */
export const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8000).includes(0);
