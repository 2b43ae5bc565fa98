import {
  type GitMode,
  type GitTreeEntry,
  type ObjectStore,
  readCommit,
  readTree,
  writeTree,
} from "./objects.ts";

export interface SnapshotEntry {
  readonly mode: Exclude<GitMode, "040000">;
  readonly sha: string;
}

/** All files of a commit by path. */
export type Snapshot = ReadonlyMap<string, SnapshotEntry>;

/** Returns the files of a commit; empty when the commit does not exist. */
export function readSnapshot(store: ObjectStore, commitSha: string | null): Snapshot {
  const commit = commitSha === null ? null : readCommit(store, commitSha);
  const files = new Map<string, SnapshotEntry>();
  if (commit !== null) collectFiles(store, { tree: commit.tree, prefix: "" }, files);
  return files;
}

/** Writes the trees of a set of files and returns the id of the root. */
export function writeSnapshot(store: ObjectStore, files: Snapshot): string {
  const here: GitTreeEntry[] = [];
  const below = new Map<string, Map<string, SnapshotEntry>>();
  for (const [path, entry] of files) {
    const slash = path.indexOf("/");
    if (slash === -1) {
      here.push({ name: path, ...entry });
      continue;
    }
    const directory = path.slice(0, slash);
    const inside = below.get(directory) ?? new Map<string, SnapshotEntry>();
    below.set(directory, inside.set(path.slice(slash + 1), entry));
  }
  for (const [name, inside] of below) here.push({ name, mode: "040000", sha: writeSnapshot(store, inside) });
  return writeTree(store, here).sha;
}

/** Returns the entry at a path of a commit: a file, a directory ("040000"), or null. The empty path is the root. */
export function readTreeEntry(store: ObjectStore, commitSha: string, path: string): GitTreeEntry | null {
  const commit = readCommit(store, commitSha);
  if (commit === null) return null;
  let entry: GitTreeEntry = { name: "", mode: "040000", sha: commit.tree };
  for (const name of path.split("/").filter((part) => part !== "")) {
    const next = readTree(store, entry.sha)?.entries.find((child) => child.name === name);
    if (next === undefined) return null;
    entry = next;
  }
  return entry;
}

function collectFiles(
  store: ObjectStore,
  place: { tree: string; prefix: string },
  files: Map<string, SnapshotEntry>,
): void {
  for (const entry of readTree(store, place.tree)?.entries ?? []) {
    const path = place.prefix + entry.name;
    if (entry.mode === "040000") collectFiles(store, { tree: entry.sha, prefix: `${path}/` }, files);
    else files.set(path, { mode: entry.mode, sha: entry.sha });
  }
}
