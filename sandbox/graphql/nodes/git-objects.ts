import { isBinary } from "../../git/diff.ts";
import { type GitTreeEntry, type ObjectStore, readBlob, readCommit, readTree } from "../../git/objects.ts";
import { readTreeEntry } from "../../git/snapshot.ts";
import { getObjects } from "../../state/find.ts";
import type { Repository } from "../../state/repositories.ts";
import { type CallerView, type NodeFields, requirePermissions } from "./caller-view.ts";

/** A blob's text is truncated at this size, in bytes. */
const TEXT_BYTES = 512_000;

const ENTRY_TYPES = { "040000": "tree", "160000": "commit" } as const;

/** Returns the object of a git id; null when the repository does not have it. */
export function buildObjectFields(view: CallerView, repository: Repository, oid: string): NodeFields | null {
  requirePermissions(view, "contents:read");
  return findObject(view, repository, oid);
}

/** Returns a file or directory of a commit with its mode; null when the path does not exist. */
export function buildFileFields(
  view: CallerView,
  at: { repository: Repository; sha: string; path: string },
): NodeFields | null {
  requirePermissions(view, "contents:read");
  const entry = readTreeEntry(getObjects(view.world, at.repository), at.sha, at.path);
  return entry === null ? null : buildEntryFields(view, at.repository, entry);
}

const buildEntryFields = (view: CallerView, repository: Repository, entry: GitTreeEntry): NodeFields => ({
  mode: Number.parseInt(entry.mode, 8),
  type: entry.mode in ENTRY_TYPES ? ENTRY_TYPES[entry.mode as keyof typeof ENTRY_TYPES] : "blob", // "in" is the proof
  object: () => findObject(view, repository, entry.sha),
});

/** A submodule's commit is in another repository, so it has no object here. */
function findObject(view: CallerView, repository: Repository, sha: string): NodeFields | null {
  const objects = getObjects(view.world, repository);
  if (readCommit(objects, sha) !== null) return view.nodes.commit(view, repository, sha);
  if (readTree(objects, sha) !== null) return { __typename: "Tree", oid: sha };
  return buildBlobFields(objects, sha);
}

function buildBlobFields(objects: ObjectStore, sha: string): NodeFields | null {
  const blob = readBlob(objects, sha);
  if (blob === null) return null;
  const binary = isBinary(blob.bytes);
  return {
    __typename: "Blob",
    oid: sha,
    byteSize: blob.bytes.length,
    isBinary: binary,
    isTruncated: blob.bytes.length > TEXT_BYTES,
    text: binary ? null : blob.bytes.subarray(0, TEXT_BYTES).toString("utf8"),
  };
}
