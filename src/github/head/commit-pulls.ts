import { z } from "zod";
import { parseSha, type Sha } from "../../kernel/ids.ts";
import { type GitHubResult, succeeded } from "../client/answer.ts";
import type { InstallationClient } from "../client/installation-client.ts";

/** A pull request in a list: enough to find its lane. */
export interface ListedPull {
  readonly number: number;
  readonly open: boolean;
  readonly draft: boolean;
  readonly headSha: Sha;
  readonly headRepositoryId: number | null;
  readonly baseRef: string;
}

interface Repository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
}

const Id = z.int().positive();
const Pull = z.object({
  number: Id,
  state: z.string(),
  draft: z.boolean().optional(),
  head: z.object({ sha: z.string(), repo: z.object({ id: Id }).nullish() }),
  base: z.object({ ref: z.string(), repo: z.object({ id: Id }) }),
});

const PER_PAGE = 100;
const MAX_PAGES = 30;

/** Lists the pull requests of this repository that contain the commit. It may not find a fork's head: look in the store first. */
export function readCommitPulls(
  client: InstallationClient,
  repository: Repository,
  sha: string,
): Promise<GitHubResult<readonly ListedPull[]>> {
  return list(client, repository, {
    route: "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls",
    commit_sha: sha,
  });
}

/** All open pull requests, or those into one base branch, oldest first. */
export function listOpenPulls(
  client: InstallationClient,
  repository: Repository,
  baseRef: string | null = null,
): Promise<GitHubResult<readonly ListedPull[]>> {
  const base = baseRef === null ? {} : { base: baseRef };
  const order = { state: "open", sort: "created", direction: "asc", ...base };
  return list(client, repository, { route: "GET /repos/{owner}/{repo}/pulls", ...order });
}

interface CommitQuery {
  readonly route: `GET /${string}`;
  readonly [parameter: string]: string;
}

async function list(
  client: InstallationClient,
  repository: Repository,
  { route, ...question }: CommitQuery,
): Promise<GitHubResult<readonly ListedPull[]>> {
  const pulls: ListedPull[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const parameters = {
      owner: repository.owner,
      repo: repository.name,
      ...question,
      per_page: PER_PAGE,
      page,
    };
    const answer = await client.read({ route, parameters, answer: z.array(Pull) });
    if (!answer.ok) return answer;
    pulls.push(...answer.value.flatMap((raw) => listed(raw, repository.id)));
    if (answer.value.length < PER_PAGE) break;
  }
  return succeeded(pulls);
}

/** Only pull requests into this very repository: the commit may be in others of the same network. */
function listed(raw: z.infer<typeof Pull>, repositoryId: number): readonly ListedPull[] {
  const headSha = parseSha(raw.head.sha);
  if (headSha === null || raw.base.repo.id !== repositoryId) return [];
  const { number, draft = false, head, base } = raw;
  const headRepositoryId = head.repo?.id ?? null;
  return [{ number, open: raw.state === "open", draft, headSha, headRepositoryId, baseRef: base.ref }];
}
