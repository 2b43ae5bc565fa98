import { isPolicyFileRemoved } from "../github/head/removal.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { loadPolicyFiles } from "./policy/policy-files.ts";
import { type ChosenName, selectCheckName } from "./policy/select-check-name.ts";
import type { CurrentHead } from "./run/deps.ts";

/** The policy in force for a pull request, and the name of the check that it decides. */
export interface CheckPolicy extends ChosenName {
  readonly policy: LoadedPolicy;
}

/** Loads the policy files of the base branch and of the organisation, and chooses the name of the check. */
export async function loadPolicy({ run, head, before }: CurrentHead): Promise<CheckPolicy> {
  const { repository } = head;
  const { baseRef } = head.pull;
  const policy = await loadPolicyFiles(run.deps, {
    repositoryId: repository.id,
    baseRef,
    files: head.policy,
    wasRemoved: (which) => isPolicyFileRemoved(run.client, { repository, baseRef, level: which }),
  });
  const branch = { repository, baseRef, policy, files: head.policy, before };
  return { policy, ...(await selectCheckName(run.deps, run.client, branch)) };
}
