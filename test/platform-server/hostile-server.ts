import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { systemClock } from "../../src/kernel/clock.ts";
import { STRICT_WEBHOOKS } from "../../src/platform-server/area/webhook-settings.ts";
import { createPlatformServer } from "../../src/platform-server/server.ts";
import { createToken } from "../../src/store/tokens.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { createThreadIngestReader } from "../../src/wiring/platform/ingest-in-thread.ts";
import { serveEvents } from "../github/deliveries.ts";

/** Started as a process of its own, and as `tollgate start` does with the database on disk: everything that parses what is sent to it, and what that costs at its peak. */
const fail = (error: Error): never => {
  throw error;
};
const directory = mkdtempSync(join(tmpdir(), "tollgate-hostile-"));
process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
for (const end of ["SIGTERM", "disconnect"] as const) process.once(end, () => process.exit());
const store = await openDatabase({ kind: "directory", directory }, fail);
const platform = createPlatformServer({
  store,
  clock: systemClock,
  onIngest: async () => undefined,
  onUnbind: async (_trx, { isRecorded }) => (isRecorded ? async () => {} : null),
  enqueue: async () => undefined,
  webhooks: STRICT_WEBHOOKS,
  onError: (error) => process.send?.({ error: String(error) }),
  readLargeIngest: createThreadIngestReader(),
});
const [receiver] = await serveEvents();
const answer = getRequestListener(platform.fetch);
const server = createServer(async (request, response) => {
  if ((await receiver?.(request, response)) !== true) await answer(request, response);
});
// A sender that makes the next body for seconds would send it on a connection that is being closed as idle.
server.keepAliveTimeout = 600_000;
const { secret: key } = await createToken(store.db, { purpose: "api", account: "acc-1" }, systemClock);
server.listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));

/** A line of Linux's account of this process, in bytes. */
const memory = (line: "VmRSS" | "VmHWM"): number =>
  Number(new RegExp(`${line}:\\s+(\\d+)`).exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024;

const delay = monitorEventLoopDelay({ resolution: 5 });
let idle = 0;
process.on("message", async (message) => {
  if (message === "begin") {
    globalThis.gc?.();
    await sleep(50);
    globalThis.gc?.();
    writeFileSync("/proc/self/clear_refs", "5"); // forgets the peak so far
    idle = memory("VmRSS");
    delay.enable();
    delay.reset();
    await sleep(20); // the first interval after a reset is not recorded
    process.send?.("begun");
  } else {
    await sleep(20);
    process.send?.({ peak: memory("VmHWM") - idle, stallMs: delay.max / 1e6 });
  }
});
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key });
