import { CODE_OWNERS_FILES } from "../github/head/head-query.ts";
import { readBranchPolicy } from "../github/head/policy-file.ts";
import { type FileOwners, hasCodeOwners, resolveCodeOwners } from "../policy/approvals/code-owners.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import type { CodeOwnersProblem } from "../policy/model/policy.ts";
import { getVerdict } from "../policy/model/situation.ts";
import type { CheckPolicy } from "./load-policy.ts";
import type { CurrentHead } from "./run/deps.ts";

/**
 * The policy with the code owners of the changed files, by the base branch's file: read only where a rule asks for them.
 *
 * @throws GitHubError
 */
export async function addCodeOwners(current: CurrentHead, checkPolicy: CheckPolicy): Promise<CheckPolicy> {
  const { policy } = checkPolicy;
  if (policy.state !== "found") return checkPolicy;
  const groups = policy.policy.rules.flatMap(({ approve }) => approve?.groups ?? []);
  const asking = groups.filter(({ codeowners }) => codeowners !== undefined).length;
  if (asking === 0) return checkPolicy;
  const owners = await findOwners(current, asking);
  const resolved = resolveCodeOwners(policy.policy, owners);
  return { ...checkPolicy, policy: { ...policy, policy: resolved, written: policy.policy } };
}

async function findOwners(
  { deps, client, key, head }: CurrentHead,
  groups: number,
): Promise<FileOwners | CodeOwnersProblem> {
  const { repository, pull, policy } = head;
  if (!pull.pathsComplete) return { kind: "files_unknown" };
  const { owner: organisation, name } = repository;
  const at = { owner: organisation, name, repositoryId: key.repositoryId, branch: pull.baseRef };
  const request = { ...at, organisationPolicy: "none", codeOwners: true } as const;
  const file = policy.codeOwners ?? (await readBranchPolicy(client, request)).codeOwners;
  if (file === null) return { kind: "unreadable", file: CODE_OWNERS_FILES[0], reason: "base_missing" };
  const path = "source" in file ? file.source.path : CODE_OWNERS_FILES[0];
  if (file.state === "unreadable") return { kind: "unreadable", file: path, reason: file.reason };
  const text = file.state === "found" ? file.text : "";
  const input = { file: path, text, paths: pull.paths, organisation, groups };
  return deps.policies.inForce({ kind: "owners", input, owner: String(key.repositoryId) });
}

/** Whether rules of an evaluation ask for code owners: then the next one reads their file with the head. */
export const usesCodeOwners = ({ situation }: Evaluation): boolean =>
  getVerdict(situation)?.findings.some(hasCodeOwners) === true;
