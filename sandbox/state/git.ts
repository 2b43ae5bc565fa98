import { createHash } from "node:crypto";
import { diffLines } from "./line-diff.ts";
import type { Account } from "./records.ts";

/** Git's modes of a tree entry: file, executable, symbolic link, submodule, directory. */
export type GitMode = "100644" | "100755" | "120000" | "160000" | "040000";

export interface GitBlob {
  readonly kind: "blob";
  readonly sha: string;
  readonly bytes: Buffer;
}

export interface GitTreeEntry {
  readonly name: string;
  readonly mode: GitMode;
  readonly sha: string;
}

export interface GitTree {
  readonly kind: "tree";
  readonly sha: string;
  /** In git's order. */
  readonly entries: readonly GitTreeEntry[];
}

export interface GitSignature {
  readonly name: string;
  readonly email: string;
  /** Milliseconds since 1970-01-01 UTC; git stores whole seconds. */
  readonly at: number;
  /** Id of the GitHub account; not part of the commit's id. */
  readonly accountId: number;
}

export interface GitCommit {
  readonly kind: "commit";
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: GitSignature;
  readonly committer: GitSignature;
  readonly message: string;
  /** Whether GitHub made it on its pages and signed it; not part of the commit's id. */
  readonly isMadeByGitHub?: boolean;
}

export type GitObject = GitBlob | GitTree | GitCommit;

/** The objects of one network of repositories, by id. */
export type ObjectStore = Map<string, GitObject>;

/** Ids are git's own hashes, so content has the same id as in a real repository. */
const hashObject = (kind: GitObject["kind"], content: Buffer): string =>
  createHash("sha1").update(`${kind} ${content.length}\0`).update(content).digest("hex");

function storeObject<T extends GitObject>(store: ObjectStore, object: T): T {
  store.set(object.sha, object);
  return object;
}

export const writeBlob = (store: ObjectStore, bytes: Buffer): GitBlob =>
  storeObject(store, { kind: "blob", sha: hashObject("blob", bytes), bytes });

export function writeTree(store: ObjectStore, entries: readonly GitTreeEntry[]): GitTree {
  const sorted = [...entries].sort((a, b) => Buffer.compare(buildSortKey(a), buildSortKey(b)));
  const parts = sorted.flatMap((entry) => [
    Buffer.from(`${entry.mode.replace(/^0/, "")} ${entry.name}\0`),
    Buffer.from(entry.sha, "hex"),
  ]);
  return storeObject(store, { kind: "tree", sha: hashObject("tree", Buffer.concat(parts)), entries: sorted });
}

export function writeCommit(store: ObjectStore, commit: Omit<GitCommit, "kind" | "sha">): GitCommit {
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${serializeSignature(commit.author)}`,
    `committer ${serializeSignature(commit.committer)}`,
    "",
    commit.message,
  ];
  return storeObject(store, {
    ...commit,
    kind: "commit",
    sha: hashObject("commit", Buffer.from(lines.join("\n"))),
  });
}

export const readCommit = (store: ObjectStore, sha: string): GitCommit | null =>
  readObject(store, sha, "commit");
export const readTree = (store: ObjectStore, sha: string): GitTree | null => readObject(store, sha, "tree");
export const readBlob = (store: ObjectStore, sha: string): GitBlob | null => readObject(store, sha, "blob");

function readObject<K extends GitObject["kind"]>(store: ObjectStore, sha: string, kind: K) {
  const object = store.get(sha);
  // The kind was compared, which TypeScript does not carry over to the type parameter.
  return object?.kind === kind ? (object as Extract<GitObject, { kind: K }>) : null;
}

// Git sorts a directory as if its name ended in a slash.
const buildSortKey = (entry: GitTreeEntry): Buffer =>
  Buffer.from(entry.mode === "040000" ? `${entry.name}/` : entry.name);

const serializeSignature = (signature: GitSignature): string =>
  `${signature.name} <${signature.email}> ${Math.floor(signature.at / 1000)} +0000`;

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

/** Git's id of "no commit". */
export const NO_COMMIT = "0".repeat(40);

export const isAncestor = (store: ObjectStore, ancestor: string, sha: string): boolean =>
  collectAncestors(store, sha).has(ancestor);

/** Content of a path: text, bytes, null to delete it, or a submodule, symbolic link or executable. */
export type FileContent =
  | string
  | Uint8Array
  | null
  | { readonly symlink: string }
  | { readonly submodule: string }
  | { readonly executable: string };

export type FileTree = Readonly<Record<string, FileContent>>;

/** Returns the files with the changes of `files`, and writes their contents. */
export function applyChanges(store: ObjectStore, before: Snapshot, files: FileTree): Snapshot {
  const result = new Map(before);
  for (const [path, content] of Object.entries(files)) {
    if (content === null) result.delete(path);
    else result.set(path, writeEntry(store, content));
  }
  return result;
}

function writeEntry(store: ObjectStore, content: Exclude<FileContent, null>): SnapshotEntry {
  const write = (mode: SnapshotEntry["mode"], bytes: string | Uint8Array) => ({
    mode,
    sha: writeBlob(store, Buffer.from(bytes)).sha,
  });
  if (typeof content === "string" || content instanceof Uint8Array) return write("100644", content);
  if ("submodule" in content) return { mode: "160000", sha: content.submodule };
  return "symlink" in content ? write("120000", content.symlink) : write("100755", content.executable);
}

/** Writes a commit of changes to its parent's files, without moving a branch; returns its id. */
export function commitFiles(
  store: ObjectStore,
  commit: { parent: string | null; files: FileTree; message: string; author: GitSignature },
): string {
  const { parent, author, message } = commit;
  const files = applyChanges(store, readSnapshot(store, parent), commit.files);
  const parents = parent === null ? [] : [parent];
  return writeCommit(store, {
    tree: writeSnapshot(store, files),
    parents,
    author,
    committer: author,
    message,
  }).sha;
}

/** Returns an account's commit signature at a time. */
export const createSignature = (account: Account, at: number): GitSignature => ({
  name: account.name ?? account.login,
  email: `${account.id}+${account.login.replace(/[[\]]/g, "")}@users.noreply.github.com`,
  at,
  accountId: account.id,
});

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
  { base, head }: { base: string; head: string },
  { message, author }: { message: string; author: GitSignature },
): string | null {
  const files = mergeFiles(store, base, head);
  if (files === null) return null;
  const tree = writeSnapshot(store, files);
  return writeCommit(store, { tree, parents: [base, head], author, committer: author, message }).sha;
}

/** How a pull request is merged: with a merge commit, as one commit, or as its commits again on top of the base. */
export type MergeMethod = "merge" | "squash" | "rebase";

/** Puts the changes of `head` on top of `base` without a merge commit, and returns the last commit; null when they conflict. */
export function createLinearCommits(
  store: ObjectStore,
  { base, head, method }: { base: string; head: string; method: Exclude<MergeMethod, "merge"> },
  { message, author }: { message: string; author: GitSignature },
): string | null {
  const commits = method === "squash" ? [{ sha: head, message }] : listCommitsBetween(store, base, head);
  let tip = base;
  for (const one of commits) {
    const files = mergeFiles(store, tip, one.sha);
    if (files === null) return null;
    const tree = writeSnapshot(store, files);
    tip = writeCommit(store, { tree, parents: [tip], author, committer: author, message: one.message }).sha;
  }
  return tip;
}

const isSameEntry = (a: SnapshotEntry | undefined, b: SnapshotEntry | undefined): boolean =>
  a?.sha === b?.sha && a?.mode === b?.mode;

export interface FileChange {
  readonly path: string;
  readonly status: "added" | "removed" | "modified" | "renamed";
  readonly previousPath: string | null;
  readonly additions: number;
  readonly deletions: number;
}

/** Returns the changed files between two commits, ordered by path. A removed and an added file of equal content are a rename. */
export function listChangedFiles(store: ObjectStore, from: string | null, to: string): readonly FileChange[] {
  const before = readSnapshot(store, from);
  const after = readSnapshot(store, to);
  const removed = new Map([...before].filter(([path]) => !after.has(path)));
  const changes: FileChange[] = [];
  for (const [path, entry] of after) {
    const old = before.get(path) ?? null;
    const source = old === null ? findRenameSource(removed, entry) : null;
    const common = { path, previousPath: source };
    if (source !== null) {
      removed.delete(source);
      changes.push({ ...common, status: "renamed", ...UNCHANGED });
    } else if (old?.sha !== entry.sha || old.mode !== entry.mode) {
      changes.push({
        ...common,
        status: old === null ? "added" : "modified",
        ...countChangedLines(store, old, entry),
      });
    }
  }
  for (const [path, { sha }] of removed)
    changes.push({ path, status: "removed", previousPath: null, ...countChangedLines(store, { sha }, null) });
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns what a pull request changes: from the common ancestor to its head. */
export const listPullChanges = (
  store: ObjectStore,
  { baseSha, headSha }: { baseSha: string; headSha: string },
): readonly FileChange[] => listChangedFiles(store, findMergeBase(store, baseSha, headSha), headSha);

export const countLines = (changes: readonly FileChange[]): { additions: number; deletions: number } => ({
  additions: changes.reduce((sum, change) => sum + change.additions, 0),
  deletions: changes.reduce((sum, change) => sum + change.deletions, 0),
});

const findRenameSource = (removed: Snapshot, entry: SnapshotEntry): string | null =>
  removed.entries().find(([, old]) => old.sha === entry.sha)?.[0] ?? null;

type LineDiff = Pick<FileChange, "additions" | "deletions">;
type Content = Pick<SnapshotEntry, "sha"> | null;

const UNCHANGED: LineDiff = { additions: 0, deletions: 0 };

function countChangedLines(store: ObjectStore, from: Content, to: Content): LineDiff {
  const before = readTextLines(store, from);
  const after = readTextLines(store, to);
  if (before === null || after === null) return UNCHANGED;
  const lines = diffLines(before, after);
  const kept = lines.filter((line) => line.before !== null && line.after !== null).length;
  return { additions: after.length - kept, deletions: before.length - kept };
}

/** The lines of a text file; null: it is binary. */
export function readTextLines(store: ObjectStore, entry: Content): readonly string[] | null {
  if (entry === null) return [];
  const bytes = readBlob(store, entry.sha)?.bytes ?? Buffer.from(`Subproject commit ${entry.sha}\n`);
  if (isBinary(bytes)) return null;
  const text = bytes.toString("utf8");
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** Git's rule for binary files: a zero byte among the first 8,000. */
export const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8000).includes(0);
