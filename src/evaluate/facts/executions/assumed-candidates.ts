import type { LoadedPolicy } from "../../../policy/model/loaded-policy.ts";
import type { JobDeps } from "../../run/deps.ts";
import type { Grantee } from "../platform/grants.ts";
import { type ExecutionCandidate, NO_TRACE } from "./claims.ts";
import { findNewestExecution } from "./newest-execution.ts";

/**
 * Returns the newest execution of each workspace that the policy expects by name, when the policy enables
 * this. Nothing links such an execution to the commit, so the report says "assumed".
 */
export async function readAssumedCandidates(
  deps: JobDeps,
  grantee: Grantee,
  policy: LoadedPolicy,
): Promise<readonly ExecutionCandidate[]> {
  if (policy.state !== "found" || !policy.policy.assumeByWorkspace) return [];
  const org = grantee.restriction.org ?? grantee.owner;
  const project = grantee.restriction.project ?? grantee.name;
  const names = new Set(policy.policy.expect.flatMap(({ workspaces }) => workspaces));
  const found = await Promise.all(
    [...names].filter(isName).map((workspace) => readNewestCandidate(deps, { org, project, workspace })),
  );
  return found.flat();
}

const isName = (workspace: string): boolean => !/[*?{}[\]]/.test(workspace);

async function readNewestCandidate(
  { platform }: JobDeps,
  place: { readonly org: string; readonly project: string; readonly workspace: string },
): Promise<readonly ExecutionCandidate[]> {
  const newest = await findNewestExecution(platform, place);
  if (newest === null) return [];
  const { org, project } = place;
  const executionId = newest.pipeline_execution_id;
  return [{ org, project, executionId, source: "assumed", proven: true, trace: NO_TRACE }];
}
