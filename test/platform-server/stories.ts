import type { PlatformWorld } from "./platform-world.ts";

export const PROJECT = "/api/orgs/acme/projects/payments";
export const EXECUTIONS = `${PROJECT}/executions`;
export const STAGE = `${EXECUTIONS}/run-1/stage-1`;
export const CHANGES = `${STAGE}/resource-changes`;

export const COUNTS = {
  PlannedTotal: 4,
  PlannedByChangeType: { added: 2, changed: 1, deleted: 1, unchanged: 0 },
  Drift: 0,
  Resources: 0,
  DataSources: 0,
  Outputs: 0,
};

/** Records stage `stage-1` of execution `run-1` unless told otherwise. */
export async function createStage(
  world: PlatformWorld,
  over: Partial<
    Record<"pipeline" | "pipeline_execution_id" | "pipeline_stage_id" | "workspace", string>
  > = {},
  project = PROJECT,
) {
  const json = {
    pipeline: "deploy",
    pipeline_execution_id: "run-1",
    pipeline_stage_id: "stage-1",
    workspace: "prod-network",
    ...over,
  };
  return world.call("POST", `${project}/executions`, { json });
}

export const change = (kind: string, name: string, over: object = {}) => ({
  provider: "aws",
  type: "aws_instance",
  name,
  module: "root",
  change: kind,
  resource_address: `aws_instance.${name}`,
  changes: { ami: { change: kind, drift: false, old: "ami-1", new: "ami-2", sensitive: false } },
  ...over,
});

/** Uploads a page; `path` is category and page, perhaps with a query. */
export const upload = (world: PlatformWorld, path: string, elements: unknown) =>
  world.call("POST", `${CHANGES}/${path}`, { bytes: JSON.stringify(elements) });

export const commit = (world: PlatformWorld, counts: object = COUNTS) =>
  world.call("POST", `${CHANGES}/counts`, { bytes: JSON.stringify(counts) });

/** A cost change of `stage-1` in `prod-network`. */
export const cost = (total: string, over: object = {}) => ({
  currency: "USD",
  diff: {},
  total_monthly_cost: total,
  past_total_monthly_cost: "100.00",
  diff_total_monthly_cost: "20.005",
  percentage_change_total_monthly_cost: 20.01,
  stage_execution_id: "stage-1",
  stage_id: "plan",
  workspace_id: "prod-network",
  ...over,
});
