import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { requestById } from "../client/installation-client.ts";
import { readData, readUnless } from "../client/read-answer.ts";
import { createGitHubFailure, GitHubError } from "../client/result.ts";

// A type, not an interface: Octokit's parameters have an index signature.
type RepositoryName = { readonly owner: string; readonly repo: string };

export interface RequiredName {
  readonly name: string;
  /** The only App whose check counts; null: any App and any workflow may set it. */
  readonly appId: number | null;
  readonly by: "branch protection" | "a ruleset";
}

const Branch = z.object({
  protection: z
    .object({
      required_status_checks: z
        .object({
          checks: z.array(z.object({ context: z.string(), app_id: z.int().nullish() })).default([]),
        })
        .nullish(),
    })
    .nullish(),
});

const Rule = z.object({
  type: z.string(),
  parameters: z
    .object({
      required_status_checks: z
        .array(z.object({ context: z.string(), integration_id: z.int().nullish() }))
        .default([]),
    })
    .partial()
    .nullish(),
});

export interface BranchRequirements {
  /** By branch protection and by rulesets. Servers without rulesets have none of these. */
  readonly checks: readonly RequiredName[];
  /** Whether a ruleset lets only chosen people create the branch. */
  readonly restrictsCreation: boolean;
}

/** Reads what a branch requires; reading it needs no administration permission. Throws `GitHubError`. */
export async function readBranchRequirements(
  octokit: Octokit,
  at: { readonly repository_id: number; readonly branch: string },
): Promise<BranchRequirements> {
  const ruleCall = requestById(octokit, "GET /repos/{owner}/{repo}/rules/branches/{branch}", {
    ...at,
    per_page: 100,
  });
  const [branch, answered] = await Promise.all([
    readData(requestById(octokit, "GET /repos/{owner}/{repo}/branches/{branch}", at), Branch),
    readUnless(["not_found"], readData(ruleCall, z.array(Rule))),
  ]);
  const rules = answered ?? [];
  const required = branch.protection?.required_status_checks?.checks ?? [];
  const ruled = rules.flatMap(({ parameters }) => parameters?.required_status_checks ?? []);
  const checks: readonly RequiredName[] = [
    ...required.map(({ context, app_id }) => toRequiredName(context, app_id, "branch protection")),
    ...ruled.map(({ context, integration_id }) => toRequiredName(context, integration_id, "a ruleset")),
  ];
  return { checks, restrictsCreation: rules.some(({ type }) => type === "creation") };
}

/** GitHub writes "any source" as an absent member, null or -1. */
const toRequiredName = (
  name: string,
  id: number | null | undefined,
  by: RequiredName["by"],
): RequiredName => ({ name, appId: id === null || id === undefined || id < 0 ? null : id, by });

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
