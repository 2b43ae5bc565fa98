import type { PlatformWorld } from "./platform-world.ts";

export const PROJECT = "/api/orgs/acme/projects/payments";
export const EXECUTIONS = `${PROJECT}/executions`;
export const STAGE = `${EXECUTIONS}/run-1/stage-1`;
export const CHANGES = `${STAGE}/resource-changes`;

/** What the clients here send as the counts of nothing at all. */
export const NO_COUNTS = {
  PlannedTotal: 0,
  PlannedByChangeType: { added: 0, changed: 0, deleted: 0, unchanged: 0 },
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

/** Whole-category pages that a world's platform took, by category and page. */
const UPLOADED = new WeakMap<PlatformWorld, Map<string, readonly unknown[]>>();
const uploadedTo = (world: PlatformWorld) => UPLOADED.get(world) ?? new Map<string, readonly unknown[]>();

/** Uploads a page; `path` is category and page, perhaps with a query. */
export async function upload(world: PlatformWorld, path: string, elements: readonly unknown[]) {
  const answer = await world.call("POST", `${CHANGES}/${path}`, { bytes: JSON.stringify(elements) });
  if (answer.status === 200 && !path.includes("?"))
    UPLOADED.set(world, uploadedTo(world).set(path, elements));
  return answer;
}

/** Commits with the counts of what was uploaded, unless others are given. */
export function commit(world: PlatformWorld, counts?: object) {
  const rows: Record<string, unknown[]> = {};
  for (const [path, elements] of uploadedTo(world)) {
    const category = path.split("/")[0] ?? "";
    rows[category] = [...(rows[category] ?? []), ...elements];
  }
  const bytes = JSON.stringify(counts ?? countsOf(rows));
  return world.call("POST", `${CHANGES}/counts`, { bytes });
}

/** The counts marker of rows by category. */
export function countsOf(rows: { readonly [category in string]?: readonly unknown[] }): typeof NO_COUNTS {
  const { planned_changes: planned = [], unchanged = [] } = rows;
  const count = (kind: string) =>
    planned.filter((element) => (element as { change: string }).change === kind).length;
  return {
    PlannedTotal: planned.length,
    PlannedByChangeType: {
      added: count("added"),
      changed: count("changed"),
      deleted: count("deleted"),
      unchanged: count("unchanged") + unchanged.length,
    },
    Drift: rows["drift_changes"]?.length ?? 0,
    Resources: rows["resources"]?.length ?? 0,
    DataSources: rows["data_sources"]?.length ?? 0,
    Outputs: rows["outputs"]?.length ?? 0,
  };
}

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
