import { z } from "zod";
import { parseSha, type Sha } from "../../kernel/ids.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { readPages } from "../client/read-answer.ts";
import type { NamedRepository } from "./head-state.ts";

/** A pull request in a list: enough to find its lane. */
export interface ListedPull {
  readonly number: number;
  readonly open: boolean;
  readonly draft: boolean;
  readonly headSha: Sha;
  /** In a stack, the trunk. */
  readonly baseRef: string;
  /** The commit that brought it to its base branch; null: it is not merged. */
  readonly mergeSha: Sha | null;
  /** In ms since 1970; null: it is not merged. */
  readonly mergedMs: number | null;
}

const Id = z.int().positive();
const Pull = z.object({
  number: Id,
  state: z.string(),
  draft: z.boolean().optional(),
  merged_at: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  head: z.object({ sha: z.string() }),
  base: z.object({ ref: z.string(), repo: z.object({ id: Id }) }),
  stack: z.object({ base: z.object({ ref: z.string() }) }).nullish(),
});

const MAX_PAGES = 30;

/** Lists the pull requests of this repository that contain the commit. It may not find a fork's head: look in the store first. Throws `GitHubError`. */
export function readCommitPulls(
  { octokit }: Pick<InstallationClient, "octokit">,
  { id, owner, name: repo }: NamedRepository,
  sha: string,
): Promise<readonly ListedPull[]> {
  const at = { owner, repo, commit_sha: sha };
  return listPulls(id, (page) => octokit.rest.repos.listPullRequestsAssociatedWithCommit({ ...at, ...page }));
}

/** All open pull requests, or those into one base branch, oldest first. Throws `GitHubError`. */
export function listOpenPulls(
  { octokit }: InstallationClient,
  { id, owner, name: repo }: NamedRepository,
  baseRef: string | null = null,
): Promise<readonly ListedPull[]> {
  const base = baseRef === null ? {} : { base: baseRef };
  const order = { state: "open", sort: "created", direction: "asc", ...base } as const;
  return listPulls(id, (page) => octokit.rest.pulls.list({ owner, repo, ...order, ...page }));
}

async function listPulls(
  repositoryId: number,
  request: Parameters<typeof readPages>[0],
): Promise<readonly ListedPull[]> {
  const pulls = await readPages(request, z.array(Pull), MAX_PAGES);
  return pulls.flatMap((raw) => toListedPull(raw, repositoryId));
}

/** Only pull requests into this very repository: the commit may be in others of the same network. */
function toListedPull(raw: z.infer<typeof Pull>, repositoryId: number): readonly ListedPull[] {
  const headSha = parseSha(raw.head.sha);
  if (headSha === null || raw.base.repo.id !== repositoryId) return [];
  const { number, draft = false, base, stack } = raw;
  const baseRef = stack?.base.ref ?? base.ref;
  // Of an open pull request, GitHub states its test merge.
  const mergeSha = raw.merged_at == null ? null : parseSha(raw.merge_commit_sha ?? "");
  const mergedMs = raw.merged_at == null ? null : Date.parse(raw.merged_at);
  return [{ number, open: raw.state === "open", draft, headSha, baseRef, mergeSha, mergedMs }];
}
