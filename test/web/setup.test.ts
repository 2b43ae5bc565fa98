import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Fetch } from "../../src/github/client/guarded-fetch.ts";
import { readSettings } from "../../src/settings/read.ts";
import { createSetupPages, startSetup } from "../../src/wiring/start-setup.ts";

let folder = "";
let pages: ReturnType<typeof createSetupPages>;
let asked: string[] = [];
let announced: string[] = [];
let cookie = "";

const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const REGISTERED = {
  id: 4711,
  pem: key.export({ type: "pkcs1", format: "pem" }).toString(),
  webhook_secret: "q8Zr2m9Kx1Lw7Tn4Vb6C",
  client_id: "Iv23liAcme",
  client_secret: "0f9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f1e",
  html_url: "https://github.com/apps/tollgate-acme",
};

/** What GitHub says of the credentials of an existing App; a test may change it. */
let answerApp = () => Response.json({ ...REGISTERED, name: "Tollgate", permissions: {}, events: [] });

/** What GitHub answers to a check of a token: 404 where it accepts the client secret, else 401. */
let secretStatus = 404;

/** GitHub as the pages see it: it knows one code, once. */
const github = (): Fetch => {
  const codes = new Set(["good"]);
  return async (url, { method }) => {
    asked.push(`${method} ${url}`);
    if (url.endsWith("/app")) return answerApp();
    if (url.endsWith("/applications/Iv23liAcme/token")) return Response.json({}, { status: secretStatus });
    const code = /app-manifests\/([^/]+)\/conversions$/.exec(url)?.[1] ?? "";
    return codes.delete(code)
      ? Response.json(REGISTERED, { status: 201 })
      : Response.json({}, { status: 404 });
  };
};

const URL_HERE = "http://127.0.0.1:3000";

const options = (): Parameters<typeof startSetup>[0] => ({
  settings: readSettings({ TOLLGATE_DATA: join(folder, "data"), PORT: "0" }),
  file: join(folder, ".env"),
  log: pino({ level: "silent" }),
  announce: (link) => announced.push(link),
  fetch: github(),
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tollgate setup "));
  asked = [];
  announced = [];
  pages = createSetupPages(options(), () => 3000);
  cookie = await opensLink(pages.link());
});
afterEach(() => rmSync(folder, { recursive: true }));

const asks = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  pages.app.request(`${URL_HERE}${path}`, { headers: { host: "127.0.0.1:3000", ...headers } });
/** Opens a link as a browser does; its cookie from then on. */
async function opensLink(link: string): Promise<string> {
  const { headers } = await asks(link.slice(URL_HERE.length));
  return headers.get("set-cookie")?.split(";", 1)[0] ?? "";
}

const saved = (): string => readFileSync(join(folder, ".env"), "utf8");
const page = async (
  path: string,
  init: { method?: string; body?: URLSearchParams; headers?: object } = {},
) => {
  const form = init.method === "POST" ? { origin: URL_HERE } : {};
  const headers = { host: "127.0.0.1:3000", cookie, ...form, ...init.headers };
  const response = await pages.app.request(`${URL_HERE}${path}`, { ...init, headers });
  return { status: response.status, html: await response.text(), headers: response.headers };
};
const sends = (
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
) => page(path, { method: "POST", body: new URLSearchParams(fields), headers });

const unescaped = (text: string): string => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
const attribute = (html: string, pattern: RegExp): string => unescaped(pattern.exec(html)?.[1] ?? "");
const actionOf = (html: string): string => attribute(html, /<form method="post" action="([^"]*)"/);
const stateOf = (html: string): string => new URL(actionOf(html)).searchParams.get("state") ?? "";

const ORGANISATION = {
  owner: "organization",
  organization: "acme",
  public_url: "https://tollgate.acme.example/",
};

describe("registering the App", () => {
  test("an organisation's App is registered with Tollgate's permissions and public URL, and its credentials are saved", async () => {
    const { html, headers } = await sends("/setup", ORGANISATION);
    expect(actionOf(html)).toMatch(
      /^https:\/\/github\.com\/organizations\/acme\/settings\/apps\/new\?state=[0-9a-f]{32}$/,
    );
    const manifest = JSON.parse(attribute(html, /name="manifest" value="([^"]*)"/));
    expect(manifest).toMatchObject({
      name: "Tollgate",
      public: false,
      url: "https://tollgate.acme.example",
      hook_attributes: { url: "https://tollgate.acme.example/api/github/webhooks" },
      setup_url: "https://tollgate.acme.example/setup/installed",
      callback_urls: ["https://tollgate.acme.example/sign-in/callback"],
      request_oauth_on_install: false,
      redirect_url: `${URL_HERE}/setup/registered`,
      default_permissions: { checks: "write", pull_requests: "write" },
    });
    expect(headers.get("content-security-policy")).toContain("form-action 'self' https://github.com;");

    const back = await page(`/setup/registered?code=good&state=${stateOf(html)}`);
    expect(back.status).toBe(200);
    expect(back.html).toContain('href="https://github.com/apps/tollgate-acme/installations/new"');
    expect(back.html).toContain('href="https://github.com/organizations/acme/settings/rules"');
    expect(back.html).toContain("url: https://tollgate.acme.example");
    expect(back.html).not.toContain("no public address");
    expect(asked).toEqual(["POST https://api.github.com/app-manifests/good/conversions"]);
    await pages.registered;
    expect(saved()).toBe(
      [
        'APP_ID="4711"',
        `PRIVATE_KEY="${REGISTERED.pem.replaceAll("\n", "\\n")}"`,
        'WEBHOOK_SECRET="q8Zr2m9Kx1Lw7Tn4Vb6C"',
        'GITHUB_CLIENT_ID="Iv23liAcme"',
        'GITHUB_CLIENT_SECRET="0f9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f1e"',
        'PUBLIC_URL="https://tollgate.acme.example"',
        "",
      ].join("\n"),
    );
    expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o600);
  });

  test("a personal App on a GitHub Enterprise Server is registered there, without a webhook when there is no public URL", async () => {
    const { html } = await sends("/setup", { owner: "personal", host: "https://github.acme.example/" });
    expect(actionOf(html)).toMatch(/^https:\/\/github\.acme\.example\/settings\/apps\/new\?state=/);
    expect(attribute(html, /name="manifest" value="([^"]*)"/)).not.toContain("hook_attributes");
    expect(html).toContain("GitHub delivers nothing");
    const back = await page(`/setup/registered?code=good&state=${stateOf(html)}`);
    expect(back.html).toContain('href="https://github.com/settings/apps/tollgate-acme"');
    for (const path of ["/api/github/webhooks", "/sign-in/callback", "/setup/installed"])
      expect(back.html).toContain(`<code>PUBLIC_URL${path}</code>`);
    expect(asked).toEqual(["POST https://github.acme.example/api/v3/app-manifests/good/conversions"]);
    expect(saved()).toContain('GHE_HOST="github.acme.example"');
  });

  test("a used code is explained, and nothing is saved twice", async () => {
    const { html } = await sends("/setup", ORGANISATION);
    const state = stateOf(html);
    const used = await page(`/setup/registered?code=used&state=${state}`);
    expect([used.status, used.html]).toEqual([400, expect.stringContaining("it was used before")]);
    expect((await page(`/setup/registered?code=good&state=${state}`)).status).toBe(200);
    const again = await page(`/setup/registered?code=good&state=${state}`);
    expect([again.status, again.html]).toEqual([400, expect.stringContaining("was not begun here")]);
  });

  test("a registration that another site began is not completed", async () => {
    await sends("/setup", ORGANISATION);
    for (const state of ["", "0".repeat(32)]) {
      expect((await page(`/setup/registered?code=good&state=${state}`)).status).toBe(400);
    }
    expect(asked).toEqual([]);
  });

  test("a malformed code is never sent to GitHub", async () => {
    const { html } = await sends("/setup", ORGANISATION);
    expect((await page(`/setup/registered?code=..%2F..%2Fuser&state=${stateOf(html)}`)).status).toBe(400);
    expect(asked).toEqual([]);
  });
});

describe("invalid input is refused before any call to GitHub", () => {
  test.each([
    ["no owner", { organization: "acme" }, "Choose who owns the App."],
    ["no organisation", { ...ORGANISATION, organization: "" }, "Enter the organisation"],
    [
      "an organisation with a slash",
      { ...ORGANISATION, organization: "acme/infra" },
      "Enter the organisation",
    ],
    [
      "a public address without https",
      { ...ORGANISATION, public_url: "http://tollgate.acme.example" },
      "https:// address",
    ],
    [
      "a public address of this machine",
      { ...ORGANISATION, public_url: "https://localhost:3000" },
      "https:// address",
    ],
    [
      "a host with a path",
      { ...ORGANISATION, host: "github.acme.example/acme" },
      "Enter the host name alone",
    ],
  ])("%s", async (_name, fields, sentence) => {
    const { status, html } = await sends("/setup", fields);
    expect([status, html]).toEqual([422, expect.stringContaining(sentence)]);
    expect(html).toContain(`value="${fields.organization}"`);
  });

  test("problems of several fields are shown at once", async () => {
    const { html } = await sends("/setup", {
      owner: "organization",
      organization: "a/b",
      public_url: "http://x",
    });
    expect(html).toContain("Enter the organisation");
    expect(html).toContain("https:// address");
  });

  test("entered values are shown again as escaped text", async () => {
    const { html } = await sends("/setup", { ...ORGANISATION, organization: '"><script>alert(1)</script>' });
    expect(html).not.toContain("<script>");
  });
});

describe("an existing App", () => {
  const EXISTING = { app_id: "4711", private_key: REGISTERED.pem, webhook_secret: REGISTERED.webhook_secret };

  test("its credentials are saved after GitHub accepted them, and the next page installs it", async () => {
    const { status, html } = await sends("/setup/existing", {
      ...EXISTING,
      existing_host: "github.acme.example",
    });
    expect([status, asked]).toEqual([200, ["GET https://github.acme.example/api/v3/app"]]);
    expect(html).toContain('href="https://github.com/apps/tollgate-acme/installations/new"');
    await pages.registered;
    expect(saved()).toContain('APP_ID="4711"');
    expect(saved()).toContain('GHE_HOST="github.acme.example"');
    expect(saved()).not.toContain("CLIENT");
    expect(html).toContain("Nobody can sign in");
  });

  const SIGN_IN = { client_id: REGISTERED.client_id, client_secret: REGISTERED.client_secret };
  const ofOrganisation = () =>
    Response.json({
      ...{ ...REGISTERED, name: "Tollgate", permissions: {}, events: [] },
      owner: { login: "acme", type: "Organization" },
    });

  test("its client id and secret are saved after GitHub accepted them, and its settings page is linked", async () => {
    answerApp = ofOrganisation;
    const { html } = await sends("/setup/existing", { ...EXISTING, ...SIGN_IN });
    expect(html).toContain('href="https://github.com/organizations/acme/settings/apps/tollgate-acme"');
    expect(html).not.toContain("Nobody can sign in");
    expect(saved()).toContain('GITHUB_CLIENT_ID="Iv23liAcme"\nGITHUB_CLIENT_SECRET="0f9e8d7c');
  });

  test.each([
    ["one without the other", { client_id: "Iv23liAcme" }, "Enter both, or neither."],
    ["the id of another App", { ...SIGN_IN, client_id: "Iv23liOther" }, "client ID is Iv23liAcme"],
    ["a wrong secret", SIGN_IN, "GitHub rejects this client secret"],
  ])("%s is not saved, and the secret does not come back", async (_, entered, sentence) => {
    secretStatus = 401;
    onTestFinished(() => {
      secretStatus = 404;
    });
    const { status, html } = await sends("/setup/existing", { ...EXISTING, ...entered });
    expect([status, html]).toEqual([422, expect.stringContaining(sentence)]);
    expect(html).not.toContain(SIGN_IN.client_secret);
    expect(saved).toThrow("ENOENT");
  });

  test.each([
    [401, "GitHub knows no App with this ID and this private key"],
    [451, "GitHub does not answer there"],
  ])("credentials to which GitHub answers %i are not saved", async (status, sentence) => {
    const usual = answerApp;
    onTestFinished(() => {
      answerApp = usual;
    });
    answerApp = () => Response.json({ message: "no" }, { status });
    const answer = await sends("/setup/existing", EXISTING);
    expect([answer.status, answer.html]).toEqual([422, expect.stringContaining(sentence)]);
    expect(saved).toThrow("ENOENT");
  });

  const EC_KEY = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

  test.each([
    ["another number", { ...EXISTING, app_id: "tollgate" }, "number of the App"],
    [
      "a key of another kind",
      { ...EXISTING, private_key: EC_KEY.export({ type: "pkcs8", format: "pem" }).toString() },
      "This is a private key of the type ec; expected the RSA private key (.pem)",
    ],
    ["a short secret", { ...EXISTING, webhook_secret: "development" }, "which everybody knows"],
  ])("%s is refused, and no secret comes back", async (_name, fields, sentence) => {
    const { status, html } = await sends("/setup/existing", fields);
    expect([status, html]).toEqual([422, expect.stringContaining(sentence)]);
    expect(html).not.toContain(`value="${fields.webhook_secret}"`);
    expect(html).not.toContain("KEY-----\n");
    expect(asked).toEqual([]);
  });
});

describe("access to the setup pages", () => {
  const EXISTING = { app_id: "4711", private_key: REGISTERED.pem, webhook_secret: REGISTERED.webhook_secret };

  test("the printed link opens the setup pages and leaves no code in the browser's address bar", async () => {
    const link = pages.link().slice(URL_HERE.length);
    expect(link).toMatch(/^\/setup\?code=[0-9a-f]{32}$/);
    const opened = await asks(link);
    expect([opened.status, opened.headers.get("location")]).toEqual([303, "/setup"]);
    expect(opened.headers.get("set-cookie")).toMatch(
      /^tollgate_setup=[0-9a-f]{32}; Path=\/setup; HttpOnly; SameSite=Lax$/,
    );
    expect((await page("/setup", { headers: { cookie: await opensLink(pages.link()) } })).status).toBe(200);
  });

  test.each([
    ["no cookie", ""],
    ["an empty cookie", "tollgate_setup="],
    ["another cookie", `tollgate_setup=${"0".repeat(32)}`],
  ])("a request with %s is led to the terminal, and nothing of it is taken", async (_what, other) => {
    const { html } = await sends("/setup", ORGANISATION);
    for (const path of ["/setup", `/setup/registered?code=good&state=${stateOf(html)}`]) {
      const refused = await page(path, { headers: { cookie: other } });
      expect([refused.status, refused.html]).toEqual([403, expect.stringContaining("on the terminal")]);
    }
    for (const path of ["/setup", "/setup/existing"]) {
      expect((await sends(path, { ...ORGANISATION, ...EXISTING }, { cookie: other })).status).toBe(403);
    }
    expect(asked).toEqual([]);
    expect(saved).toThrow("ENOENT");
  });

  test("a used link opens nothing and prints one new link, which opens the setup pages", async () => {
    const [first, used] = [pages.link(), () => asks(first.slice(URL_HERE.length))];
    await opensLink(first);
    for (let times = 0; times < 3; times += 1) {
      const again = await used();
      expect([again.status, again.headers.get("set-cookie")]).toEqual([403, null]);
      expect(await again.text()).toContain("each link works once");
    }
    expect(announced).toEqual([pages.link()]);
    expect(await opensLink(announced[0] ?? "")).toBe(cookie);
  });

  test("a browser with a session may open the used link again", async () => {
    const link = pages.link();
    await opensLink(link);
    expect((await page(link.slice(URL_HERE.length))).status).toBe(200);
    expect(announced).toEqual([]);
  });

  test("wrong codes are explained ten times a minute and never lock out the right code", async () => {
    const statuses = [];
    for (let times = 0; times < 12; times += 1)
      statuses.push((await asks(`/setup?code=${"0".repeat(32)}`)).status);
    expect(statuses).toEqual([...Array(10).fill(403), 429, 429]);
    expect(announced).toEqual([]);
    expect(await opensLink(pages.link())).toBe(cookie);
  });

  test("only requests that name this machine by its own names reach the setup pages", async () => {
    const status = async (host: string) => (await page("/setup", { headers: { host } })).status;
    expect(await status("rebound.evil.example")).toBe(403);
    expect(await status("127.0.0.1.evil.example:3000")).toBe(403);
    expect(await status("localhost:3000")).toBe(200);
  });

  test("a name that was rebound to this machine cannot consume the code", async () => {
    const link = pages.link();
    await asks(link.slice(URL_HERE.length), { host: "rebound.evil.example" });
    expect(pages.link()).toBe(link);
  });

  test("through a forwarded port, GitHub redirects the browser to the forwarded port", async () => {
    const here = { host: "localhost:8080", origin: "http://localhost:8080" };
    const { html } = await sends("/setup", ORGANISATION, here);
    const manifest = JSON.parse(attribute(html, /name="manifest" value="([^"]*)"/));
    expect(manifest.redirect_url).toBe("http://localhost:8080/setup/registered");
  });

  test("a real server serves the setup pages on loopback, beside its health and the embedded platform", async () => {
    const running = await startSetup(options());
    expect(new URL(running.url).hostname).toBe("127.0.0.1");
    const [link = ""] = announced;
    expect(link.startsWith(`${running.url}setup?code=`)).toBe(true);
    expect((await fetch(running.url)).status).toBe(403);
    const health = await Promise.all(
      ["livez", "healthz", "readyz"].map((path) => fetch(`${running.url}${path}`)),
    );
    expect(health.map(({ status }) => status)).toEqual([200, 200, 503]);
    expect(await health[2]?.text()).toContain("github failed: no App is registered yet");
    expect((await fetch(link, { redirect: "manual" })).status).toBe(303);
    const platform = await fetch(`${running.url}api/orgs/acme/projects/infra/executions`);
    expect(platform.status).toBe(401);
    await running.stop();
  });

  test.each([["https://evil.example"], ["http://127.0.0.1:9999"], ["null"]])(
    "a form of the origin %s is refused, even with the cookie",
    async (origin) => {
      expect((await sends("/setup/existing", EXISTING, { origin })).status).toBe(403);
      expect(saved).toThrow("ENOENT");
    },
  );

  test("a form without an origin is refused", async () => {
    const body = new URLSearchParams(EXISTING);
    const headers = { host: "127.0.0.1:3000", cookie };
    const response = await pages.app.request(`${URL_HERE}/setup/existing`, { method: "POST", body, headers });
    expect(response.status).toBe(403);
  });

  test("a form of more than 64 KiB is refused", async () => {
    const { status } = await sends("/setup/existing", { ...EXISTING, private_key: "x".repeat(70_000) });
    expect(status).toBe(413);
  });

  test("the setup pages forbid frames, scripts and caching", async () => {
    for (const headers of [{}, { cookie: "" }]) {
      const answer = await page("/setup", { headers });
      expect(answer.headers.get("content-security-policy")).toMatch(
        /default-src 'none'.*frame-ancestors 'none'/,
      );
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });
});
