import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { requestById } from "../client/installation-client.ts";
import { type GitHubResult, succeeded } from "../client/result.ts";
import { toResult } from "../client/to-result.ts";

// A type, not an interface: Octokit's parameters have an index signature.
type RepositoryName = { readonly owner: string; readonly repo: string };

/** A check that a branch requires. */
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

/** What GitHub demands of changes to a branch. */
export interface BranchRequirements {
  /** By branch protection and by rulesets. Servers without rulesets have none of these. */
  readonly checks: readonly RequiredName[];
  /** Whether a ruleset lets only chosen people create the branch. */
  readonly restrictsCreation: boolean;
}

/** Reads what a branch requires; reading it needs no administration permission. */
export async function readBranchRequirements(
  octokit: Octokit,
  at: { readonly repository_id: number; readonly branch: string },
): Promise<GitHubResult<BranchRequirements>> {
  const [branch, answered] = await Promise.all([
    toResult(requestById(octokit, "GET /repos/{owner}/{repo}/branches/{branch}", at), Branch),
    toResult(
      requestById(octokit, "GET /repos/{owner}/{repo}/rules/branches/{branch}", { ...at, per_page: 100 }),
      z.array(Rule),
    ),
  ]);
  if (!branch.ok) return branch;
  if (!answered.ok && answered.failure.kind !== "not_found") return answered;
  const rules = answered.ok ? answered.value : [];
  const required = branch.value.protection?.required_status_checks?.checks ?? [];
  const ruled = rules.flatMap(({ parameters }) => parameters?.required_status_checks ?? []);
  const checks = [
    ...required.map(
      ({ context: name, app_id }): RequiredName => ({
        name,
        appId: toAppId(app_id),
        by: "branch protection",
      }),
    ),
    ...ruled.map(
      ({ context: name, integration_id }): RequiredName => ({
        name,
        appId: toAppId(integration_id),
        by: "a ruleset",
      }),
    ),
  ];
  return succeeded({ checks, restrictsCreation: rules.some(({ type }) => type === "creation") });
}

/** GitHub writes "any source" as an absent member, null or -1. */
const toAppId = (id: number | null | undefined): number | null =>
  id === null || id === undefined || id < 0 ? null : id;

const CheckRuns = z.object({
  check_runs: z.array(z.object({ app: z.object({ id: z.int(), name: z.string() }).nullish() })),
});
const Statuses = z.object({
  statuses: z.array(z.object({ context: z.string(), creator: z.object({ login: z.string() }).nullish() })),
});

/** Who else reports a check or status of this name on a commit, by name. */
export async function listOtherReporters(
  octokit: Octokit,
  at: RepositoryName & { readonly ref: string },
  own: { readonly name: string; readonly appId: number },
): Promise<GitHubResult<readonly string[]>> {
  const runs = await toResult(octokit.rest.checks.listForRef({ ...at, check_name: own.name }), CheckRuns);
  if (!runs.ok) return runs;
  const statuses = await toResult(
    octokit.rest.repos.getCombinedStatusForRef({ ...at, per_page: 100 }),
    Statuses,
  );
  if (!statuses.ok) return statuses;
  const apps = runs.value.check_runs.flatMap(({ app }) =>
    app?.id === own.appId ? [] : [app?.name ?? "an App"],
  );
  const people = statuses.value.statuses.flatMap(({ context, creator }) =>
    context === own.name ? [creator?.login ?? "somebody"] : [],
  );
  return succeeded([...new Set([...apps, ...people])]);
}
