import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import nock from "nock";
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from "undici";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { watchProcess } from "./process-state.ts";

afterEach(() => {
  nock.restore(); // it is active from its import on
});

it.each<readonly [string, () => void, () => unknown]>([
  ["Date.now", () => Object.assign(Date, { now: () => 0 }), () => Date.now],
  ["fetch", () => Object.assign(globalThis, { fetch: () => 0 }), () => fetch],
  ["fake timers", () => void vi.useFakeTimers(), () => setTimeout],
  ["process.env.LEFT", () => vi.stubEnv("LEFT", "x"), () => process.env["LEFT"]],
  ["process.env.PATH", () => delete process.env["PATH"], () => process.env["PATH"]],
  ["process.cwd()", () => process.chdir("/"), () => process.cwd()],
  [
    "listeners of unhandledRejection",
    () => void process.on("unhandledRejection", () => {}),
    () => process.rawListeners("unhandledRejection").length,
  ],
  ["undici's global dispatcher", () => setGlobalDispatcher(new MockAgent()), () => getGlobalDispatcher()],
])("%s that a test changed is named and as before", async (name, change, read) => {
  nock.restore();
  const before = read();
  const restore = watchProcess();
  change();
  expect(await restore()).toEqual([name]);
  expect(read()).toEqual(before);
  expect(await restore()).toEqual([]);
});

it("a network that a test closed is named and open again", async () => {
  nock.restore();
  const restore = watchProcess();
  nock.activate();
  nock.disableNetConnect();
  expect(await restore()).toEqual(["the network, which nock controls"]);
  expect(nock.isActive()).toBe(false);
  nock.activate();
  const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
});
