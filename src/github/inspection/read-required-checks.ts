import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { requestById } from "../client/installation-client.ts";
import { readData, readUnless } from "../client/read-answer.ts";

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
