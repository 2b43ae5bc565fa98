import type { LoadedPolicy } from "../../../policy/model/loaded-policy.ts";
import type { JobDeps } from "../../run/deps.ts";
import type { Asker } from "../platform/grants.ts";
import { type Candidate, NO_TRACE } from "./claims.ts";
import { newestExecution } from "./newest-execution.ts";

/**
 * The newest execution of each workspace that the policy expects by name, when the policy asks for it. Nothing ties such an
 * execution to the commit, so the report says "assumed".
 */
export async function assumedCandidates(
  deps: JobDeps,
  asker: Asker,
  policy: LoadedPolicy,
): Promise<readonly Candidate[]> {
  if (policy.state !== "found" || !policy.policy.assumeByWorkspace) return [];
  const org = asker.narrowed.org ?? asker.owner;
  const project = asker.narrowed.project ?? asker.name;
  const names = new Set(policy.policy.expect.flatMap(({ workspaces }) => workspaces));
  const found = await Promise.all(
    [...names].filter(isName).map((workspace) => newestOf(deps, { org, project, workspace })),
  );
  return found.flat();
}

const isName = (workspace: string): boolean => !/[*?{}[\]]/.test(workspace);

async function newestOf(
  { platform }: JobDeps,
  place: { readonly org: string; readonly project: string; readonly workspace: string },
): Promise<readonly Candidate[]> {
  const newest = await newestExecution(platform, place);
  if (newest === null) return [];
  const { org, project } = place;
  const executionId = newest.pipeline_execution_id;
  return [{ org, project, executionId, source: "assumed", proven: true, trace: NO_TRACE }];
}
