import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../world/eventually.ts";
import { type Killable, killable, REPOSITORY } from "./killable.ts";

const POLICY = "version: 1\nrules:\n  - { id: a, limit: { increase: 1 USD } }\n";

describe.each([
  ["probot run", ["node_modules/probot/bin/probot.js", "run", "./src/index.ts"], ""],
  ["createNodeMiddleware", [fileURLToPath(new URL("./probot-middleware.ts", import.meta.url))], "elsewhere"],
])("Tollgate under %s", (_name, command, elsewhere) => {
  async function starts() {
    const world = await killable(POLICY, { command });
    onTestFinished(() => world.ends());
    return { ...world, process: await world.start() };
  }

  it("sets one check after a signed delivery that GitHub sends twice", async () => {
    const { github, appId } = await starts();
    github.deliveries.duplicate({ event: "pull_request" });
    const pull = opensPullRequest(github);
    await github.deliveries.settled();
    expect(github.deliveries.list({ event: "pull_request" }).map(({ statusCode }) => statusCode)).toContain(
      200,
    );
    const runs = () => github.checkRuns({ repository: REPOSITORY, sha: pull.headSha, appId });
    await eventually(() => expect(runs()[0]?.conclusion).toBe("success"));
    expect(runs()).toHaveLength(1);
  });

  it("refuses a delivery with a wrong signature, and leaves other addresses to the server around it", async () => {
    const { github, webhookUrl } = await starts();
    github.requests.clear();
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
  });

  it("stops on SIGTERM and takes its address for local commands away", async () => {
    const { process: child, data } = await starts();
    const file = join(data, "running.json");
    expect(existsSync(file)).toBe(true);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([null, "SIGTERM"]);
    expect(existsSync(file)).toBe(false);
  });
});

function opensPullRequest(github: Killable["github"]) {
  github.push({ repository: REPOSITORY, branch: "change", files: { "src/a.js": "1\n" } });
  return github.openPullRequest({ repository: REPOSITORY, head: "change", title: "A change" });
}
