import type { InstallationClient } from "../../github/client/installation-client.ts";
import { isRefusal } from "../../github/client/result.ts";
import type { HeadState, RepositoryState } from "../../github/head/head-state.ts";
import { isPolicyFileRemoved } from "../../github/head/removal.ts";
import { readBranchRequirements } from "../../github/inspection/read-required-checks.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { findSharedName, formatCheckName, type SharedName } from "../../policy/decide-check.ts";
import type { UnsharedName } from "../../policy/model/evaluation.ts";
import type { LoadedPolicy } from "../../policy/model/loaded-policy.ts";
import { findLastCheckName, type StoredEvaluation } from "../../store/evaluations.ts";
import type { JobDeps } from "../run/deps.ts";
import { loadPolicyFiles } from "./policy-files.ts";

/** The name of a check; `unshared`: why it is the branch's own although a policy gives another one. */
export interface ChosenName {
  readonly checkName: string;
  readonly unshared?: UnsharedName;
}

/** A base branch with its policy. */
export interface NamedBranch {
  readonly repository: RepositoryState;
  readonly baseRef: string;
  /** In force on the branch. */
  readonly policy: LoadedPolicy;
  readonly files: Pick<HeadState["policy"], "organisation" | "defaultBranch">;
  /** The last evaluation of the pull request; null: there is none, or it is about a merge group. */
  readonly before: StoredEvaluation | null;
}

type NameDeps = Pick<JobDeps, "db" | "clock" | "policies" | "ownAppId">;

/**
 * Returns the name of the check of a branch. GitHub counts a success for a commit and a name, whatever base branch it was about. So the
 * default branch's policy alone gives names, and a branch has one only while GitHub requires it there: on another branch, anyone who can
 * push could pass by its policy, or by its content. Without a usable policy the last name stays.
 *
 * @throws TollgateError `github_failed`, retryable
 */
export async function selectCheckName(
  deps: NameDeps,
  client: InstallationClient,
  branch: NamedBranch,
): Promise<ChosenName> {
  const { baseRef, policy, files } = branch;
  const own = formatCheckName(baseRef);
  const naming = await loadNamingPolicy(deps, client, branch);
  const shared = await findNameToShare(deps, naming, branch);
  if (shared === null) {
    const ignored = policy.state === "found" ? findSharedName(policy.policy, baseRef) : null;
    return { checkName: own, ...(ignored && { unshared: { name: ignored.name, because: "other_policy" } }) };
  }
  const isExact = shared.isExact || baseRef === files.defaultBranch?.name;
  const because = await findObstacle(deps, client, branch, { ...shared, isExact });
  return because === null
    ? { checkName: shared.name }
    : { checkName: own, unshared: { name: shared.name, because } };
}

/** Returns the name that the branch would share; null: its own. */
async function findNameToShare(
  deps: NameDeps,
  naming: LoadedPolicy,
  { repository, baseRef, policy, before }: NamedBranch,
): Promise<SharedName | null> {
  if (naming.state === "found") return findSharedName(naming.policy, baseRef);
  if (naming.state === "none" && policy.state !== "none") return null;
  const last = { state: naming.state, repositoryId: repository.id, baseRef, before };
  const name = await findKnownCheckName(deps, last);
  return name === formatCheckName(baseRef) ? null : { name, isExact: true };
}

/** Returns the policy of the default branch. */
async function loadNamingPolicy(
  deps: NameDeps,
  client: InstallationClient,
  { repository, baseRef, policy, files: { organisation, defaultBranch } }: NamedBranch,
): Promise<LoadedPolicy> {
  if (defaultBranch === null) return { state: "unreadable", level: "repository", reason: "base_missing" };
  const { name, file } = defaultBranch;
  if (name === baseRef) return policy;
  return loadPolicyFiles(deps, {
    repositoryId: repository.id,
    baseRef: name,
    files: { repository: file, organisation },
    wasRemoved: (level) => isPolicyFileRemoved(client, { repository, baseRef: name, level }),
  });
}

/** Returns why a branch may not have a shared name; null: it may. */
async function findObstacle(
  { ownAppId }: NameDeps,
  client: InstallationClient,
  { repository, baseRef: branch }: NamedBranch,
  shared: SharedName,
): Promise<UnsharedName["because"] | null> {
  const read = await readBranchRequirements(client.octokit, { repository_id: repository.id, branch });
  if (!read.ok && isRefusal(read.failure)) return "unreadable";
  if (!read.ok)
    throw new TollgateError("github_failed", `the rules of a branch: ${read.failure.message}`, {
      retryable: true,
    });
  const { checks, restrictsCreation } = read.value;
  const isRequired = checks.some(
    ({ name, appId }) => name === shared.name && (appId === null || appId === ownAppId),
  );
  if (!isRequired) return "not_required";
  return shared.isExact || restrictsCreation ? null : "creatable";
}

interface LastName {
  /** Of the policy that gives the name. */
  readonly state: LoadedPolicy["state"] | "not_read";
  readonly repositoryId: number;
  readonly baseRef: string;
  readonly before: StoredEvaluation | null;
}

/** Returns the name that the check had: that of the last evaluation; while no policy can be read, else that of the last pull request into the branch. */
export async function findKnownCheckName(
  { db }: Pick<JobDeps, "db">,
  { state, repositoryId, baseRef, before }: LastName,
): Promise<string> {
  if (before?.evaluation.pull.baseRef === baseRef) return before.evaluation.checkName;
  const last = state === "none" ? null : await findLastCheckName(db, { repositoryId, baseRef });
  return last ?? formatCheckName(baseRef);
}
