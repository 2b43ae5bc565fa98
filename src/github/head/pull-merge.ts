import { z } from "zod";
import { parseSha, type Sha } from "../../kernel/ids.ts";
import { type InstallationClient, requestById } from "../client/installation-client.ts";
import { readData, readUnless } from "../client/read-answer.ts";

const Pull = z.object({ state: z.string(), head: z.object({ sha: z.string(), ref: z.string() }) });
const Commit = z.object({ parents: z.array(z.object({ sha: z.string() })) });

/**
 * Reads a pull request as it is now, by the repository's id, and the parents of a commit; none: GitHub does not have the commit. Null:
 * there is no such pull request. Throws `GitHubError`.
 */
export async function readPullMerge(
  { octokit }: InstallationClient,
  { repositoryId: repository_id, number, sha }: { repositoryId: number; number: number; sha: Sha },
) {
  const [pull, commit] = await Promise.all([
    readUnless(
      ["not_found"],
      readData(
        requestById(octokit, "GET /repos/{owner}/{repo}/pulls/{pull_number}", {
          repository_id,
          pull_number: number,
        }),
        Pull,
      ),
    ),
    readUnless(
      ["not_found", "rejected"],
      readData(
        requestById(octokit, "GET /repos/{owner}/{repo}/git/commits/{commit_sha}", {
          repository_id,
          commit_sha: sha,
        }),
        Commit,
      ),
    ),
  ]);
  const headSha = pull && parseSha(pull.head.sha);
  if (pull === null || headSha === null) return null;
  const parents = (commit?.parents ?? []).map((parent) => parent.sha);
  return { isOpen: pull.state === "open", headSha, headBranch: pull.head.ref, parents };
}
