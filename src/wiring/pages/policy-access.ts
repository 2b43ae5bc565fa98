import type { JobDeps } from "../../evaluate/run/deps.ts";
import { type BranchPolicy, readBranchPolicy } from "../../github/head/branch-policy.ts";
import type { FileState } from "../../github/head/head-state.ts";
import { findRepository } from "../../store/repositories.ts";
import type { BranchFile, BranchFiles, PolicyAccess } from "../../web/page/page.ts";

/** Builds what the policy page needs: the files as the installation reads them, and the thread of proposed policies. */
export const buildPolicyAccess = (
  deps: Pick<JobDeps, "db" | "github" | "operator" | "policies">,
): PolicyAccess => ({
  perform: deps.policies.proposed,
  readFiles: async ({ repositoryId, owner, name }) => {
    const repository = await findRepository(deps.db, repositoryId);
    if (repository === undefined) return null;
    const answer = await readBranchPolicy(deps.github(repository.installation_id), {
      owner,
      name,
      repositoryId,
      organisationPolicy: deps.operator.orgPolicy(owner),
    });
    return answer.ok ? toBranchFiles(answer.value) : null;
  },
});

const toBranchFiles = (policy: BranchPolicy): BranchFiles => ({
  branch: policy.branch,
  repository: toBranchFile(policy.repository),
  organisation: toBranchFile(policy.organisation),
  organisationRepositoryId: policy.organisationRepositoryId,
});

function toBranchFile(file: FileState): BranchFile {
  if (file.state !== "found") return { state: file.state };
  return { state: "found", name: `${file.source.repository}:${file.source.path}`, text: file.text };
}
