import {
  type ApiAnswer,
  ApiRefusal,
  type ApiRoute,
  type JsonObject,
  notFound,
  ok,
  type RepositoryCall,
  route,
} from "../api/call.ts";
import {
  type FileChange,
  findMergeBase,
  type GitMode,
  type GitTreeEntry,
  listChangedFiles,
  listCommitsBetween,
  type ObjectStore,
  readBlob,
  readCommit,
  readTree,
  readTreeEntry,
} from "../state/git.ts";
import type { BranchActivity, Repository } from "../state/records.ts";
import { getObjects, resolveRef, type World } from "../state/world.ts";
import { formatAccount } from "./accounts.ts";
import { getRepositoryApiUrl } from "./repositories.ts";

/** Commits, files at a ref, and moves of branches. */
export const commitRoutes: readonly ApiRoute[] = [
  route.repository("GET /compare/{basehead}", ["contents:read"], answerComparison),
  route.repository("GET /contents/{path}", ["contents:read"], answerContents),
  route.repository("GET /git/matching-refs/{ref}", ["contents:read"], ({ repository, path }) => {
    const start = (path["ref"] ?? "").replace(/^heads\//, "");
    const names = repository.branches.keys().filter((name) => name.startsWith(start));
    return ok([...names].map((name) => ({ ref: `refs/heads/${name}` })));
  }),
  route.repository("GET /git/commits/{commit_sha}", ["contents:read"], ({ world, repository, path }) => {
    const commit = readCommit(getObjects(world, repository), path["commit_sha"] ?? "");
    if (commit === null) throw notFound();
    return ok({ sha: commit.sha, parents: commit.parents.map((sha) => ({ sha })) });
  }),
  // The first page only: Tollgate follows no cursor here.
  route.repository("GET /activity", ["contents:read"], (call) => {
    const ref = call.query("ref")?.replace(/^refs\/heads\//, "") ?? null;
    const moves = call.world.activities
      .group(String(call.repository.id))
      .filter(({ branch }) => ref === null || branch === ref)
      .toReversed();
    const size = Math.min(100, Number(call.query("per_page") ?? 30));
    return ok(moves.slice(0, size).map((move) => formatActivity(call.world, move)));
  }),
];

/** Returns the commit of a ref of the path; refuses an unknown one with 422, as GitHub does for commits. */
export function resolveCommit(
  { world, repository, path }: RepositoryCall,
  name: "ref" | "commit_sha",
): string {
  const sha = resolveRef(world, repository, path[name] ?? "");
  if (sha === null) throw new ApiRefusal(422, `No commit found for SHA: ${path[name]}`);
  return sha;
}

/** GitHub compares with the merge base, and lists 300 files. */
function answerComparison({ world, repository, path }: RepositoryCall): ApiAnswer {
  const objects = getObjects(world, repository);
  const [base = "", head = ""] = (path["basehead"] ?? "")
    .split("...")
    .map((ref) => resolveRef(world, repository, ref) ?? "");
  const sha = findMergeBase(objects, base, head);
  if (sha === null) throw notFound();
  const files = listChangedFiles(objects, sha, head).slice(0, 300);
  return ok({
    ahead_by: listCommitsBetween(objects, base, head).length,
    behind_by: listCommitsBetween(objects, head, base).length,
    merge_base_commit: { sha },
    files: files.map((change) => formatFileChange(world, { repository, ref: head }, change)),
  });
}

/** Above this size, in bytes, the API leaves the content out of the JSON. */
const INLINE_BYTES = 1_048_576;

function answerContents(call: RepositoryCall): ApiAnswer {
  const { world, repository } = call;
  const objects = getObjects(world, repository);
  const ref = call.query("ref") ?? repository.defaultBranch;
  const sha = resolveRef(world, repository, ref);
  if (sha === null) throw new ApiRefusal(404, `No commit found for the ref ${ref}`);
  const entry = readTreeEntry(objects, sha, call.path["path"] ?? "");
  if (entry === null) throw notFound();
  return ok(formatContent(objects, entry));
}

/** Formats a path for the contents API: a file with its content, or a list for a directory. */
function formatContent(objects: ObjectStore, entry: GitTreeEntry): JsonObject | readonly JsonObject[] {
  if (entry.mode === "040000") return (readTree(objects, entry.sha)?.entries ?? []).map(formatEntry);
  const bytes = readBlob(objects, entry.sha)?.bytes ?? Buffer.alloc(0);
  const common = formatEntry(entry);
  if (entry.mode === "120000") return { ...common, target: bytes.toString("utf8") };
  if (entry.mode === "160000") return common;
  if (bytes.length > INLINE_BYTES) return { ...common, content: "", encoding: "none" };
  return { ...common, content: bytes.toString("base64").replace(/.{1,60}/g, "$&\n"), encoding: "base64" };
}

const ENTRY_TYPES: Readonly<Record<GitMode, string>> = {
  "100644": "file",
  "100755": "file",
  "120000": "symlink",
  "160000": "submodule",
  "040000": "dir",
};

const formatEntry = ({ name, mode, sha }: GitTreeEntry): JsonObject => ({
  ...{ type: ENTRY_TYPES[mode], name, sha },
});

const formatActivity = (world: World, { before, after, branch, actorId }: BranchActivity): JsonObject => ({
  before,
  after,
  ref: `refs/heads/${branch}`,
  actor: formatAccount(world, actorId),
});

/** Formats one changed file of a comparison or a pull request. */
export function formatFileChange(
  world: World,
  { repository, ref }: { repository: Repository; ref: string },
  { path, status, previousPath }: FileChange,
): JsonObject {
  return {
    filename: path,
    status,
    contents_url: `${getRepositoryApiUrl(world, repository)}/contents/${encodeURIComponent(path)}?ref=${ref}`,
    ...(previousPath !== null && { previous_filename: previousPath }),
  };
}
