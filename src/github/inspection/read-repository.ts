import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { readData, readUnless } from "../client/read-answer.ts";
import { createGitHubFailure, GitHubError } from "../client/result.ts";

const Repository = z.object({ default_branch: z.string() });

export async function readDefaultBranch(
  octokit: Octokit,
  at: { readonly owner: string; readonly repo: string },
): Promise<string> {
  return (await readData(octokit.rest.repos.get(at), Repository)).default_branch;
}

const File = z.object({ type: z.literal("file"), encoding: z.literal("base64"), content: z.string() });

/** The text of a file on the default branch; null: there is none. */
export async function readFileText(
  octokit: Octokit,
  at: { readonly owner: string; readonly repo: string; readonly path: string },
): Promise<string | null> {
  const found = await readUnless(["not_found"], octokit.rest.repos.getContent(at));
  if (found === null) return null;
  const file = File.safeParse(found.data);
  if (!file.success) throw new GitHubError(createGitHubFailure("malformed", "it is no file"));
  return Buffer.from(file.data.content, "base64").toString("utf8");
}

const User = z.object({ login: z.string() });

export const readLogin = async (octokit: Octokit, account_id: number): Promise<string> =>
  (await readData(octokit.rest.users.getById({ account_id }), User)).login;

const Account = z.object({ type: z.string() });

/** What kind of account has this login, such as `User` or `Bot`; null: none has. */
export async function readAccountType(octokit: Octokit, username: string): Promise<string | null> {
  const call = readData(octokit.rest.users.getByUsername({ username }), Account);
  return (await readUnless(["not_found"], call))?.type ?? null;
}

const RateLimit = z
  .object({
    resources: z.object({ core: z.object({ limit: z.number(), remaining: z.number(), reset: z.number() }) }),
  })
  .transform(({ resources: { core } }) => ({ ...core, resetMs: core.reset * 1000 }));

/** Calls per hour. `resetMs`: when all of them are there again, in ms since 1970. */
export type RateBudget = Readonly<z.infer<typeof RateLimit>>;

/** The rate limit of the caller; null: the server has none. Reading it costs nothing. */
export const readRateBudget = (octokit: Octokit): Promise<RateBudget | null> =>
  readUnless(["not_found"], readData(octokit.rest.rateLimit.get(), RateLimit));
