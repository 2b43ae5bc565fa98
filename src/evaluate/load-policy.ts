import { isPolicyFileRemoved } from "../github/head/removal.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { loadPolicyFiles } from "./policy/policy-files.ts";
import { selectCheckName } from "./policy/select-check-name.ts";
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
  const at = { repositoryId: repository.id, baseRef };
  const policy = await loadPolicyFiles(run.deps, {
    ...at,
    files: head.policy,
    wasRemoved: (which) => isPolicyFileRemoved(run.client, { repository, baseRef, level: which }),
  });
  return { policy, checkName: await selectCheckName(run.deps, { ...at, policy, before }) };
}
