import { type GitMode, type GitTreeEntry, readBlob, readTree } from "../git/objects.ts";
import { getObjects } from "../state/find.ts";
import type { Repository } from "../state/repositories.ts";
import type { World } from "../state/world.ts";
import type { JsonObject } from "./json.ts";
import { getRepositoryApiUrl, getRepositoryUrl } from "./repository.ts";

export interface ContentAddress {
  readonly repository: Repository;
  readonly ref: string;
  readonly path: string;
}

const ENTRY_TYPES: Readonly<Record<GitMode, string>> = {
  "100644": "file",
  "100755": "file",
  "120000": "symlink",
  "160000": "submodule",
  "040000": "dir",
};

/** Above this size, in bytes, the API omits the content from the JSON. */
const INLINE_BYTES = 1_048_576;

/** Formats a path for the contents API: a file with its content, or a list for a directory. */
export function formatContent(
  world: World,
  place: ContentAddress,
  entry: GitTreeEntry,
): JsonObject | readonly JsonObject[] {
  const objects = getObjects(world, place.repository);
  if (entry.mode === "040000") {
    const children = readTree(objects, entry.sha)?.entries ?? [];
    const prefix = place.path === "" ? "" : `${place.path}/`;
    return children.map((child) => formatEntry(world, { ...place, path: prefix + child.name }, child));
  }
  const bytes = readBlob(objects, entry.sha)?.bytes ?? Buffer.alloc(0);
  const common = formatEntry(world, place, entry);
  if (entry.mode === "120000") return { ...common, target: bytes.toString("utf8") };
  if (entry.mode === "160000") return { ...common, submodule_git_url: `${world.origin()}/submodule.git` };
  if (bytes.length > INLINE_BYTES) return { ...common, content: "", encoding: "none" };
  const lines = bytes.toString("base64").match(/.{1,60}/g) ?? [];
  return { ...common, content: lines.map((line) => `${line}\n`).join(""), encoding: "base64" };
}

function formatEntry(world: World, place: ContentAddress, entry: GitTreeEntry): JsonObject {
  const path = place.path.split("/").map(encodeURIComponent).join("/");
  const self = `${getRepositoryApiUrl(world, place.repository)}/contents/${path}?ref=${encodeURIComponent(place.ref)}`;
  const git = `${getRepositoryApiUrl(world, place.repository)}/git/${entry.mode === "040000" ? "trees" : "blobs"}/${entry.sha}`;
  const html = `${getRepositoryUrl(world, place.repository)}/blob/${place.ref}/${path}`;
  const isFile = entry.mode !== "040000" && entry.mode !== "160000";
  return {
    type: ENTRY_TYPES[entry.mode],
    size: readBlob(getObjects(world, place.repository), entry.sha)?.bytes.length ?? 0,
    name: place.path.split("/").at(-1) ?? "",
    path: place.path,
    sha: entry.sha,
    url: self,
    git_url: git,
    html_url: html,
    download_url: isFile ? `${getRepositoryUrl(world, place.repository)}/raw/${place.ref}/${path}` : null,
    _links: { self, git, html },
  };
}
