import { type ApiAnswer, type ApiRoute, ok, type RepositoryCall } from "../api/call.ts";
import { formatGitCommit } from "../formatters/commit.ts";
import { formatContent } from "../formatters/content.ts";
import { getRepositoryApiUrl } from "../formatters/repository.ts";
import { type GitTreeEntry, readBlob, readCommit, readTree } from "../git/objects.ts";
import { readSnapshot, readTreeEntry } from "../git/snapshot.ts";
import { getObjects, resolveRef } from "../state/find.ts";
import { buildNodeId } from "../state/node-id.ts";
import { ApiRefusal, notFound } from "../state/refusal.ts";
import { createRepositoryRoute } from "./repository-route.ts";

/** Above this size, in bytes, the contents API refuses a file. */
const MAX_BYTES = 104_857_600;

/** Files at a ref, and their git objects. */
export const contentRoutes: readonly ApiRoute[] = [
  createRepositoryRoute("GET /contents/{path}", ["contents:read"], (call) => answerContents(call)),
  createRepositoryRoute("GET /git/ref/{ref}", ["contents:read"], (call) => {
    const branch = (call.path["ref"] ?? "").replace(/^heads\//, "");
    const sha = call.repository.branches.get(branch);
    if (sha === undefined) throw notFound();
    return ok(formatRef(call, branch, sha));
  }),
  createRepositoryRoute("GET /git/matching-refs/{ref}", ["contents:read"], (call) => {
    const start = (call.path["ref"] ?? "").replace(/^heads\//, "");
    const branches = [...call.repository.branches].filter(([name]) => name.startsWith(start));
    return ok(branches.map(([name, sha]) => formatRef(call, name, sha)));
  }),
  createRepositoryRoute("GET /git/commits/{commit_sha}", ["contents:read"], (call) => {
    const commit = readCommit(getObjects(call.world, call.repository), call.path["commit_sha"] ?? "");
    if (commit === null) throw notFound();
    return ok(formatGitCommit(call.world, call.repository, commit));
  }),
  createRepositoryRoute("GET /git/trees/{tree_sha}", ["contents:read"], (call) => answerTree(call)),
  createRepositoryRoute("GET /git/blobs/{file_sha}", ["contents:read"], (call) => {
    const blob = readBlob(getObjects(call.world, call.repository), call.path["file_sha"] ?? "");
    if (blob === null) throw notFound();
    return ok({
      sha: blob.sha,
      node_id: buildNodeId("Blob", `${call.repository.id}:${blob.sha}`),
      size: blob.bytes.length,
      url: `${getRepositoryApiUrl(call.world, call.repository)}/git/blobs/${blob.sha}`,
      content: blob.bytes.toString("base64"),
      encoding: "base64",
    });
  }),
];

function answerContents(call: RepositoryCall): ApiAnswer {
  const path = (call.path["path"] ?? "").replace(/^\/+|\/+$/g, "");
  const ref = call.query("ref") ?? call.repository.defaultBranch;
  const sha = resolveRef(call.world, call.repository, ref);
  if (sha === null) throw new ApiRefusal(404, `No commit found for the ref ${ref}`);
  const entry = readTreeEntry(getObjects(call.world, call.repository), sha, path);
  if (entry === null) throw notFound();
  const bytes = readBlob(getObjects(call.world, call.repository), entry.sha)?.bytes ?? null;
  if (bytes !== null && bytes.length > MAX_BYTES) throw tooLarge();
  if (bytes !== null && /\bvnd\.github(\.v3)?\.raw\b/.test(call.accept)) {
    return {
      status: 200,
      body: bytes,
      headers: { "content-type": "application/vnd.github.raw; charset=utf-8" },
    };
  }
  return ok(formatContent(call.world, { repository: call.repository, ref, path }, entry));
}

const tooLarge = (): ApiRefusal =>
  new ApiRefusal(403, "This API returns blobs up to 100 MB in size.", [
    { resource: "Blob", field: "data", code: "too_large" },
  ]);

function answerTree(call: RepositoryCall): ApiAnswer {
  const objects = getObjects(call.world, call.repository);
  const treeish = call.path["tree_sha"] ?? "";
  const commit = readCommit(objects, resolveRef(call.world, call.repository, treeish) ?? "");
  const found = readTree(objects, commit?.tree ?? treeish);
  if (found === null) throw notFound();
  const api = getRepositoryApiUrl(call.world, call.repository);
  const recursive = call.query("recursive") !== null && commit !== null;
  const entries: readonly GitTreeEntry[] = recursive
    ? [...readSnapshot(objects, commit.sha)].map(([name, entry]) => ({ name, ...entry }))
    : found.entries;
  return ok({
    sha: found.sha,
    url: `${api}/git/trees/${found.sha}`,
    tree: entries.map((entry) => ({
      path: entry.name,
      mode: entry.mode,
      type: getObjectType(entry),
      sha: entry.sha,
      url: `${api}/git/${getObjectType(entry)}s/${entry.sha}`,
      ...(getObjectType(entry) === "blob" ? { size: readBlob(objects, entry.sha)?.bytes.length ?? 0 } : {}),
    })),
    truncated: false,
  });
}

const getObjectType = (entry: GitTreeEntry): string =>
  entry.mode === "040000" ? "tree" : entry.mode === "160000" ? "commit" : "blob";

function formatRef({ world, repository }: RepositoryCall, branch: string, sha: string): object {
  const api = getRepositoryApiUrl(world, repository);
  return {
    ref: `refs/heads/${branch}`,
    node_id: buildNodeId("Ref", `${repository.id}:heads/${branch}`),
    url: `${api}/git/refs/heads/${branch}`,
    object: { sha, type: "commit", url: `${api}/git/commits/${sha}` },
  };
}
