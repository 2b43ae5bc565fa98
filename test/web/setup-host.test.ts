import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Environment, readSettings } from "../../src/settings/read.ts";
import { createInstalledPage, INSTALLED_PATH } from "../../src/web/setup/setup-pages.ts";
import { createSetupPages, startSetup } from "../../src/wiring/start-setup.ts";

let folder = "";
let announced: string[] = [];
let pages: ReturnType<typeof createSetupPages>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate setup "));
  announced = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const options = (environment: Environment): Parameters<typeof startSetup>[0] => ({
  settings: readSettings({ TOLLGATE_DATA: join(folder, "data"), ...environment }),
  file: join(folder, ".env"),
  log: pino({ level: "silent" }),
  announce: (link) => announced.push(link),
});

describe("SETUP_HOST opens the setup pages to other machines", () => {
  const remote = (SETUP_HOST: string) => {
    pages = createSetupPages(options({ PORT: "3000", SETUP_HOST }), () => 3000);
  };
  const opens = (host: string) => pages.app.request(pages.link(), { headers: { host } });

  test.each([
    ["tollgate.acme.example", "http://tollgate.acme.example:3000", false],
    ["tollgate.acme.example:8080", "http://tollgate.acme.example:8080", false],
    ["https://tollgate.acme.example/", "https://tollgate.acme.example", true],
  ])("%s", async (setupHost, origin, isSecure) => {
    remote(setupHost);
    expect(pages.link()).toContain(`${origin}/setup?code=`);
    expect((await opens("other.example")).status).toBe(403);
    const { host } = new URL(origin);
    const opened = await opens(host);
    const session = opened.headers.get("set-cookie") ?? "";
    expect([opened.status, session.includes("Secure")]).toEqual([303, isSecure]);
    const headers = { host, origin, cookie: session.split(";", 1)[0] ?? "" };
    const body = new URLSearchParams({ owner: "organization", organization: "acme" });
    const begun = await pages.app.request(`${origin}/setup`, { method: "POST", body, headers });
    expect(await begun.text()).toContain(`&quot;redirect_url&quot;:&quot;${origin}/setup/registered&quot;`);
    const foreign = { ...headers, origin: "https://evil.example" };
    const refused = await pages.app.request(`${origin}/setup`, { method: "POST", body, headers: foreign });
    expect(refused.status).toBe(403);
  });

  test("a real server is then reached on other addresses of the machine too", async () => {
    const running = await startSetup(options({ PORT: "0", HOST: "127.0.0.2", SETUP_HOST: "127.0.0.2" }));
    const [link = ""] = announced;
    const opened = await fetch(link, { redirect: "manual" });
    await opened.body?.cancel(); // an unread answer keeps its connection, and the server from closing
    expect(opened.status).toBe(303);
    await running.stop();
  });
});

test("the running bot shows people who have installed the App what is next, without a sign-in", async () => {
  const answer = await createInstalledPage("https://tollgate.acme.example").request(INSTALLED_PATH);
  const html = await answer.text();
  expect([answer.status, html]).toEqual([200, expect.stringContaining("The App is installed")]);
  for (const step of [".github/tollgate.yml", " url: https://tollgate.acme.example", "tollgate doctor"])
    expect(html).toContain(step);
});
