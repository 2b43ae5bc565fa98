import { z } from "zod";
import { parseSha } from "../../kernel/ids.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import { failed, type GitHubResult, succeeded } from "../client/result.ts";
import { toResult } from "../client/to-result.ts";
import type { FileState, HeadState } from "./head-state.ts";
import { readBranchPolicy } from "./policy-file.ts";

const Stacks = z.array(
  z.object({
    number: z.int(),
    base: z.object({ ref: z.string() }),
    pull_requests: z.array(
      z.object({ number: z.int(), merged_at: z.string().nullable(), head: z.object({ sha: z.string() }) }),
    ),
  }),
);

/**
 * Returns a head with the trunk as its base branch where it is in a stack above others that are not merged, else the same head. Servers
 * without stacks answer 404.
 */
export async function joinStack(
  client: InstallationClient,
  head: HeadState,
): Promise<GitHubResult<HeadState>> {
  const { repository, pull, policy } = head;
  const at = { repository_id: repository.id, pull_request: pull.number };
  const call = requestById(client.octokit, "GET /repos/{owner}/{repo}/stacks", at);
  const answer = await toResult(call, Stacks);
  if (!answer.ok) return answer.failure.kind === "not_found" ? succeeded(head) : answer;
  const isOwn = ({ number }: { readonly number: number }) => number === pull.number;
  const stack = answer.value.find(({ pull_requests: pulls }) => pulls.some(isOwn));
  const all = stack?.pull_requests ?? [];
  const lower = all.slice(0, all.findIndex(isOwn)).filter(({ merged_at }) => merged_at === null);
  if (stack === undefined || lower.length === 0) return succeeded(head);
  const below = lower.flatMap(({ number, head: { sha } }) => {
    const headSha = parseSha(sha);
    return headSha === null ? [] : [{ number, headSha }];
  });
  if (below.length < lower.length) return failed("malformed", "a pull request of a stack has no commit id");
  const { ref: baseRef } = stack.base;
  const file = await readTrunkFile(client, head, baseRef);
  if (!file.ok) return file;
  return succeeded({
    ...head,
    pull: { ...pull, baseRef, stack: { number: stack.number, below } },
    policy: { ...policy, repository: file.value },
  });
}

async function readTrunkFile(
  client: InstallationClient,
  { repository: { id: repositoryId, owner, name }, policy: { defaultBranch } }: HeadState,
  branch: string,
): Promise<GitHubResult<FileState>> {
  if (defaultBranch?.name === branch) return succeeded(defaultBranch.file);
  const request = { owner, name, repositoryId, organisationPolicy: "none", branch } as const;
  const read = await readBranchPolicy(client, request);
  if (read.ok) return succeeded(read.value.repository);
  return read.failure.kind === "not_found"
    ? succeeded({ state: "unreadable", reason: "base_missing" })
    : read;
}
