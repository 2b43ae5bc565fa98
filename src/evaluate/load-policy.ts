import { isPolicyFileRemoved } from "../github/head/removal.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { selectCheckName } from "./build-evaluation.ts";
import { loadPolicyFiles } from "./policy/policy-files.ts";
import type { CurrentHead } from "./run/pull-run.ts";

/** The policy in force for a pull request, and the name of the check that it decides. */
export interface CheckPolicy {
  readonly policy: LoadedPolicy;
  readonly checkName: string;
}

/** Loads the policy files of the base branch and of the organisation. */
export async function loadPolicy({ run, head, before }: CurrentHead): Promise<CheckPolicy> {
  const { repository } = head;
  const { baseRef } = head.pull;
  const policy = await loadPolicyFiles(run.deps, {
    repositoryId: repository.id,
    baseRef,
    files: head.policy,
    wasRemoved: (which) => isPolicyFileRemoved(run.client, { repository, baseRef, level: which }),
  });
  return { policy, checkName: selectCheckName(policy, baseRef, before) };
}
