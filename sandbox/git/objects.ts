import { createHash } from "node:crypto";

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
