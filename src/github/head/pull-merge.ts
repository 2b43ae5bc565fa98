import { z } from "zod";
import { parseSha, type Sha } from "../../kernel/ids.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/request-by-id.ts";
import { type GitHubResult, succeeded } from "../client/result.ts";
import { toResult } from "../client/to-result.ts";

/** A pull request as it is now, and the parents of a commit; none: GitHub does not have the commit. */
export interface PullMerge {
  readonly isOpen: boolean;
  readonly headSha: Sha;
  readonly parents: readonly string[];
}

const Pull = z.object({ state: z.string(), head: z.object({ sha: z.string() }) });
const Commit = z.object({ parents: z.array(z.object({ sha: z.string() })) });

/** Reads a pull request and a commit by the repository's id; null: there is no such pull request. */
export async function readPullMerge(
  { octokit }: InstallationClient,
  { repositoryId: repository_id, number, sha }: { repositoryId: number; number: number; sha: Sha },
): Promise<GitHubResult<PullMerge | null>> {
  const [pull, commit] = await Promise.all([
    toResult(
      requestById(octokit, "GET /repos/{owner}/{repo}/pulls/{pull_number}", {
        repository_id,
        pull_number: number,
      }),
      Pull,
    ),
    toResult(
      requestById(octokit, "GET /repos/{owner}/{repo}/git/commits/{commit_sha}", {
        repository_id,
        commit_sha: sha,
      }),
      Commit,
    ),
  ]);
  if (!pull.ok) return pull.failure.kind === "not_found" ? succeeded(null) : pull;
  if (!commit.ok && commit.failure.kind !== "not_found" && commit.failure.kind !== "rejected") return commit;
  const headSha = parseSha(pull.value.head.sha);
  if (headSha === null) return succeeded(null);
  const parents = commit.ok ? commit.value.parents.map((parent) => parent.sha) : [];
  return succeeded({ isOpen: pull.value.state === "open", headSha, parents });
}
