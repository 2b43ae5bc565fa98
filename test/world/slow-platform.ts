import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface SlowPlatform {
  readonly url: string;
  close(): void;
}

/**
 * A platform that answers every call after `delayMs`: one stage, its costs and its counts. An execution adds 10 a month; one whose id
 * ends in `-number-NUMBER-adds-AMOUNT` adds that amount, and is newer than those with a smaller number.
 */
export async function slowPlatform(delayMs: number): Promise<SlowPlatform> {
  const server = createServer(({ url = "/" }, response) => {
    setTimeout(() => {
      const body = answerAsPlatform(url);
      response
        .writeHead(body === null ? 404 : 200, { "content-type": "application/json" })
        .end(JSON.stringify(body ?? {}));
    }, delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** The body of the usual answer; null: there is none. `target`: path and query. */
export function answerAsPlatform(target: string): unknown {
  const { pathname, searchParams } = new URL(target, "http://localhost");
  const execution =
    /\/executions\/([^/]+)/.exec(pathname)?.[1] ?? searchParams.get("pipeline_execution_id") ?? "";
  const [, number = "1", increase = "10"] = /-number-(\d+)-adds-(\d+)$/.exec(execution) ?? [];
  if (/\/executions$/.test(pathname)) {
    const ids = { pipeline_execution_id: execution, pipeline_stage_id: `${execution}-s` };
    return [
      { org: "o", project: "p", ...ids, workspace: "production", status: "success", created: Number(number) },
    ];
  }
  const stage = { stage_execution_id: `${execution}-s`, stage_id: "s", workspace_id: "production" };
  if (pathname.endsWith("cost-changes-all-stages")) {
    const totals = {
      total_monthly_cost: String(10 + Number(increase)),
      past_total_monthly_cost: "10",
      diff_total_monthly_cost: increase,
    };
    const percentage_change_total_monthly_cost = Number(increase) * 10;
    return [{ currency: "USD", diff: {}, ...totals, percentage_change_total_monthly_cost, ...stage }];
  }
  if (pathname.endsWith("by-modules")) return [{ modules: {}, ...stage }];
  if (pathname.endsWith("filter-counts")) {
    const change_types = { added: 0, changed: 0, deleted: 0, imported: 0, removed: 0, unchanged: 0 };
    const categories = { drift_changes: 0, outputs: 0, planned_changes: 0, resources: 0 };
    return { categories, change_types, modules: {}, providers: {}, types: {} };
  }
  if (pathname.endsWith("/anomaly/v2/list")) return { status: "SUCCESS", data: [] };
  if (pathname.endsWith("/anomaly/v2/summary"))
    return { status: "SUCCESS", data: { count: 0, costImpact: 0 } };
  if (pathname.endsWith("/rows")) return { page: 1, pageSize: 100, rows: [], totalItems: 0, totalPages: 0 };
  return pathname.endsWith("/settings/disabled") ? { disabled: false } : null;
}
