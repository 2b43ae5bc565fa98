import { fork } from "node:child_process";
import { once } from "node:events";
import { cost, EXECUTIONS } from "../test/platform-server/stories.ts";
import { type Figure, median, ms } from "./figures.ts";

/** A platform in a process of its own, which measures the longest time for which it answers nothing. */
async function startPlatform() {
  const child = fork(new URL("../test/platform-server/hostile-server.ts", import.meta.url));
  const answer = async <T>(message?: string): Promise<T> => {
    if (message !== undefined) child.send(message);
    const [value] = await once(child, "message");
    return value as T; // as `hostile-server.ts` sends it
  };
  const { url, key } = await answer<{ url: string; key: string }>();
  const call = async (method: string, path: string, { body, status = 200, type = "json" }: Call = {}) => {
    const headers = {
      ...{ "x-api-key": key, "platform-account": "acc-1" },
      ...(body !== undefined && { "content-type": `application/${type}` }),
    };
    const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) });
    const text = await response.text();
    if (response.status !== status) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
  };
  const stallOf = async (work: () => Promise<void>): Promise<number> => {
    await answer("begin");
    await work();
    return (await answer<{ stallMs: number }>("end")).stallMs;
  };
  return { call, stallOf, stop: () => child.kill() };
}
type Platform = Awaited<ReturnType<typeof startPlatform>>;

interface Call {
  readonly body?: string;
  readonly status?: number;
  readonly type?: "json" | "octet-stream";
}

const AMOUNTS = {
  ...{ current_monthly_cost: "12.34", previous_monthly_cost: "10.00", diff_monthly_cost: "2.34" },
  percentage_change_monthly_cost: 23.4,
};

/** The costs of one stage with so many resources, 336 bytes each. */
export function costsOf(resources: number) {
  const diff = Array.from({ length: resources }, (_, at) => ({
    ...{ name: `module.m${at % 500}.aws_instance.this["${at}"]`, ...AMOUNTS },
    subresources: { compute: AMOUNTS },
  }));
  return cost("20000", { diff: { aws_instance: { ...AMOUNTS, diff } } });
}

const STAGE = { pipeline_stage_id: "stage-1", pipeline: "deploy", workspace: "prod-network" };
const createStage = ({ call }: Platform, pipeline_execution_id: string) =>
  call("POST", EXECUTIONS, { body: JSON.stringify({ ...STAGE, pipeline_execution_id }) });

/** Costs of one stage, stored and then read. */
async function costStalls(platform: Platform, resources: number, round: number) {
  const pipeline_execution_id = `run-${resources}-${round}`;
  await createStage(platform, pipeline_execution_id);
  const about = { org: "acme", project: "payments", pipeline_stage_id: "stage-1", pipeline_execution_id };
  const body = JSON.stringify({ ...about, status: "success", cost: costsOf(resources) });
  const path = `${EXECUTIONS}/${pipeline_execution_id}/cost-changes-all-stages`;
  return {
    stored: await platform.stallOf(() => platform.call("POST", "/tollgate/v1/ingest", { body })),
    read: await platform.stallOf(() => platform.call("GET", path)),
  };
}

/** A page of 10,000 resource changes, 8 MB. */
async function changesStall(platform: Platform, round: number): Promise<number> {
  const run = `changes-${round}`;
  await createStage(platform, run);
  const values = {
    change: "changed",
    drift: false,
    old: "ami-0123456789",
    new: "ami-9876543210",
    sensitive: false,
  };
  const changes = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`attribute_${at}`, values]));
  const page = Array.from({ length: 10_000 }, (_, at) => ({
    ...{ provider: "aws", type: "aws_instance", name: `i-${at}`, module: `m${at % 50}`, change: "changed" },
    ...{ resource_address: `module.m${at % 50}.aws_instance.i-${at}`, changes },
  }));
  const path = `${EXECUTIONS}/${run}/stage-1/resource-changes/planned_changes/1`;
  const call = { body: JSON.stringify(page), type: "octet-stream" } as const;
  return platform.stallOf(() => platform.call("POST", path, call));
}

/** A page with one resource of 7,000 attributes, each changed and marked as sensitive in two ways, 1 MB. */
async function largeResourceStall(platform: Platform, round: number): Promise<number> {
  const run = `resource-${round}`;
  await createStage(platform, run);
  const names = Array.from({ length: 7_000 }, (_, at) => `spec.containers[${at}].image`);
  const toMap = <T>(value: T) => Object.fromEntries(names.map((name) => [name, value]));
  const element = {
    ...{ provider: "kubernetes", type: "kubernetes_manifest", name: "api", module: "m", change: "changed" },
    attributes: toMap("v1"),
    changes: toMap({ change: "changed", drift: false, old: "v1", new: "v2", sensitive: true }),
    sensitive_attributes: names,
  };
  const path = `${EXECUTIONS}/${run}/stage-1/resource-changes/planned_changes/1`;
  const call = { body: JSON.stringify([element]), type: "octet-stream" } as const;
  return platform.stallOf(() => platform.call("POST", path, call));
}

/** A page of 240 recommendations of an import, 0.5 MB, stored and then made visible. */
async function importStalls(platform: Platform, round: number) {
  const text = "x".repeat(1_000);
  const lines = Array.from({ length: 240 }, (_, at) =>
    JSON.stringify({ id: `rec-${round}-${at}`, resourceType: "EC2", varianceNotes: text, clusterName: text }),
  );
  const upload = `/tollgate/v1/imports/recommendations/${`${round}`.padStart(32, "0")}`;
  const page = { body: lines.join("\n"), type: "octet-stream" } as const;
  return {
    stored: await platform.stallOf(() => platform.call("POST", `${upload}/pages/1`, page)),
    moved: await platform.stallOf(() => platform.call("POST", `${upload}/commit`, { body: '{"pages":1}' })),
  };
}

/** A body of 15 MB that is refused. */
function refusedStall(platform: Platform): Promise<number> {
  const body = `[${'{"a":0},'.repeat(15_000_000 / 8 - 10)}0]`;
  return platform.stallOf(() => platform.call("POST", "/tollgate/v1/ingest", { body, status: 400 }));
}

/** For how long large requests keep the platform from answering others, at most. */
export async function platformStalls(rounds: number): Promise<readonly Figure[]> {
  const platform = await startPlatform();
  const rows: { what: string; value: number }[] = [];
  const add = (what: string, value: number) => void rows.push({ what, value });
  for (let round = 0; round < rounds; round += 1) {
    add("body of 15 MB that is refused", await refusedStall(platform));
    const usual = await costStalls(platform, 10_000, round);
    add("costs of 10,000 resources (3 MB), stored", usual.stored);
    add("costs of 10,000 resources (3 MB), read", usual.read);
    const largest = await costStalls(platform, 48_000, round);
    add("costs of 48,000 resources (16 MB), stored", largest.stored);
    add("costs of 48,000 resources (16 MB), read", largest.read);
    add("page of 10,000 resource changes (8 MB), stored", await changesStall(platform, round));
    add(
      "page with one resource of 7,000 attributes (1.3 MB), stored",
      await largeResourceStall(platform, round),
    );
    const imported = await importStalls(platform, round);
    add("page of an import (0.5 MB), stored", imported.stored);
    add("page of an import (0.5 MB), made visible", imported.moved);
  }
  platform.stop();
  return [...Map.groupBy(rows, ({ what }) => what)].map(([what, found]) => ({
    what,
    value: ms(median(found.map(({ value }) => value))),
    goal: "≤ 150 ms, embedded above 1 MB: ≤ 600 ms",
  }));
}
