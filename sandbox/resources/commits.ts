import {
  type ApiAnswer,
  ApiRefusal,
  type ApiRoute,
  formatTime,
  type JsonObject,
  notFound,
  ok,
  type RepositoryCall,
  route,
} from "../api/call.ts";
import {
  countLines,
  type FileChange,
  findMergeBase,
  type GitCommit,
  type GitMode,
  type GitSignature,
  type GitTreeEntry,
  isAncestor,
  listChangedFiles,
  listCommitsBetween,
  NO_COMMIT,
  readBlob,
  readCommit,
  readTree,
  readTreeEntry,
} from "../state/git.ts";
import type { BranchActivity, Repository } from "../state/records.ts";
import { buildNodeId, getObjects, resolveRef, type World } from "../state/world.ts";
import { formatAccountById } from "./accounts.ts";
import { getRepositoryApiUrl, getRepositoryUrl } from "./repositories.ts";

/** Commits, files at a ref, and moves of branches. */
export const commitRoutes: readonly ApiRoute[] = [
  route.repository("GET /compare/{basehead}", ["contents:read"], answerComparison),
  route.repository("GET /contents/{path}", ["contents:read"], answerContents),
  route.repository("GET /git/matching-refs/{ref}", ["contents:read"], ({ world, repository, path }) => {
    const start = (path["ref"] ?? "").replace(/^heads\//, "");
    const branches = [...repository.branches].filter(([name]) => name.startsWith(start));
    const api = getRepositoryApiUrl(world, repository);
    return ok(
      branches.map(([name, sha]) => ({
        ref: `refs/heads/${name}`,
        node_id: buildNodeId("Ref", `${repository.id}:heads/${name}`),
        url: `${api}/git/refs/heads/${name}`,
        object: { sha, type: "commit", url: `${api}/git/commits/${sha}` },
      })),
    );
  }),
  route.repository("GET /git/commits/{commit_sha}", ["contents:read"], ({ world, repository, path }) => {
    const commit = readCommit(getObjects(world, repository), path["commit_sha"] ?? "");
    if (commit === null) throw notFound();
    return ok(formatGitCommit(world, repository, commit));
  }),
  // The first page only: Tollgate follows no cursor here.
  route.repository("GET /activity", ["contents:read"], (call) => {
    const ref = call.query("ref")?.replace(/^refs\/heads\//, "") ?? null;
    const moves = call.world.activities
      .group(String(call.repository.id))
      .filter(({ branch }) => ref === null || branch === ref)
      .toReversed();
    const size = Math.min(100, Number(call.query("per_page") ?? 30));
    return ok(moves.slice(0, size).map((move) => formatActivity(call, move)));
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

const COMPARISON_STATUSES = {
  "true,true": "diverged",
  "true,false": "ahead",
  "false,true": "behind",
  "false,false": "identical",
} as const;

/** GitHub compares with the merge base, and lists 300 files. */
function answerComparison(call: RepositoryCall): ApiAnswer {
  const { world, repository } = call;
  const objects = getObjects(world, repository);
  const [base = "", head = ""] = (call.path["basehead"] ?? "")
    .split("...")
    .map((ref) => resolveRef(world, repository, ref) ?? "");
  const common = readCommit(objects, findMergeBase(objects, base, head) ?? "");
  const baseCommit = readCommit(objects, base);
  if (common === null || baseCommit === null) throw notFound();
  const commits = listCommitsBetween(objects, base, head);
  const ahead = commits.length;
  const behind = listCommitsBetween(objects, head, base).length;
  const files = listChangedFiles(objects, common.sha, head).slice(0, 300);
  const path = `compare/${base}...${head}`;
  const page = `${getRepositoryUrl(world, repository)}/${path}`;
  return ok({
    url: `${getRepositoryApiUrl(world, repository)}/${path}`,
    html_url: page,
    permalink_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    status: COMPARISON_STATUSES[`${ahead > 0},${behind > 0}`],
    ahead_by: ahead,
    behind_by: behind,
    total_commits: ahead,
    base_commit: formatCommit(world, repository, baseCommit),
    merge_base_commit: formatCommit(world, repository, common),
    commits: commits
      .slice(0, Number(call.query("per_page") ?? 250))
      .map((each) => formatCommit(world, repository, each)),
    files: files.map((change) => formatFileChange(world, { repository, ref: head }, change)),
  });
}

/** Above these sizes, in bytes, the API omits the content from the JSON, and refuses a file. */
const INLINE_BYTES = 1_048_576;
const MAX_BYTES = 104_857_600;

interface ContentAddress {
  readonly repository: Repository;
  readonly ref: string;
  readonly path: string;
}

function answerContents(call: RepositoryCall): ApiAnswer {
  const { world, repository } = call;
  const objects = getObjects(world, repository);
  const path = (call.path["path"] ?? "").replace(/^\/+|\/+$/g, "");
  const ref = call.query("ref") ?? repository.defaultBranch;
  const sha = resolveRef(world, repository, ref);
  if (sha === null) throw new ApiRefusal(404, `No commit found for the ref ${ref}`);
  const entry = readTreeEntry(objects, sha, path);
  if (entry === null) throw notFound();
  const bytes = readBlob(objects, entry.sha)?.bytes ?? null;
  if (bytes !== null && bytes.length > MAX_BYTES) {
    const complaint = { resource: "Blob", field: "data", code: "too_large" };
    throw new ApiRefusal(403, "This API returns blobs up to 100 MB in size.", [complaint]);
  }
  return ok(formatContent(world, { repository, ref, path }, entry));
}

/** Formats a path for the contents API: a file with its content, or a list for a directory. */
function formatContent(
  world: World,
  place: ContentAddress,
  entry: GitTreeEntry,
): JsonObject | readonly JsonObject[] {
  const objects = getObjects(world, place.repository);
  if (entry.mode === "040000") {
    const prefix = place.path === "" ? "" : `${place.path}/`;
    const children = readTree(objects, entry.sha)?.entries ?? [];
    return children.map((child) => formatEntry(world, { ...place, path: prefix + child.name }, child));
  }
  const bytes = readBlob(objects, entry.sha)?.bytes ?? Buffer.alloc(0);
  const common = formatEntry(world, place, entry);
  if (entry.mode === "120000") return { ...common, target: bytes.toString("utf8") };
  if (entry.mode === "160000") return { ...common, submodule_git_url: `${world.origin()}/submodule.git` };
  if (bytes.length > INLINE_BYTES) return { ...common, content: "", encoding: "none" };
  const content = bytes.toString("base64").replace(/.{1,60}/g, "$&\n");
  return { ...common, content, encoding: "base64" };
}

const ENTRY_TYPES: Readonly<Record<GitMode, string>> = {
  "100644": "file",
  "100755": "file",
  "120000": "symlink",
  "160000": "submodule",
  "040000": "dir",
};

function formatEntry(world: World, place: ContentAddress, entry: GitTreeEntry): JsonObject {
  const { repository, ref } = place;
  const api = getRepositoryApiUrl(world, repository);
  const page = getRepositoryUrl(world, repository);
  const path = place.path.split("/").map(encodeURIComponent).join("/");
  const self = `${api}/contents/${path}?ref=${encodeURIComponent(ref)}`;
  const git = `${api}/git/${entry.mode === "040000" ? "trees" : "blobs"}/${entry.sha}`;
  const html = `${page}/blob/${ref}/${path}`;
  const isFile = entry.mode !== "040000" && entry.mode !== "160000";
  return {
    type: ENTRY_TYPES[entry.mode],
    size: readBlob(getObjects(world, repository), entry.sha)?.bytes.length ?? 0,
    name: place.path.split("/").at(-1) ?? "",
    path: place.path,
    sha: entry.sha,
    url: self,
    git_url: git,
    html_url: html,
    download_url: isFile ? `${page}/raw/${ref}/${path}` : null,
    _links: { self, git, html },
  };
}

const formatActivity = (call: RepositoryCall, move: BranchActivity) => ({
  id: move.id,
  node_id: `PSH_${move.id}`,
  before: move.before,
  after: move.after,
  ref: `refs/heads/${move.branch}`,
  timestamp: formatTime(move.at),
  activity_type: deriveActivityType(call, move),
  actor: formatAccountById(call.world, move.actorId),
});

function deriveActivityType(
  { world, repository }: RepositoryCall,
  { before, after }: BranchActivity,
): string {
  if (before === NO_COMMIT) return "branch_creation";
  if (after === NO_COMMIT) return "branch_deletion";
  return isAncestor(getObjects(world, repository), before, after) ? "push" : "force_push";
}

/** Formats a commit for lists. */
export function formatCommit(world: World, repository: Repository, commit: GitCommit): JsonObject {
  const { sha, node_id, html_url, author, committer, tree, message, verification } = formatGitCommit(
    world,
    repository,
    commit,
  );
  const api = getRepositoryApiUrl(world, repository);
  const url = `${api}/git/commits/${sha}`;
  return {
    ...{ sha, node_id, html_url },
    commit: { author, committer, message, tree, url, comment_count: 0, verification },
    url: `${api}/commits/${sha}`,
    comments_url: `${api}/commits/${sha}/comments`,
    author: formatAccountById(world, commit.author.accountId),
    committer: formatAccountById(world, commit.committer.accountId),
    parents: formatParents(world, repository, commit, `${api}/commits`),
  };
}

/** Formats a commit with its changes against its first parent. */
export function formatFullCommit(world: World, repository: Repository, commit: GitCommit): JsonObject {
  const changes = listChangedFiles(getObjects(world, repository), commit.parents[0] ?? null, commit.sha);
  const { additions, deletions } = countLines(changes);
  const at = { repository, ref: commit.sha };
  return {
    ...formatCommit(world, repository, commit),
    stats: { total: additions + deletions, additions, deletions },
    files: changes.slice(0, 300).map((change) => formatFileChange(world, at, change)),
  };
}

/** Formats a commit for the git database's endpoint. */
function formatGitCommit(world: World, repository: Repository, commit: GitCommit) {
  const git = `${getRepositoryApiUrl(world, repository)}/git`;
  return {
    sha: commit.sha,
    node_id: buildNodeId("Commit", `${repository.id}:${commit.sha}`),
    url: `${git}/commits/${commit.sha}`,
    html_url: `${getRepositoryUrl(world, repository)}/commit/${commit.sha}`,
    author: formatSignature(commit.author),
    committer: formatSignature(commit.committer),
    tree: { sha: commit.tree, url: `${git}/trees/${commit.tree}` },
    message: commit.message,
    parents: formatParents(world, repository, commit, `${git}/commits`),
    verification: { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null },
  };
}

const formatParents = (world: World, repository: Repository, { parents }: GitCommit, url: string) =>
  parents.map((sha) => ({
    sha,
    url: `${url}/${sha}`,
    html_url: `${getRepositoryUrl(world, repository)}/commit/${sha}`,
  }));

const formatSignature = ({ name, email, at }: GitSignature): JsonObject => ({
  name,
  email,
  date: formatTime(at),
});

/** Formats a commit for check suites and merge groups. */
export function formatHeadCommit(world: World, repository: Repository, sha: string): JsonObject | null {
  const commit = readCommit(getObjects(world, repository), sha);
  if (commit === null) return null;
  return {
    id: commit.sha,
    tree_id: commit.tree,
    message: commit.message,
    timestamp: formatTime(commit.committer.at),
    author: { name: commit.author.name, email: commit.author.email },
    committer: { name: commit.committer.name, email: commit.committer.email },
  };
}

/** Formats one changed file of a commit or a pull request. */
export function formatFileChange(
  world: World,
  { repository, ref }: { repository: Repository; ref: string },
  change: FileChange,
): JsonObject {
  const page = getRepositoryUrl(world, repository);
  const path = encodeURIComponent(change.path);
  return {
    sha: change.sha,
    filename: change.path,
    status: change.status,
    additions: change.additions,
    deletions: change.deletions,
    changes: change.additions + change.deletions,
    blob_url: `${page}/blob/${ref}/${path}`,
    raw_url: `${page}/raw/${ref}/${path}`,
    contents_url: `${getRepositoryApiUrl(world, repository)}/contents/${path}?ref=${ref}`,
    ...(change.patch === null ? {} : { patch: change.patch }),
    ...(change.previousPath === null ? {} : { previous_filename: change.previousPath }),
  };
}
