import { request } from "node:http";
import nock from "nock";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Credentials, type Setup, startSetup } from "../../src/github/setup.ts";
import { appManifest, withManifest } from "../../src/github/setup-manifest.ts";

let setup: Setup;
let saved: Credentials[];
let contacted: string[];
const kept = { ...process.env };

beforeEach(async () => {
  saved = [];
  contacted = [];
  nock.disableNetConnect();
  nock.enableNetConnect("127.0.0.1");
  nock.emitter.on("no match", (asked) => {
    const { hostname } = new URL(asked.url);
    if (hostname !== "127.0.0.1") contacted.push(hostname);
  });
  setup = await startSetup({
    port: 0,
    publicUrl: "https://tollgate.acme.example",
    environment: process.env,
    save: (credentials) => saved.push(credentials),
    log: pino({ level: "silent" }),
  });
});
afterEach(async () => {
  await setup.stop();
  nock.emitter.removeAllListeners();
  nock.enableNetConnect();
  process.env = { ...kept };
});

const page = async (path: string, init: RequestInit = {}): Promise<[number, string]> => {
  const response = await fetch(new URL(path, setup.url), { redirect: "manual", ...init });
  return [response.status, await response.text()];
};
const IMPORT = {
  appId: "4711",
  pem: "-----BEGIN KEY-----\nx\n-----END KEY-----",
  webhook_secret: "q8Zr2m9Kx1Lw7Tn4Vb6C",
};

describe("the setup pages", () => {
  it("are Probot's, with our permissions and the public address for deliveries", async () => {
    expect((await page("/"))[0]).toBe(302);
    const [status, html] = await page("/probot");
    expect(status).toBe(200);
    expect(html).toContain("Register GitHub App");
    const manifest = JSON.parse(/value='([^']*)'/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "");
    expect(manifest).toMatchObject({
      name: "Tollgate",
      url: "https://tollgate.acme.example",
      hook_attributes: { url: "https://tollgate.acme.example/api/github/webhooks" },
      redirect_url: `${setup.url}probot/setup`,
      default_permissions: { merge_queues: "read", checks: "write" },
    });
    expect(manifest.default_events).toContain("merge_group");
    expect(contacted).toEqual([]);
  });

  it("come with their pictures and styles", async () => {
    const [status, style] = await page("/probot/static/primer.css");
    expect([status, style.length > 1000]).toEqual([200, true]);
  });

  it("ask for an App without a webhook when there is no public address, whatever the words are", () => {
    const manifest = appManifest("http://127.0.0.1:3000/", null);
    expect(JSON.parse(manifest)).not.toHaveProperty("hook_attributes");
    const page = `<button name="manifest" id="manifest" value='{}' >Register</button>`;
    const written = withManifest(page, `{"d":"it's <b> & '>$1"}`, "s");
    expect(written).toBe(
      `<button name="manifest" id="manifest" value='{"d":"it&#39;s &lt;b> &amp; &#39;>$1"}' >Register</button>`,
    );
  });

  it("hand over what an operator enters, without writing a file", async () => {
    const [status] = await page("/probot/import", { method: "POST", body: JSON.stringify(IMPORT) });
    expect(status).toBe(200);
    expect(saved).toEqual([
      { APP_ID: "4711", PRIVATE_KEY: IMPORT.pem, WEBHOOK_SECRET: IMPORT.webhook_secret },
    ]);
  });

  it("listen to this machine only", () => {
    expect(new URL(setup.url).hostname).toBe("127.0.0.1");
  });

  it("are closed to other sites and to names that lead here", async () => {
    const headers = { origin: "https://evil.example" };
    expect((await page("/probot/import", { method: "POST", body: JSON.stringify(IMPORT), headers }))[0]).toBe(
      403,
    );
    expect(await statusFor("rebound.evil.example")).toBe(403);
    expect(await statusFor(`localhost:${new URL(setup.url).port}`)).toBe(200);
    expect(saved).toEqual([]);
  });

  it("take no registration that was begun elsewhere", async () => {
    const [, html] = await page("/probot");
    const state = /<form action="https:\/\/github.com\/[^"?]*\?state=([0-9a-f]{32})"/.exec(html)?.[1] ?? "";
    expect((await page("/probot/setup?code=attackers"))[0]).toBe(403);
    expect((await page(`/probot/setup?code=attackers&state=${"0".repeat(32)}`))[0]).toBe(403);
    expect(contacted).toEqual([]);
    // Its own is taken further: only the code is missing.
    expect((await page(`/probot/setup?state=${state}`))[0]).toBe(400);
  });

  it("leave room for other pages", async () => {
    setup.addHandler((asked, response) => {
      if (asked.url !== "/healthz") return false;
      response.end("well");
      return true;
    });
    expect(await page("/healthz")).toEqual([200, "well"]);
    expect((await page("/nothing"))[0]).toBe(404);
  });
});

function statusFor(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL("/probot", setup.url), { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on("error", reject).end();
  });
}
