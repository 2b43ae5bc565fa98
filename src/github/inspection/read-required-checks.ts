import type { Octokit } from "@octokit/rest";
import { z } from "zod";
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

/** Every check that a branch requires, by branch protection and by rulesets. Servers without rulesets have none. */
export async function listRequiredNames(
  octokit: Octokit,
  at: RepositoryName & { readonly branch: string },
): Promise<GitHubResult<readonly RequiredName[]>> {
  const branch = await toResult(octokit.rest.repos.getBranch(at), Branch);
  if (!branch.ok) return branch;
  const rules = await toResult(octokit.rest.repos.getBranchRules({ ...at, per_page: 100 }), z.array(Rule));
  if (!rules.ok && rules.failure.kind !== "not_found") return rules;
  const required = branch.value.protection?.required_status_checks?.checks ?? [];
  const ruled = (rules.ok ? rules.value : []).flatMap(
    ({ parameters }) => parameters?.required_status_checks ?? [],
  );
  return succeeded([
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
  ]);
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
