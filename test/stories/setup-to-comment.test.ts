import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createSandbox } from "../../sandbox/sandbox.ts";
import { systemRandom } from "../../sandbox/state/random.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { findFreePort } from "../../src/wiring/process/free-port.ts";
import { typed } from "../cli/run-command.ts";
import { eventually } from "../world/eventually.ts";

const ROOT = join(import.meta.dirname, "../..");
const MAIN = join(ROOT, "src/cli/main.ts");
const ESTIMATE = join(ROOT, "examples/demo/three-zones/production.infracost.json");
const REPOSITORY = "acme/shop";
const POLICY = "version: 1\nrules:\n  - { id: increase, limit: { increase: 100000 USD } }\n";

const attribute = (html: string, pattern: RegExp): string =>
  (pattern.exec(html)?.[1] ?? "").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

it("from the setup page to the first comment: the App is registered, the same process evaluates, nothing is restarted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate first steps "));
  const github = await createSandbox({ clock: systemClock, random: systemRandom });
  const port = await findFreePort();
  const here = `http://127.0.0.1:${port}`;
  const env: Record<string, string> = {
    ...{ PATH: process.env["PATH"] ?? "", GHE_HOST: github.url },
    ...{ PORT: String(port), LOG_LEVEL: "warn", LANE_SPACING_MS: "100", GITHUB_WRITE_SPACING_MS: "0" },
  };
  const server = spawn(process.execPath, [MAIN, "start"], { cwd: folder, env });
  let said = "";
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding("utf8").on("data", (text) => (said += text));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    server.kill("SIGKILL");
    await github.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  github.createOwner({ login: "acme", type: "organisation", admin: "ada" });
  github.createRepository({ owner: "acme", name: "shop", files: { ".github/tollgate.yml": POLICY } });
  const link = await eventually(() => {
    const found = /http:\/\/127\.0\.0\.1:\d+\/setup\?code=\w+/.exec(said)?.[0];
    if (found === undefined) throw new Error(said);
    return found;
  });

  const opened = await fetch(link, { redirect: "manual" });
  await opened.body?.cancel(); // an unread answer keeps its connection, and the server from closing
  const headers = { origin: here, cookie: opened.headers.get("set-cookie")?.split(";", 1)[0] ?? "" };
  const body = { owner: "organization", organization: "acme", host: new URL(github.url).host };
  const begun = await fetch(`${here}/setup`, { method: "POST", headers, body: new URLSearchParams(body) });
  const html = await begun.text();
  const manifest = attribute(html, /name="manifest" value="([^"]*)"/);
  const sent = await fetch(attribute(html, /<form method="post" action="([^"]*)"/), {
    method: "POST",
    body: new URLSearchParams({ manifest }),
    redirect: "manual",
  });
  const registered = await fetch(sent.headers.get("location") ?? "", { headers });
  expect(await registered.text()).toContain(`href="${github.url}/apps/tollgate/installations/new"`);
  expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o600);

  await eventually(async () => expect((await fetch(`${here}/readyz`)).status).toBe(200));
  const appId = Number(/APP_ID="(\d+)"/.exec(readFileSync(join(folder, ".env"), "utf8"))?.[1]);
  github.setWebhookUrl({ appId, url: `${here}/api/github/webhooks` });
  github.installApp({ appId, owner: "acme" });
  github.push({ repository: REPOSITORY, branch: "more", files: { "infra/main.tf": "# more\n" } });
  const pull = github.openPullRequest({ repository: REPOSITORY, head: "more", title: "More" });
  await github.deliveries.settled();
  const shown = ["--repository", REPOSITORY, "--sha", pull.headSha, "--org", "acme", "--project", "shop"];
  vi.stubEnv("TOLLGATE_DATA", join(folder, "data"));
  const files = ["--workspace", "production", "--infracost", ESTIMATE];
  expect(await typed(["platform", "import", ...shown, ...files])).toMatchObject({ code: 0 });
  await eventually(() => expect(github.comments(pull)).toHaveLength(1));
  expect(github.comments(pull)[0]?.appId).toBe(appId);
}, 90_000);
