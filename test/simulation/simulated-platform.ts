import { createFailure } from "../../src/platform/errors.ts";
import type { HttpAnswer, Transport } from "../../src/platform/transport.ts";
import type { Life } from "./life.ts";
import type { Fault, Scheduler } from "./scheduler.ts";

/**
 * An execution as the CI's platform records it. `change`: dollars a month; null: its cost was not estimated. `resource`: the one that its plan
 * changes; null: its plan lists none.
 */
export interface PlatformExecution {
  readonly id: string;
  readonly workspace: string;
  readonly createdMs: number;
  readonly resource: string | null;
  status: "none" | "success" | "failure";
  change: number | null;
}

/** A platform as small as it can be: it lists executions, what they cost, and the resource that each changes. Nothing deletes or drifts. */
export class SimulatedPlatform {
  readonly executions = new Map<string, PlatformExecution>();
  /** False: every call is answered with 503. */
  isUp = true;
  readonly #scheduler: Scheduler;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  transportFor(life: Life): Transport {
    return {
      send: async ({ method, target }) =>
        // Schedules are only shown, and asked for sixteen times in each evaluation.
        /(?:drift|ephemeral)-config/.test(target)
          ? answerJson({ message: "not here" }, 404)
          : this.#scheduler.call(
              life,
              `platform ${method} ${target.replace(/^.*executions/, "")}`,
              async (fault) => {
                const lost = this.#findFailure(fault);
                return lost ?? this.#answer(target);
              },
            ),
      close: async () => {},
    };
  }

  #findFailure(fault: Fault | null): HttpAnswer | ReturnType<typeof createFailure> | null {
    if (fault === "before" || fault === "after")
      return createFailure("unavailable", "the connection was reset");
    if (fault === "limit") return answerJson({ message: "too many requests" }, 429);
    return this.isUp ? null : answerJson({ message: "down for maintenance" }, 503);
  }

  #answer(target: string): HttpAnswer {
    const url = new URL(target, "http://platform.invalid");
    const { pathname } = url;
    if (pathname.endsWith("/disabled")) return answerJson({ disabled: false });
    const [, id, what] = /\/executions\/([^/]+)\/([^/]+)/.exec(pathname) ?? [];
    if (pathname.endsWith("/executions")) return this.#list(url.searchParams.get("pipeline_execution_id"));
    const execution = this.executions.get(id ?? "");
    if (execution === undefined) return answerJson({ message: "not here" }, 404);
    if (what === "cost-changes-all-stages") return answerJson(costsOf(execution));
    if (what === "cost-changes-all-stages-by-modules") return answerJson(modulesOf(execution));
    return answerChanges(url, execution);
  }

  #list(id: string | null): HttpAnswer {
    const found = [...this.executions.values()].filter((execution) => execution.id === id);
    return answerJson(
      found.map(({ id: execution, workspace, status, createdMs }) => ({
        account: "acc",
        org: "acme",
        project: "shop",
        pipeline: "infra",
        pipeline_execution_id: execution,
        pipeline_stage_id: `${execution}-plan`,
        workspace,
        status,
        created: createdMs,
      })),
    );
  }
}

const answerJson = (body: unknown, status = 200): HttpAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: new TextEncoder().encode(JSON.stringify(body)),
});

const BEFORE = 1_000;

function costOf({ id, workspace, change }: PlatformExecution & { readonly change: number }) {
  return {
    currency: "USD",
    diff: {},
    total_monthly_cost: String(BEFORE + change),
    past_total_monthly_cost: String(BEFORE),
    diff_total_monthly_cost: String(change),
    percentage_change_total_monthly_cost: null,
    stage_execution_id: `${id}-plan`,
    stage_id: "plan",
    workspace_id: workspace,
    estimate: { completeness: "complete", problems: [], unpriced: {}, parts: "changed" },
  };
}

const costsOf = (execution: PlatformExecution) =>
  execution.status === "none" || execution.change === null
    ? []
    : [costOf({ ...execution, change: execution.change })];

const modulesOf = (execution: PlatformExecution) =>
  costsOf(execution).map(({ stage_execution_id, stage_id, workspace_id, ...cost }) => ({
    modules: { root: { ...cost, stage_execution_id, stage_id, workspace_id } },
    stage_execution_id,
    stage_id,
    workspace_id,
  }));

function answerChanges({ pathname }: URL, { resource }: PlatformExecution): HttpAnswer {
  const changed = resource === null ? 0 : 1;
  const types = { added: 0, changed, deleted: 0, unchanged: 0 };
  if (pathname.endsWith("/filter-counts"))
    return answerJson({
      categories: { drift_changes: 0, outputs: 0, planned_changes: changed, resources: 0 },
      change_types: { ...types, imported: 0, removed: 0 },
      modules: {},
      providers: {},
      types: {},
    });
  if (pathname.endsWith("/rows")) {
    const rows = pathname.includes("planned_changes") && resource !== null ? [rowOf(resource)] : [];
    const [totalItems, totalPages] = [rows.length, rows.length];
    return answerJson({ page: 1, pageSize: 100, rows, totalItems, totalPages });
  }
  if (pathname.endsWith("/counts")) {
    const none = { Drift: 0, Resources: 0, DataSources: 0, Outputs: 0 };
    return answerJson({ PlannedTotal: changed, PlannedByChangeType: types, ...none });
  }
  return answerJson({ message: "not here" }, 404);
}

const rowOf = (name: string) => ({
  ...{ category: "planned_changes", ordinal: 0 },
  resource_address: `aws_instance.${name}`,
  type: "aws_instance",
  change: "changed",
});
