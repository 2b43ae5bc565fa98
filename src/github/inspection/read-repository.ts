import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { failed, type GitHubResult, succeeded } from "../client/result.ts";
import { toResult } from "../client/to-result.ts";

const Repository = z.object({ default_branch: z.string() });

/** The name of the default branch. */
export async function readDefaultBranch(
  octokit: Octokit,
  at: { readonly owner: string; readonly repo: string },
): Promise<GitHubResult<string>> {
  const repository = await toResult(octokit.rest.repos.get(at), Repository);
  return repository.ok ? succeeded(repository.value.default_branch) : repository;
}

const File = z.object({ type: z.literal("file"), encoding: z.literal("base64"), content: z.string() });

/** The text of a file on the default branch; null: there is none. */
export async function readFileText(
  octokit: Octokit,
  at: { readonly owner: string; readonly repo: string; readonly path: string },
): Promise<GitHubResult<string | null>> {
  const file = await toResult(octokit.rest.repos.getContent(at), z.unknown());
  if (!file.ok) return file.failure.kind === "not_found" ? succeeded(null) : file;
  const read = File.safeParse(file.value);
  return read.success
    ? succeeded(Buffer.from(read.data.content, "base64").toString("utf8"))
    : failed("malformed", "it is no file");
}

const User = z.object({ login: z.string() });

/** The login of an account by its numeric id. */
export async function readLogin(octokit: Octokit, account_id: number): Promise<GitHubResult<string>> {
  const user = await toResult(octokit.rest.users.getById({ account_id }), User);
  return user.ok ? succeeded(user.value.login) : user;
}

const Account = z.object({ type: z.string() });

/** What kind of account has this login, such as `User` or `Bot`; null: none has. */
export async function readAccountType(
  octokit: Octokit,
  username: string,
): Promise<GitHubResult<string | null>> {
  const account = await toResult(octokit.rest.users.getByUsername({ username }), Account);
  if (account.ok) return succeeded(account.value.type);
  return account.failure.kind === "not_found" ? succeeded(null) : account;
}

const RateLimit = z.object({
  resources: z.object({ core: z.object({ limit: z.number(), remaining: z.number(), reset: z.number() }) }),
});

export interface RateBudget {
  /** Calls per hour. */
  readonly limit: number;
  readonly remaining: number;
  /** When it is full again, in ms since 1970. */
  readonly resetMs: number;
}

/** The rate limit of the caller; null: the server has none. Reading it costs nothing. */
export async function readRateBudget(octokit: Octokit): Promise<GitHubResult<RateBudget | null>> {
  const answer = await toResult(octokit.rest.rateLimit.get(), RateLimit);
  if (!answer.ok) return answer.failure.kind === "not_found" ? succeeded(null) : answer;
  const { limit, remaining, reset } = answer.value.resources.core;
  return succeeded({ limit, remaining, resetMs: reset * 1000 });
}
