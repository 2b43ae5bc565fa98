import { z } from "zod";
import { type GraphqlError, readGraphql } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { toResult } from "../client/read-answer.ts";
import { createGitHubFailure, GitHubError } from "../client/result.ts";
import {
  BRANCH_POLICY_QUERY,
  CODE_OWNERS_FILES,
  ORGANISATION_FILE,
  ORGANISATION_REPOSITORY,
  REPOSITORY_FILE,
} from "./head-query.ts";
import {
  RawBranchPolicy,
  type RawCommit,
  type RawDefaultBranch,
  type RawFile,
  type RawHome,
  type RawOrganisation,
} from "./head-schema.ts";
import type {
  DefaultBranch,
  FileReadProblem,
  FileSource,
  FileState,
  NoTextReason,
  RepositoryState,
} from "./head-state.ts";

const MAX_POLICY_BYTES = 64 * 1024;

/** Git's modes, in decimal (as GitHub sends them) and as their octal digits read as a decimal. */
const SYMLINK = new Set([0o120000, 120000]);
const ABSENT: FileState = { state: "absent" };
const unreadable = (reason: FileReadProblem): FileState => ({ state: "unreadable", reason });

export function toRepositoryState(raw: RawHome): RepositoryState {
  return {
    id: raw.databaseId,
    nodeId: raw.id,
    owner: raw.owner.login,
    name: raw.name,
    ownerId: raw.owner.databaseId,
    ownerType: raw.owner.__typename,
    visibility: VISIBILITY[raw.visibility],
    updatedMs: Date.parse(raw.updatedAt),
  };
}

const VISIBILITY = { PUBLIC: "public", PRIVATE: "private", INTERNAL: "internal" } as const;

/** The repository's file in one of its commits. `null` commit: the branch is gone, so its file is unknown. */
export function toRepositoryFile(
  commit: RawCommit | null,
  source: Omit<FileSource, "path" | "commit">,
): FileState {
  if (commit === null) return unreadable("base_missing");
  if (commit.policy !== null)
    return toFileState(commit.policy, { ...source, path: REPOSITORY_FILE, commit: commit.oid });
  if (commit.misnamed !== null) return unreadable("misnamed");
  const { folder } = commit;
  if (folder === null || folder.type === "tree" || (folder.type === "blob" && !SYMLINK.has(folder.mode)))
    return ABSENT;
  return unreadable(folder.type === "blob" ? "symlink" : "submodule");
}

/** Largest file of code owners that GitHub reads, in bytes: 3 MB. */
const MAX_OWNERS_BYTES = 3 * 1024 * 1024;

/** The file of code owners in a commit, which is the first of three; null: this answer does not have them. */
export function toCodeOwnersFile(
  { oid: commit, inGithub, inRoot, inDocs }: RawCommit,
  source: Omit<FileSource, "path" | "commit">,
): FileState | null {
  if (inGithub === undefined || inRoot === undefined || inDocs === undefined) return null;
  const files = [inGithub, inRoot, inDocs];
  const at = files.findIndex((file) => file !== null);
  const [file, path] = [files[at], CODE_OWNERS_FILES[at]];
  return file == null || path === undefined
    ? ABSENT
    : toFileState(file, { ...source, commit, path }, MAX_OWNERS_BYTES);
}

/** The default branch with the repository's file there; null: it has no branch. */
export const toDefaultBranch = (branch: RawDefaultBranch, repository: string): DefaultBranch | null =>
  branch && {
    name: branch.name,
    file: toRepositoryFile(branch.target, { repository, ref: branch.name }),
  };

function toFileState(file: RawFile, source: FileSource, maxBytes = MAX_POLICY_BYTES): FileState {
  const reason = findNoTextReason(file, maxBytes);
  if (reason !== null) return unreadable(reason);
  const { oid = "", text = "" } = file.object ?? {};
  return { state: "found", text: text ?? "", blob: oid, source };
}

/** Why a file's text is not available; null: it is. */
function findNoTextReason(file: RawFile, maxBytes: number): NoTextReason | null {
  const reason = findTypeProblem(file);
  if (reason !== null) return reason;
  const { object } = file;
  if (object === null) return "malformed";
  if ((object.byteSize ?? 0) > maxBytes || object.isTruncated === true) return "too_large";
  if (object.isBinary === true) return "binary";
  return typeof object.text !== "string" || object.byteSize === undefined ? "malformed" : null;
}

function findTypeProblem(file: Pick<RawFile, "type" | "mode">): NoTextReason | null {
  if (file.type === "commit") return "submodule";
  if (file.type === "tree") return "directory";
  if (file.type !== "blob") return "malformed";
  return SYMLINK.has(file.mode) ? "symlink" : null;
}

export interface OrganisationQuestion {
  readonly repository: Pick<RepositoryState, "owner" | "ownerId" | "ownerType">;
  /** `none`: the operator states that no organisation has a file, so it was not read. */
  readonly expected: "read" | "none";
  readonly answer: RawOrganisation | null | undefined;
  readonly errors: readonly GraphqlError[];
}

/**
 * The organisation's file. GitHub says "not found" both for what does not exist and for what this installation may not see, so
 * absence counts only if the repository answered, or if the installation covers all of the owner's repositories.
 */
export async function resolveOrganisationFile(
  question: OrganisationQuestion,
  client: InstallationClient,
): Promise<FileState> {
  const { repository, expected, answer, errors } = question;
  if (expected === "none" || repository.ownerType === "User") return ABSENT;
  if (answer !== null && answer !== undefined) return toOrganisationFile(answer, repository);
  if (errors.some(({ type, path }) => path[0] === "organisation" && type !== "NOT_FOUND"))
    return unreadable("forbidden");
  const selection = await toResult(client.repositorySelection());
  return selection.ok && selection.value === "all" ? ABSENT : unreadable("not_covered");
}

function toOrganisationFile(
  answer: RawOrganisation,
  repository: OrganisationQuestion["repository"],
): FileState {
  const sameRepository =
    answer.owner.databaseId === repository.ownerId && answer.name.toLowerCase() === ORGANISATION_REPOSITORY;
  if (!sameRepository) return unreadable("not_covered");
  const branch = answer.defaultBranchRef;
  if (branch === null) return ABSENT; // an empty repository
  if (branch.target?.policy === undefined) return unreadable("malformed");
  if (branch.target.policy === null) {
    if (branch.target.misnamed != null) return unreadable("misnamed");
    return branch.target.misplaced == null ? ABSENT : unreadable("misplaced");
  }
  const source = {
    repository: `${answer.owner.login}/${answer.name}`,
    ref: branch.name,
    path: ORGANISATION_FILE,
    commit: branch.target.oid,
  };
  return toFileState(branch.target.policy, source);
}

interface BranchPolicyRequest {
  readonly owner: string;
  readonly name: string;
  /** The repository's id: another repository can get its name. */
  readonly repositoryId: number;
  /** `none`: the operator states that no organisation has a policy file. */
  readonly organisationPolicy: "read" | "none";
  /** Absent: the default branch. */
  readonly branch?: string;
  /** Whether the file of code owners of a named branch is read too. */
  readonly codeOwners?: true;
}

export interface BranchPolicy {
  readonly branch: string;
  readonly repository: FileState;
  readonly organisation: FileState;
  /** Null: not read. */
  readonly codeOwners: FileState | null;
  /** GitHub's id of the repository with the organisation's file; null: none was read. */
  readonly organisationRepositoryId: number | null;
}

/**
 * Reads the policy files of a branch, in one round trip.
 *
 * @throws GitHubError, with the kind `not_found` where there is no such branch, as in an empty repository
 */
export async function readBranchPolicy(
  client: InstallationClient,
  request: BranchPolicyRequest,
): Promise<BranchPolicy> {
  const { owner, name, organisationPolicy: expected } = request;
  const named = request.branch === undefined ? {} : { isNamed: true, ref: `refs/heads/${request.branch}` };
  const variables = {
    owner,
    name,
    organisation: expected === "read",
    owners: request.codeOwners === true,
    ...named,
  };
  const call = client.octokit.graphql(BRANCH_POLICY_QUERY, variables);
  const { data, errors } = await readGraphql(call, RawBranchPolicy);
  const home = data.repository;
  const repository = home && toRepositoryState(home);
  const ref = home?.ref ?? home?.defaultBranchRef ?? null;
  const branch = repository && toDefaultBranch(ref, `${repository.owner}/${repository.name}`);
  if (home === null || repository === null || branch === null || home.databaseId !== request.repositoryId)
    throw new GitHubError(createGitHubFailure("not_found", "no such repository, or it has no branch"));
  const broken = errors.find(({ path }) => path[0] !== "organisation");
  if (broken !== undefined) throw new GitHubError(createGitHubFailure("unavailable", broken.message));
  return {
    branch: branch.name,
    repository: branch.file,
    organisation: await resolveOrganisationFile(
      { repository, expected, answer: data.organisation, errors },
      client,
    ),
    codeOwners: ref?.target
      ? toCodeOwnersFile(ref.target, { repository: `${owner}/${name}`, ref: branch.name })
      : null,
    organisationRepositoryId: data.organisation?.databaseId ?? null,
  };
}

/** Newest commit of a branch that touched a path, beside the branch's tip. */
export const REMOVAL_QUERY = `
query Removal($owner: String!, $name: String!, $ref: String!, $path: String!, $default: Boolean!) {
  repository(owner: $owner, name: $name, followRenames: false) {
    databaseId
    owner { login ... on User { databaseId } ... on Organization { databaseId } }
    ref(qualifiedName: $ref) @skip(if: $default) { target { ...Tip } }
    defaultBranchRef @include(if: $default) { target { ...Tip } }
  }
}
fragment Tip on Commit {
  file(path: $path) { mode }
  history(path: $path, first: 1) {
    nodes { file(path: $path) { mode } parents(first: 10) { nodes { file(path: $path) { mode } } } }
  }
}`;

const File = z.object({ mode: z.int() }).nullable();
const Branch = z
  .object({
    target: z
      .object({
        file: File,
        history: z.object({
          nodes: z.array(
            z.object({ file: File, parents: z.object({ nodes: z.array(z.object({ file: File })) }) }),
          ),
        }),
      })
      .nullable(),
  })
  .nullish();
const Answer = z.object({
  repository: z
    .object({
      databaseId: z.int(),
      owner: z.object({ databaseId: z.int() }),
      ref: Branch,
      defaultBranchRef: Branch,
    })
    .nullable(),
});

interface RemovalQuestion {
  readonly repository: Pick<RepositoryState, "id" | "owner" | "ownerId" | "name">;
  readonly baseRef: string;
  readonly level: "repository" | "organisation";
}

/**
 * Whether GitHub proves that a policy file was removed: it is not at the branch's tip, and the newest commit of the branch that
 * touched it has it in a parent and not in itself. False without proof: a missing answer proves nothing.
 */
export async function isPolicyFileRemoved(
  client: InstallationClient,
  question: RemovalQuestion,
): Promise<boolean> {
  const { repository, baseRef, level: which } = question;
  const isOwn = which === "repository";
  const variables = {
    owner: repository.owner,
    name: isOwn ? repository.name : ORGANISATION_REPOSITORY,
    ref: `refs/heads/${baseRef}`,
    path: isOwn ? REPOSITORY_FILE : ORGANISATION_FILE,
    default: !isOwn,
  };
  const answer = await toResult(readGraphql(client.octokit.graphql(REMOVAL_QUERY, variables), Answer));
  if (!answer.ok || answer.value.errors.length > 0) return false;
  const home = answer.value.data.repository;
  if (home === null || !isExpectedRepository(home, question)) return false;
  return isRemoval((isOwn ? home.ref : home.defaultBranchRef)?.target ?? null);
}

type BranchRepository = NonNullable<z.infer<typeof Answer>["repository"]>;

/** A name may be given to another repository. */
const isExpectedRepository = (
  { databaseId, owner }: BranchRepository,
  { repository, level: which }: RemovalQuestion,
): boolean =>
  owner.databaseId === repository.ownerId && (which === "organisation" || databaseId === repository.id);

function isRemoval(tip: NonNullable<z.infer<typeof Branch>>["target"]): boolean {
  if (tip === null || tip.file !== null) return false;
  const [newest] = tip.history.nodes;
  return (
    newest !== undefined && newest.file === null && newest.parents.nodes.some(({ file }) => file !== null)
  );
}
