import { toGraphqlResult } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { failed, type GitHubResult, succeeded } from "../client/result.ts";
import { BRANCH_POLICY_QUERY } from "./head-query.ts";
import { RawBranchPolicy } from "./head-schema.ts";
import type { FileState } from "./head-state.ts";
import { resolveOrganisationFile, toDefaultBranch, toRepositoryState } from "./policy-file.ts";

export interface BranchPolicyRequest {
  readonly owner: string;
  readonly name: string;
  /** The repository's id: another repository can get its name. */
  readonly repositoryId: number;
  /** `none`: the operator states that no organisation has a policy file. */
  readonly organisationPolicy: "read" | "none";
  /** Absent: the default branch. */
  readonly branch?: string;
}

/** The policy files that are in force for pull requests into a branch. */
export interface BranchPolicy {
  readonly branch: string;
  readonly repository: FileState;
  readonly organisation: FileState;
  /** GitHub's id of the repository with the organisation's file; null: none was read. */
  readonly organisationRepositoryId: number | null;
}

/** Reads the policy files of a branch, in one round trip. Where there is no such branch, as in an empty repository: `not_found`. */
export async function readBranchPolicy(
  client: InstallationClient,
  request: BranchPolicyRequest,
): Promise<GitHubResult<BranchPolicy>> {
  const { owner, name, organisationPolicy: expected } = request;
  const named = request.branch === undefined ? {} : { isNamed: true, ref: `refs/heads/${request.branch}` };
  const variables = { owner, name, organisation: expected === "read", ...named };
  const answer = await toGraphqlResult(
    client.octokit.graphql(BRANCH_POLICY_QUERY, variables),
    RawBranchPolicy,
  );
  if (!answer.ok) return answer;
  const { data, errors } = answer.value;
  const home = data.repository;
  const repository = home && toRepositoryState(home);
  const ref = home?.ref ?? home?.defaultBranchRef ?? null;
  const branch = repository && toDefaultBranch(ref, `${repository.owner}/${repository.name}`);
  if (home === null || repository === null || branch === null || home.databaseId !== request.repositoryId)
    return failed("not_found", "no such repository, or it has no branch");
  const broken = errors.find(({ path }) => path[0] !== "organisation");
  if (broken !== undefined) return failed("unavailable", broken.message);
  return succeeded({
    branch: branch.name,
    repository: branch.file,
    organisation: await resolveOrganisationFile(
      { repository, expected, answer: data.organisation, errors },
      client,
    ),
    organisationRepositoryId: data.organisation?.databaseId ?? null,
  });
}
