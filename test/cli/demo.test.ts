import { globSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { typed } from "./run-command.ts";

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

const EXAMPLES = join(import.meta.dirname, "../../examples/demo");
const STAGES = globSync("*/*.plan.json", { cwd: EXAMPLES })
  .map((file) => file.slice(0, -".plan.json".length))
  .sort();
/** The problems that a stage of the demo is there to show. */
const WANTED_PROBLEMS: Readonly<Record<string, readonly string[]>> = {
  "report-queue/production": [
    'Module "registry.example.com/platform/queue/aws" could not be downloaded: 401 Unauthorized',
  ],
};

describe("the plan and the estimate of each of the demo's stages", () => {
  test("are there for three pull requests and two workspaces, and for what can be pushed", () =>
    expect(STAGES).toHaveLength(10));

  test.each(STAGES)("are of one stack: %s", async (stage) => {
    const files = join(EXAMPLES, stage);
    const words = ["--infracost", `${files}.infracost.json`, "--plan", `${files}.plan.json`];
    const named = ["--workspace", basename(stage), ...words];
    const { results, messages } = await typed(["preview", "--json", ...named]);
    const [{ problems }] = JSON.parse(results).report.stages;
    expect([problems, messages]).toEqual([WANTED_PROBLEMS[stage] ?? [], []]);
  });
});
