import { isBinary } from "../../git/diff.ts";
import { type GitTreeEntry, type ObjectStore, readBlob, readCommit, readTree } from "../../git/objects.ts";
import { entryAt } from "../../git/snapshot.ts";
import { objectsOf } from "../../state/find.ts";
import type { Repository } from "../../state/repositories.ts";
import { type CallerView, type NodeFields, requirePermissions } from "./view.ts";

/** A blob's text is truncated at this size, in bytes. */
const TEXT_BYTES = 512_000;

const TYPES = { "040000": "tree", "160000": "commit" } as const;

/** Returns the object of a git id; null when the repository does not have it. */
export function objectFields(view: CallerView, repository: Repository, oid: string): NodeFields | null {
  requirePermissions(view, "contents:read");
  return anyObject(view, repository, oid);
}

/** Returns a file or directory of a commit with its mode; null when the path does not exist. */
export function fileFields(
  view: CallerView,
  at: { repository: Repository; sha: string; path: string },
): NodeFields | null {
  requirePermissions(view, "contents:read");
  const entry = entryAt(objectsOf(view.world, at.repository), at.sha, at.path);
  return entry === null ? null : entryFields(view, at.repository, entry);
}

const entryFields = (view: CallerView, repository: Repository, entry: GitTreeEntry): NodeFields => ({
  mode: Number.parseInt(entry.mode, 8),
  type: entry.mode in TYPES ? TYPES[entry.mode as keyof typeof TYPES] : "blob", // "in" is the proof
  object: () => anyObject(view, repository, entry.sha),
});

/** A submodule's commit is in another repository, so it has no object here. */
function anyObject(view: CallerView, repository: Repository, sha: string): NodeFields | null {
  const objects = objectsOf(view.world, repository);
  if (readCommit(objects, sha) !== null) return view.nodes.commit(view, repository, sha);
  if (readTree(objects, sha) !== null) return { __typename: "Tree", oid: sha };
  return blobFields(objects, sha);
}

function blobFields(objects: ObjectStore, sha: string): NodeFields | null {
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
