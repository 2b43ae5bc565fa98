import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { readIngest } from "../../../src/platform-server/executions/read-ingest.ts";
import { createThreadIngestReader } from "../../../src/wiring/platform/ingest-in-thread.ts";
import { cost } from "../../platform-server/stories.ts";

const BODY = {
  org: "acme",
  project: "payments",
  pipeline_execution_id: "run-1",
  pipeline_stage_id: "stage-1",
  status: "success",
};

/** A request with this body, as it arrives. */
const request = (text: string, query = "") => ({
  body: { bytes: Buffer.from(text), format: "json", contentType: "application/json" } as const,
  params: {},
  query,
  headers: { "content-type": "application/json" },
  dialect: "live" as const,
});

const AMOUNTS = {
  current_monthly_cost: "12.340",
  previous_monthly_cost: null,
  diff_monthly_cost: "",
  percentage_change_monthly_cost: 23.4,
};
const largeCost = (resources: number) => {
  const diff = Array.from({ length: resources }, (_, at) => ({
    ...{ name: `aws_instance.this["${at}"] ü`, ...AMOUNTS },
    subresources: { compute: AMOUNTS },
  }));
  return cost("1.10", { diff: { aws_instance: { ...AMOUNTS, diff } } });
};

it("costs of 13 MB are prepared to the same texts in a thread, while the event loop runs", async () => {
  const text = JSON.stringify({ ...BODY, cost: largeCost(42_000), modules: { root: cost("1.10") } });
  expect(text.length).toBeGreaterThan(13_000_000);
  const here = await readIngest(request(text));
  let turns = 0;
  let isRead = false;
  const reading = createThreadIngestReader()(request(text)).finally(() => {
    isRead = true;
  });
  while (!isRead) {
    await setImmediate();
    turns += 1;
  }
  expect(await reading).toEqual(here);
  expect(here).toMatchObject({
    input: { stages: ["stage-1"], workspaces: ["prod-network"], stage_id: "plan" },
  });
  expect(turns).toBeGreaterThan(10);
});

it.each([
  ["text that is not JSON", "{"],
  ["bytes that are not UTF-8", Buffer.from([0x22, 0xff, 0x22]).toString("latin1")],
  ["the character U+0000", JSON.stringify({ ...BODY, org: "a\u0000" })],
  ["a missing field", JSON.stringify({ ...BODY, status: undefined })],
  ["many wrong fields", JSON.stringify({ pipeline_stage_id: 7, modules: { root: {} } })],
  [
    "one wrong amount among many",
    JSON.stringify({ ...BODY, modules: { a: largeCost(3_000), b: cost("1e3") } }),
  ],
])("a thread finds the same problem in %s", async (_, text) => {
  const here = await readIngest(request(text, "extra=1"));
  expect(here).toMatchObject({ problem: "bad_request" });
  expect(await createThreadIngestReader()(request(text, "extra=1"))).toEqual(here);
});
