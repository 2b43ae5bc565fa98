import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { findFreePort } from "../../src/wiring/process/free-port.ts";
import { typed } from "./run-command.ts";
import { spawnTollgate } from "./spawn-tollgate.ts";

describe("the port of the demo's pages", () => {
  let other: Server | null = null;
  afterEach(() => void other?.close());

  test.each(["0", "65536", "4600x", "-1"])("%s is refused before anything starts", async (port) => {
    const { code, messages } = await typed(["demo", `--port=${port}`]);
    expect([code, messages]).toEqual([
      2,
      [
        `--port ${JSON.stringify(port)} is no port: expected a number from 1 to 65535.`,
        "Run `tollgate demo --help` for its options.",
      ],
    ]);
  });

  test("a port in use is refused with the way out", async () => {
    const server = createServer();
    other = server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo; // a TCP server has one
    const { code, messages } = await typed(["demo", "--port", String(port)]);
    expect([code, messages.slice(1)]).toEqual([
      2,
      [`cannot listen at 127.0.0.1:${port}`, "Choose another port, or stop what uses this one."],
    ]);
  });
});

test("the demo prints the addresses of three pull requests at the given port, and ends on request", {
  timeout: 180_000,
}, async () => {
  const port = await findFreePort();
  const child = spawnTollgate(["demo", "--port", String(port)], {});
  const told: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text) => told.push(String(text)));
  const [ready] = await firstLine(child.stderr, "All pull requests: ");
  expect(ready).toContain(`http://127.0.0.1:${port}/`);
  const addresses = told.join("").trimEnd().split("\n");
  expect(addresses).toHaveLength(3);
  for (const line of addresses) {
    const [address = ""] = line.split(" ");
    expect(address).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/example/shop-infra/pull/\\d$`));
    expect((await fetch(address)).status).toBe(200);
  }
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

/** The first line that holds `words`. */
async function firstLine(stream: AsyncIterable<Buffer>, words: string): Promise<readonly string[]> {
  let text = "";
  for await (const chunk of stream) {
    text += chunk.toString();
    const lines = text.split("\n").filter((line) => line.includes(words));
    if (lines.length > 0 && text.endsWith("\n")) return lines;
  }
  throw new Error(`it ended without "${words}": ${text}`);
}
