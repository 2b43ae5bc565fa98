import { createFailure } from "../../src/platform/errors.ts";
import type { HttpAnswer, Transport } from "../../src/platform/transport.ts";
import type { Life } from "./life.ts";
import type { Fault, Scheduler } from "./scheduler.ts";

/** An execution as the CI's platform records it. `change`: dollars a month; null: its cost was not estimated. */
export interface PlatformExecution {
  readonly id: string;
  readonly workspace: string;
  readonly createdMs: number;
  status: "none" | "success" | "failure";
  change: number | null;
}

/** A platform as small as it can be: it lists executions, and says what they cost. Nothing deletes or drifts. */
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
    return answerChanges(url);
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

/** No resource changes in any execution. */
function answerChanges({ pathname }: URL): HttpAnswer {
  const none = { added: 0, changed: 0, deleted: 0, imported: 0, removed: 0, unchanged: 0 };
  if (pathname.endsWith("/filter-counts"))
    return answerJson({
      categories: { drift_changes: 0, outputs: 0, planned_changes: 0, resources: 0 },
      change_types: none,
      modules: {},
      providers: {},
      types: {},
    });
  if (pathname.endsWith("/rows"))
    return answerJson({ page: 1, pageSize: 100, rows: [], totalItems: 0, totalPages: 0 });
  if (pathname.endsWith("/counts")) {
    const types = { added: 0, changed: 0, deleted: 0, unchanged: 0 };
    return answerJson({
      PlannedTotal: 0,
      PlannedByChangeType: types,
      Drift: 0,
      Resources: 0,
      DataSources: 0,
      Outputs: 0,
    });
  }
  return answerJson({ message: "not here" }, 404);
}
