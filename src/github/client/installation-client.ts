import type { Octokit } from "@octokit/rest";
import type { Endpoints, RequestRequestOptions } from "@octokit/types";

export type RepositorySelection = "all" | "selected";

/** GitHub's API for one installation. */
export interface InstallationClient {
  readonly installationId: number;
  readonly appId: number;
  /** Every call goes through its write lane and rate limit pause (`paceRequests`); `readData` validates its answer. */
  readonly octokit: Octokit;
  /** Whether the installation covers all repositories of its account; at most ten minutes old. */
  repositorySelection(): Promise<RepositorySelection>;
  /** True: own comments get a mark and are found again by it, because other programs write under the same author. */
  readonly marksComments: boolean;
  /** Numeric user id under which this App writes comments; requested once per process. */
  botUserId(): Promise<number>;
}

const BY_NAME = "/repos/{owner}/{repo}/";
const BY_ID = "/repositories/{repository_id}/";

type RepositoryRoute = keyof Endpoints & `${string} ${typeof BY_NAME}${string}`;

/** The parameters that GitHub documents for a route of a repository, with the repository's id in place of its name. */
type ParametersById<R extends RepositoryRoute> = Omit<Endpoints[R]["parameters"], "owner" | "repo"> & {
  readonly repository_id: number;
  readonly request?: RequestRequestOptions;
};

/**
 * Calls a documented route of a repository at its address by id, which GitHub has for each of them: another repository can get a
 * name at any time. Throws like every call of this Octokit.
 */
export function requestById<R extends RepositoryRoute>(
  octokit: Octokit,
  route: R,
  parameters: ParametersById<R>,
): Promise<Endpoints[R]["response"]> {
  const byId: string = route.replace(BY_NAME, BY_ID);
  // the addresses by id are not among the types of Octokit; the answer is that of the address by name
  return octokit.request(byId, parameters) as Promise<Endpoints[R]["response"]>;
}
