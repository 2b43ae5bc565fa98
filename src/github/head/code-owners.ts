import { readGraphql } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { createGitHubFailure, GitHubError } from "../client/result.ts";
import { CODE_OWNERS_FILES, CODE_OWNERS_QUERY } from "./head-query.ts";
import { RawCodeOwners, type RawOwners } from "./head-schema.ts";
import type { FileSource, FileState } from "./head-state.ts";
import { toFileState } from "./policy-file.ts";

/** Largest file of code owners that GitHub reads, in bytes: 3 MB. */
const MAX_BYTES = 3 * 1024 * 1024;

/** The first file of code owners in a commit; null: this answer does not have them. */
export function toCodeOwnersFile(
  { inGithub, inRoot, inDocs }: RawOwners,
  source: Omit<FileSource, "path">,
): FileState | null {
  if (inGithub === undefined || inRoot === undefined || inDocs === undefined) return null;
  const files = [inGithub, inRoot, inDocs];
  const at = files.findIndex((file) => file !== null);
  const [file, path] = [files[at], CODE_OWNERS_FILES[at]];
  if (file == null || path === undefined) return { state: "absent" };
  return toFileState(file, { ...source, path }, MAX_BYTES);
}

/**
 * Reads the file of code owners of a branch, in one round trip.
 *
 * @throws GitHubError
 */
export async function readCodeOwnersFile(
  client: Pick<InstallationClient, "octokit">,
  at: {
    readonly owner: string;
    readonly name: string;
    readonly repositoryId: number;
    readonly branch: string;
  },
): Promise<FileState> {
  const { owner, name, repositoryId, branch } = at;
  const call = client.octokit.graphql(CODE_OWNERS_QUERY, { owner, name, ref: `refs/heads/${branch}` });
  const { data, errors } = await readGraphql(call, RawCodeOwners);
  const [broken] = errors;
  const home = data.repository;
  if (broken !== undefined || home === null || home.databaseId !== repositoryId)
    throw new GitHubError(createGitHubFailure("unavailable", broken?.message ?? "no such repository"));
  const commit = home.ref?.target ?? null;
  if (commit === null) return { state: "unreadable", reason: "base_missing" };
  const source = { repository: `${owner}/${name}`, ref: branch, commit: commit.oid };
  return toCodeOwnersFile(commit, source) ?? { state: "unreadable", reason: "malformed" };
}
