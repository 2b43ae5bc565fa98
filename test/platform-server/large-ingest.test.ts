import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LargeIngestReader } from "../../src/platform-server/executions/ingest.ts";
import { createThreadIngestReader } from "../../src/wiring/platform/ingest-in-thread.ts";
import { usualEngines } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";
import { type PlatformAnswer, type PlatformWorld, servePlatform } from "./platform-world.ts";
import { cost, createStage, EXECUTIONS } from "./stories.ts";

const BODY = {
  org: "acme",
  project: "payments",
  pipeline_execution_id: "run-1",
  pipeline_stage_id: "stage-1",
  status: "success",
};
/** Spaces make any body a large one, and mean nothing in JSON. */
const SPACES = " ".repeat(1024 * 1024);

describe.each(usualEngines())("an ingestion of more than 1 MB on $name", async (engine) => {
  let world: PlatformWorld;
  let account = "acc-0";
  let inThread = 0;
  let readLarge: LargeIngestReader;
  const post = (text: string) =>
    world.call("POST", "/tollgate/v1/ingest", {
      bytes: text,
      headers: { "content-type": "application/json" },
    });
  const ingest = (over: object, tail = "") => post(JSON.stringify({ ...BODY, ...over }) + tail);
  const readCosts = async () =>
    (await world.call("GET", `${EXECUTIONS}/run-1/cost-changes-all-stages`)).body as unknown;
  const store = await engine.open();
  beforeEach(async () => {
    account = `acc-${Number(account.slice(4)) + 1}`;
    inThread = 0;
    readLarge = createThreadIngestReader();
    world = await servePlatform(store, account, {
      readLargeIngest: (raw) => {
        inThread += 1;
        return readLarge(raw);
      },
    });
    await createStage(world);
  });
  afterEach(() => world.close());
  afterAll(() => store.close());

  /** What the answer says, without the id of the call. */
  const content = ({ status, body }: PlatformAnswer) => ({ status, ...body, id: undefined });

  it.each([
    ["is taken", { cost: cost("1.10"), modules: { root: cost("0.50") } }, 200],
    ["has a wrong amount", { cost: cost("1e3") }, 400],
    ["has the character U+0000", { cost: cost("1", { currency: "\u0000" }) }, 400],
  ])("is answered like a small one when it %s", async (_, over, status) => {
    const large = await ingest(over, SPACES);
    expect(inThread).toBe(1);
    const small = await ingest(over);
    expect(inThread).toBe(1);
    expect(large.status).toBe(status);
    expect(content(large)).toEqual(content(small));
  });

  it("is answered like a small one when it is not JSON", async () => {
    const large = await post(`${SPACES}{`);
    expect(inThread).toBe(1);
    expect(large.status).toBe(400);
    expect(content(large)).toEqual(content(await post("{")));
  });

  it("says the same as a small one said, or contradicts it", async () => {
    const modules = { root: cost("0.50") };
    expect((await ingest({ cost: cost("1.10") })).status).toBe(200);
    expect((await ingest({ cost: cost("1.10"), modules }, SPACES)).status).toBe(200);
    expect((await ingest({ modules })).status).toBe(200);
    expect((await ingest({ cost: cost("1.11") }, SPACES)).status).toBe(409);
    expect((await ingest({ modules: {} }, SPACES)).status).toBe(409);
    expect((await ingest({ status: "failure" }, SPACES)).status).toBe(409);
    expect(await readCosts()).toEqual([cost("1.10")]);
  });

  it("is answered with 500 when its thread fails, stores nothing, and can be sent again", async () => {
    readLarge = createThreadIngestReader({ file: new URL("data:text/javascript,process.exit(1)") });
    const failed = await ingest({ cost: cost("1.10") }, SPACES);
    expect(failed).toMatchObject({ status: 500, body: { name: "internal_server_error", fault: true } });
    expect(world.errors).toMatchObject([{ code: "thread_failed" }]);
    expect(await readCosts()).toEqual([]);
    readLarge = createThreadIngestReader();
    expect((await ingest({ cost: cost("1.10") }, SPACES)).status).toBe(200);
  });

  it("does not keep others waiting while its thread works", async () => {
    readLarge = createThreadIngestReader({
      file: new URL(
        `data:text/javascript,import { parentPort } from "node:worker_threads";
        parentPort.on("message", () => { while (true); });
        parentPort.postMessage({ state: "done" });`,
      ),
      timeoutMs: 1_500,
    });
    let isAnswered = false;
    const large = ingest({ cost: cost("1.10") }, SPACES).finally(() => {
      isAnswered = true;
    });
    await eventually(() => expect(inThread).toBe(1));
    expect((await ingest({ cost: cost("1.10") })).status).toBe(200);
    expect(isAnswered).toBe(false);
    expect(await large).toMatchObject({ status: 500, body: { name: "internal_server_error" } });
    expect(world.errors).toMatchObject([{ code: "thread_failed" }]);
  });
});
