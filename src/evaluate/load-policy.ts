import type { InstallationClient } from "../github/client/installation-client.ts";
import { toResult } from "../github/client/read-answer.ts";
import { GitHubError, isRefusal } from "../github/client/result.ts";
import type { FileState, HeadState, RepositoryState } from "../github/head/head-state.ts";
import { isPolicyFileRemoved } from "../github/head/policy-file.ts";
import { readBranchRequirements } from "../github/inspection/read-required-checks.ts";
import { findSharedName, formatCheckName, type SharedName } from "../policy/decide-check.ts";
import type { UnsharedName } from "../policy/model/evaluation.ts";
import type { LoadedPolicy, PolicyLevel } from "../policy/model/loaded-policy.ts";
import type { PolicyUnreadableReason } from "../policy/model/situation.ts";
import { findLastCheckName, type StoredEvaluation } from "../store/evaluations.ts";
import { forgetPolicy, hasSeenPolicy, rememberPolicy } from "../store/known-policy-files.ts";
import type { CurrentHead, JobDeps } from "./run/deps.ts";

/** The policy in force on a branch, and the name of the check that it decides. */
export interface CheckPolicy {
  readonly policy: LoadedPolicy;
  readonly checkName: string;
  /** Why the name is the branch's own although a policy gives another one. */
  readonly unshared?: UnsharedName;
}

type PolicyDeps = Pick<JobDeps, "db" | "clock" | "policies" | "ownAppId">;

/** A base branch with the policy files that are read for it. */
interface PolicyBranch {
  readonly client: InstallationClient;
  readonly repository: RepositoryState;
  readonly baseRef: string;
  readonly files: Pick<HeadState["policy"], "repository" | "organisation" | "defaultBranch">;
  /** The last evaluation of the pull request; null: there is none, or it is about a merge group. */
  readonly before: StoredEvaluation | null;
}

/** Loads the policy of a pull request's base branch and of the organisation, and chooses the name of the check. */
export const loadPolicy = ({ deps, client, head, before }: CurrentHead): Promise<CheckPolicy> =>
  loadBranchPolicy(deps, {
    client,
    repository: head.repository,
    baseRef: head.pull.baseRef,
    files: head.policy,
    before,
  });

/** As `loadPolicy`, for any branch. */
export async function loadBranchPolicy(deps: PolicyDeps, branch: PolicyBranch): Promise<CheckPolicy> {
  const policy = await loadPolicyFiles(deps, branch);
  return { policy, ...(await selectCheckName(deps, { ...branch, policy })) };
}

/** A base branch with its policy. */
type LoadedBranch = PolicyBranch & Pick<CheckPolicy, "policy">;

/**
 * Returns the name of the check of a branch. GitHub counts a success for a commit and a name, whatever base branch it was about. So the
 * default branch's policy alone gives names, and a branch has one only while GitHub requires it there: on another branch, anyone who can
 * push could pass by its policy, or by its content. Without a usable policy the last name stays.
 *
 * @throws GitHubError
 */
async function selectCheckName(deps: PolicyDeps, branch: LoadedBranch): Promise<Omit<CheckPolicy, "policy">> {
  const { baseRef, policy, files } = branch;
  const own = formatCheckName(baseRef);
  const naming = await loadNamingPolicy(deps, branch);
  const shared = await findNameToShare(deps, naming, branch);
  if (shared === null) {
    const ignored = policy.state === "found" ? findSharedName(policy.policy, baseRef) : null;
    return { checkName: own, ...(ignored && { unshared: { name: ignored.name, because: "other_policy" } }) };
  }
  const isExact = shared.isExact || baseRef === files.defaultBranch?.name;
  const because = await findObstacle(deps, branch, { ...shared, isExact });
  return because === null
    ? { checkName: shared.name }
    : { checkName: own, unshared: { name: shared.name, because } };
}

/** Returns the name that the branch would share; null: its own. */
async function findNameToShare(
  deps: PolicyDeps,
  naming: LoadedPolicy,
  { repository, baseRef, policy, before }: LoadedBranch,
): Promise<SharedName | null> {
  if (naming.state === "found") return findSharedName(naming.policy, baseRef);
  if (naming.state === "none" && policy.state !== "none") return null;
  const last = { state: naming.state, repositoryId: repository.id, baseRef, before };
  const name = await findKnownCheckName(deps, last);
  return name === formatCheckName(baseRef) ? null : { name, isExact: true };
}

/** Returns the policy of the default branch. */
async function loadNamingPolicy(deps: PolicyDeps, branch: LoadedBranch): Promise<LoadedPolicy> {
  const { defaultBranch } = branch.files;
  if (defaultBranch === null) return { state: "unreadable", level: "repository", reason: "base_missing" };
  const { name, file } = defaultBranch;
  if (name === branch.baseRef) return branch.policy;
  return loadPolicyFiles(deps, {
    ...branch,
    baseRef: name,
    files: { ...branch.files, repository: file },
  });
}

/** Returns why a branch may not have a shared name; null: it may. */
async function findObstacle(
  { ownAppId }: PolicyDeps,
  { client, repository, baseRef: branch }: LoadedBranch,
  shared: SharedName,
): Promise<UnsharedName["because"] | null> {
  const at = { repository_id: repository.id, branch };
  const read = await toResult(readBranchRequirements(client.octokit, at));
  if (!read.ok) {
    if (isRefusal(read.failure)) return "unreadable";
    throw new GitHubError(read.failure);
  }
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

/** Loads the policy in force from the files of the base branch and of the organisation. */
export async function loadPolicyFiles(
  deps: Pick<JobDeps, "db" | "clock" | "policies">,
  branch: PolicyBranch,
): Promise<LoadedPolicy> {
  const repository = await resolvePolicyFile(deps, branch, "repository");
  const organisation = await resolvePolicyFile(deps, branch, "organisation");
  const unreadable = [repository, organisation].find((file) => file.state === "unreadable");
  if (unreadable?.state === "unreadable") {
    const neverHadOne =
      repository.state === "absent" && unreadable.reason === "not_covered" && !unreadable.isKnown;
    if (neverHadOne) return { state: "none" };
    return { state: "unreadable", level: unreadable.level, reason: unreadable.reason };
  }
  const files = [organisation, repository].flatMap((file) => (file.state === "found" ? [file.file] : []));
  if (files.length === 0) return { state: "none" };
  const sources = files.map(({ source, blob }) => ({ ...source, blob }));
  const parsed = await deps.policies.inForce({
    kind: "parse",
    input: { repository: toText(repository), organisation: toText(organisation) },
    owner: String(branch.repository.id),
  });
  return parsed.state === "ok"
    ? { state: "found", policy: parsed.policy, rulePlaces: parsed.rulePlaces, sources }
    : { state: "invalid", problems: parsed.problems, sources };
}

type PolicyFileState =
  | { readonly state: "found"; readonly file: Extract<FileState, { state: "found" }> }
  | { readonly state: "absent" }
  | {
      readonly state: "unreadable";
      readonly level: PolicyLevel;
      readonly reason: PolicyUnreadableReason;
      readonly isKnown: boolean;
    };

/**
 * Returns the state of a file that existed and is not found: unreadable, unless a push removed it (one that
 * was delivered, or one in the history).
 */
async function resolvePolicyFile(
  deps: Pick<JobDeps, "db" | "clock">,
  { client, repository, baseRef, files }: PolicyBranch,
  level: PolicyLevel,
): Promise<PolicyFileState> {
  const file = files[level];
  const policyKey = { repositoryId: repository.id, baseRef: level === "organisation" ? null : baseRef };
  if (file.state === "found") {
    await rememberPolicy(deps.db, policyKey);
    return { state: "found", file };
  }
  if (await hasSeenPolicy(deps.db, policyKey)) {
    if (file.state === "unreadable")
      return { state: "unreadable", level, reason: file.reason, isKnown: true };
    if (!(await isPolicyFileRemoved(client, { repository, baseRef, level })))
      return { state: "unreadable", level, reason: "vanished", isKnown: true };
    await forgetPolicy(deps.db, policyKey);
    return { state: "absent" };
  }
  if (file.state === "absent") return { state: "absent" };
  return { state: "unreadable", level, reason: file.reason, isKnown: false };
}

const toText = (file: PolicyFileState) => (file.state === "found" ? toPolicyText(file.file) : null);

/** A policy file as the parser reads it, with the name that its problems state; null: it has no text. */
export const toPolicyText = (file: FileState): { file: string; text: string } | null =>
  file.state === "found" ? { file: `${file.source.repository}:${file.source.path}`, text: file.text } : null;
