import { expect, test } from "vitest";
import {
  findMergeBase,
  listChangedFiles,
  listCommitsBetween,
  mergeFiles,
  type ObjectStore,
  readTreeEntry,
  type SnapshotEntry,
  writeBlob,
  writeCommit,
  writeSnapshot,
  writeTree,
} from "../../sandbox/state/git.ts";

const who = { name: "Ada", email: "ada@example.com", at: 1_700_000_000_000, accountId: 1 };

function commit(store: ObjectStore, files: Record<string, string>, parents: readonly string[] = []): string {
  const entries = Object.entries(files).map(([path, text]): [string, SnapshotEntry] => [
    path,
    { mode: "100644", sha: writeBlob(store, Buffer.from(text)).sha },
  ]);
  const tree = writeSnapshot(store, new Map(entries));
  return writeCommit(store, { tree, parents, author: who, committer: who, message: "m" }).sha;
}

test("blobs and trees have the ids that git itself gives them", () => {
  const store: ObjectStore = new Map();
  const blob = writeBlob(store, Buffer.from("hello world\n"));
  expect(blob.sha).toBe("3b18e512dba79e4c8300dd08aeb37f8e728b8dad");
  expect(writeTree(store, []).sha).toBe("4b825dc642cb6eb9a060e54bf8d69288fbee4904");
  expect(writeTree(store, [{ name: "hello.txt", mode: "100644", sha: blob.sha }]).sha).toBe(
    "68aba62e560c0ebc3396e8ae9335232cd93a3f60",
  );
});

test("a directory sorts as if its name ended in a slash, so that the id is git's", () => {
  const store: ObjectStore = new Map();
  const tree = commit(store, { "a/x": "1", "a.b": "2", a0: "3" });
  expect(readTreeEntry(store, tree, "a/x")?.mode).toBe("100644");
  const top = [...store.values()].find((object) => object.kind === "tree" && object.entries.length === 3);
  expect(top?.kind === "tree" && top.entries.map((entry) => entry.name)).toEqual(["a.b", "a", "a0"]);
});

test("changes are added, modified, removed and renamed files with their lines", () => {
  const store: ObjectStore = new Map();
  const from = commit(store, { keep: "k\n", edit: "a\nb\nc\n", gone: "g\n", old: "same\n" });
  const to = commit(store, { keep: "k\n", edit: "a\nB\nB2\nc\n", new: "n\n", moved: "same\n" }, [from]);
  expect(listChangedFiles(store, from, to)).toMatchObject([
    { path: "edit", status: "modified", additions: 2, deletions: 1 },
    { path: "gone", status: "removed", additions: 0, deletions: 1 },
    { path: "moved", status: "renamed", previousPath: "old", additions: 0 },
    { path: "new", status: "added", additions: 1, deletions: 0 },
  ]);
});

test("history: the nearest common ancestor, and what one side has more", () => {
  const store: ObjectStore = new Map();
  const root = commit(store, { a: "1" });
  const ours = commit(store, { a: "2" }, [root]);
  const one = commit(store, { a: "1", b: "1" }, [root]);
  const two = commit(store, { a: "1", b: "2" }, [one]);
  expect(findMergeBase(store, ours, two)).toBe(root);
  expect(listCommitsBetween(store, ours, two).map(({ sha }) => sha)).toEqual([one, two]);
});

test("merging takes both sides' changes, and refuses one file changed differently", () => {
  const store: ObjectStore = new Map();
  const root = commit(store, { a: "1", b: "1" });
  const ours = commit(store, { a: "2", b: "1" }, [root]);
  const theirs = commit(store, { a: "1", b: "2" }, [root]);
  const clash = commit(store, { a: "3", b: "1" }, [root]);
  const merged = mergeFiles(store, ours, theirs);
  expect(merged?.get("a")?.sha).toBe(readTreeEntry(store, ours, "a")?.sha);
  expect(merged?.get("b")?.sha).toBe(readTreeEntry(store, theirs, "b")?.sha);
  expect(mergeFiles(store, ours, clash)).toBeNull();
});
