import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { readData, readUnless } from "../client/read-answer.ts";
import { createGitHubFailure, GitHubError } from "../client/result.ts";

// A type, not an interface: Octokit's parameters have an index signature.
type RepositoryName = { readonly owner: string; readonly repo: string };

const CheckRuns = z.object({
  check_runs: z.array(z.object({ app: z.object({ id: z.int(), name: z.string() }).nullish() })),
});
const Statuses = z.object({
  statuses: z.array(z.object({ context: z.string(), creator: z.object({ login: z.string() }).nullish() })),
});

/** Who else reports a check or status of this name on a commit, by name. Throws `GitHubError`. */
export async function listOtherReporters(
  octokit: Octokit,
  at: RepositoryName & { readonly ref: string },
  own: { readonly name: string; readonly appId: number },
): Promise<readonly string[]> {
  const runs = await readData(octokit.rest.checks.listForRef({ ...at, check_name: own.name }), CheckRuns);
  const call = octokit.rest.repos.getCombinedStatusForRef({ ...at, per_page: 100 });
  const { statuses } = await readData(call, Statuses);
  const apps = runs.check_runs.flatMap(({ app }) => (app?.id === own.appId ? [] : [app?.name ?? "an App"]));
  const people = statuses.flatMap(({ context, creator }) =>
    context === own.name ? [creator?.login ?? "somebody"] : [],
  );
  return [...new Set([...apps, ...people])];
}

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

const Named = z
  .object({
    id: z.int().positive(),
    ...{ full_name: z.string().optional(), login: z.string().optional(), slug: z.string().optional() },
  })
  .transform(({ id, full_name, login, slug }) => ({ id, name: full_name ?? login ?? slug ?? "" }));

/**
 * GitHub's id of an account by its login, a repository by `owner/name`, or an App by its slug, with the name that it has now: a former
 * name of a repository leads to it as well; null: there is none. Throws `GitHubError`.
 */
export function readNamedId(
  { rest }: Octokit,
  { kind, name }: { readonly kind: "account" | "repository" | "app"; readonly name: string },
): Promise<z.infer<typeof Named> | null> {
  const [owner = "", repo = ""] = name.split("/");
  const calls = {
    account: () => rest.users.getByUsername({ username: name }),
    repository: () => rest.repos.get({ owner, repo }),
    app: () => rest.apps.getBySlug({ app_slug: name }),
  };
  return readUnless(["not_found"], readData<z.infer<typeof Named>>(calls[kind](), Named));
}

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
