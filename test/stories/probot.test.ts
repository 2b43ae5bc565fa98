import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../world/eventually.ts";
import { killable, REPOSITORY } from "./killable.ts";

const POLICY = "version: 1\nrules:\n  - { id: a, limit: { increase: 1 USD } }\n";

it.each([
  ["probot run", ["node_modules/probot/bin/probot.js", "run", "./src/index.ts"], ""],
  ["createNodeMiddleware", [fileURLToPath(new URL("./probot-middleware.ts", import.meta.url))], "elsewhere"],
])(
  "under %s, Tollgate sets one check for a delivery that comes twice, refuses a forged one, leaves other addresses alone and ends on SIGTERM",
  { timeout: 300_000 },
  async (_name, command, elsewhere) => {
    const world = await killable(POLICY, { command });
    onTestFinished(() => world.ends());
    const { github, appId, webhookUrl } = world;
    const child = await world.start();

    const forged = await fetch(webhookUrl, {
      method: "POST",
      body: "{}",
      headers: {
        "content-type": "application/json",
        "x-github-event": "pull_request",
        "x-github-delivery": crypto.randomUUID(),
        "x-hub-signature-256": `sha256=${"0".repeat(64)}`,
      },
    });
    expect(forged.status).toBe(400);
    const other = await fetch(new URL("/of-somebody-else", webhookUrl));
    expect([other.status, await other.text()]).toEqual([404, elsewhere]);
    expect((await fetch(new URL("/docs/policy", webhookUrl))).status).toBe(200);

    github.deliveries.duplicate({ event: "pull_request" });
    github.push({ repository: REPOSITORY, branch: "change", files: { "src/a.js": "1\n" } });
    const pull = github.openPullRequest({ repository: REPOSITORY, head: "change", title: "A change" });
    await github.deliveries.settled();
    const answered = github.deliveries.list({ event: "pull_request" }).map(({ statusCode }) => statusCode);
    expect(answered).toContain(200);
    const runs = () => github.checkRuns({ repository: REPOSITORY, sha: pull.headSha, appId });
    await eventually(() => expect(runs()[0]?.conclusion).toBe("success"));
    expect(runs()).toHaveLength(1);

    const file = join(world.data, "running.json"); // its address for local commands
    expect(existsSync(file)).toBe(true);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([null, "SIGTERM"]);
    expect(existsSync(file)).toBe(false);
  },
);
