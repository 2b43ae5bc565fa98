import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { type GitHubResult, succeeded } from "../client/result.ts";
import { toResult } from "../client/to-result.ts";
import type { RawPull } from "./head-schema.ts";
import { MAX_FILES } from "./head-state.ts";

export interface PullPaths {
  readonly paths: readonly string[];
  readonly pathsComplete: boolean;
}

interface PathsRequest {
  readonly owner: string;
  readonly name: string;
  readonly pull: RawPull;
}

const PER_PAGE = 100;

const File = z.object({
  filename: z.string(),
  previous_filename: z.string().optional(),
  contents_url: z.string(),
});
type File = z.infer<typeof File>;

/**
 * Every path the pull request touches, before and after. One page of GraphQL is enough for small ones; it does not tell where a
 * renamed file came from, so a rename or more than a page is read again over REST, all pages at once.
 */
export async function readPullPaths(
  client: InstallationClient,
  of: PathsRequest,
): Promise<GitHubResult<PullPaths>> {
  const { files, changedFiles } = of.pull;
  const simple =
    files !== null &&
    !files.pageInfo.hasNextPage &&
    files.nodes.every((file) => !/^(RENAMED|COPIED)$/.test(file.changeType));
  if (simple) {
    const paths = files.nodes.map((file) => file.path);
    return succeeded({ paths, pathsComplete: paths.length >= changedFiles });
  }
  const pages = Math.max(1, Math.ceil(Math.min(changedFiles, MAX_FILES) / PER_PAGE));
  const answers = await Promise.all(
    Array.from({ length: pages }, (_, index) => readFilesPage(client, of, index + 1)),
  );
  const read: File[] = [];
  for (const answer of answers) {
    if (!answer.ok) return answer;
    read.push(...answer.value);
  }
  const paths = new Set(read.flatMap((file) => [file.filename, file.previous_filename ?? file.filename]));
  const sameHead = read.every((file) => file.contents_url.endsWith(`ref=${of.pull.headRefOid}`));
  return succeeded({ paths: [...paths], pathsComplete: sameHead && read.length >= changedFiles });
}

function readFilesPage(
  client: InstallationClient,
  of: PathsRequest,
  page: number,
): Promise<GitHubResult<readonly File[]>> {
  const { owner, name: repo, pull } = of;
  const parameters = { owner, repo, pull_number: pull.number, per_page: PER_PAGE, page };
  return toResult(client.octokit.rest.pulls.listFiles(parameters), z.array(File));
}
