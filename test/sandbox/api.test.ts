import { describe, expect, test } from "vitest";
import { caller, jwt, openLab } from "./lab.ts";

const R = "/repos/acme/infra";

describe("who may call", () => {
  test("an App's JWT must be signed by its key and live at most ten minutes", async () => {
    const { sandbox, clock, asApp, appId, privateKey } = await openLab();
    const app = { id: appId, privateKey };
    const seconds = clock.now() / 1000;
    const as = (text: string) => caller(sandbox.url, `bearer ${text}`)("GET /app");
    const told = async (text: string) => {
      const { status, body } = await as(text);
      return `${status} ${body.message}`;
    };
    const good = jwt(app, clock.now());
    expect((await asApp("GET /app")).body).toMatchObject({ id: appId, slug: "tollgate" });
    expect(await told(`${good.slice(0, -6)}AAAAAA`)).toBe("401 A JSON web token could not be decoded");
    expect(await told(jwt(app, clock.now(), { exp: seconds - 1 }))).toMatch(/^401 'Expiration time' claim/);
    expect(await told(jwt(app, clock.now(), { exp: seconds + 1200 }))).toMatch(/too far in the future$/);
    expect(await told(jwt(app, clock.now(), { iat: seconds + 600 }))).toMatch(/^401 'Issued at' claim/);
    expect(await told(jwt({ ...app, id: 7 }, clock.now()))).toBe("401 Integration not found");
  });

  test("an installation token lives one hour by the clock", async () => {
    const { clock, asBot } = await openLab();
    clock.advance(3_599_000);
    expect((await asBot(`GET ${R}`)).status).toBe(200);
    clock.advance(1000);
    expect(await asBot(`GET ${R}`)).toMatchObject({ status: 401, body: { message: "Bad credentials" } });
  });

  test("nobody, junk, and the wrong kind of credential are refused", async () => {
    const { sandbox, asApp, asBot } = await openLab();
    expect((await caller(sandbox.url, null)(`GET ${R}`)).status).toBe(401);
    expect((await caller(sandbox.url, "token ghs_junk")(`GET ${R}`)).status).toBe(401);
    expect((await asApp(`GET ${R}`)).status).toBe(403);
    expect((await asBot("GET /app")).status).toBe(401);
  });
});

describe("what a token covers", () => {
  test("what is not covered is not there, except that public things can be read", async () => {
    const { sandbox, asBot } = await openLab();
    sandbox.createRepository({ owner: "grace", name: "secret" });
    sandbox.createRepository({ owner: "grace", name: "open", visibility: "public", files: { a: "text" } });
    expect((await asBot("GET /repos/grace/secret")).status).toBe(404);
    expect((await asBot("GET /repos/grace/open/contents/a")).status).toBe(200);
    const sha = sandbox.repository("grace/open").branches.get("main");
    expect((await asBot("POST /repos/grace/open/check-runs", { name: "n", head_sha: sha })).status).toBe(403);
  });

  test("a suspended installation gets nothing until it is lifted", async () => {
    const { sandbox, asApp, asBot, installationId } = await openLab();
    sandbox.suspendInstallation(installationId);
    const words = "This installation has been suspended";
    expect(await asBot(`GET ${R}`)).toMatchObject({ status: 403, body: { message: words } });
    expect((await asApp(`POST /app/installations/${installationId}/access_tokens`)).status).toBe(403);
    sandbox.unsuspendInstallation(installationId);
    expect((await asBot(`GET ${R}`)).status).toBe(200);
    sandbox.uninstallApp(installationId);
    expect((await asBot(`GET ${R}`)).status).toBe(401);
    expect((await asApp(`GET /app/installations/${installationId}`)).status).toBe(404);
  });
});

describe("where things are", () => {
  test("every path also with the prefix of a GitHub Enterprise Server, and by the repository's id", async () => {
    const { sandbox, asBot } = await openLab();
    const { id } = sandbox.repository("acme/infra");
    for (const path of [R, `/api/v3${R}`, `/repositories/${id}`, `/api/v3/repositories/${id}`]) {
      expect((await asBot(`GET ${path}`)).body.id).toBe(id);
    }
    expect((await asBot("GET /repos/acme/infra/no/such/thing")).body).toEqual({
      message: "Not Found",
      documentation_url: "https://docs.github.com/rest",
      status: "404",
    });
  });

  test("a former name leads to the repository: reads for good, writes for this time", async () => {
    const { sandbox, asBot } = await openLab();
    const { id } = sandbox.renameRepository({ repository: "acme/infra", name: "platform" });
    const moved = await asBot(`GET /api/v3${R}/contents/main.tf?ref=main`);
    const location = `${sandbox.url}/api/v3/repositories/${id}/contents/main.tf?ref=main`;
    expect([moved.status, moved.headers.get("location")]).toEqual([301, location]);
    expect((await asBot(`GET ${location}`)).body.name).toBe("main.tf");
    expect((await asBot(`POST ${R}/check-runs`, {})).status).toBe(307);
    sandbox.createRepository({ owner: "acme", name: "infra" });
    expect((await asBot(`GET ${R}`)).body.id).not.toBe(id);
  });

  test("contents: text, links, submodules, directories, and nothing", async () => {
    const { sandbox, asBot } = await openLab();
    const files = {
      ".github/tollgate.yml": "version: 1\n",
      link: { symlink: "main.tf" },
      sub: { submodule: "a".repeat(40) },
    };
    sandbox.push({ repository: "acme/infra", branch: "main", files });
    const file = await asBot(`GET ${R}/contents/.github/tollgate.yml?ref=main`);
    expect(Buffer.from(file.body.content, "base64").toString()).toBe("version: 1\n");
    expect((await asBot(`GET ${R}/contents/.github%2Ftollgate.yml`)).body).toEqual(
      (await asBot(`GET ${R}/contents/.github/tollgate.yml`)).body,
    );
    expect((await asBot(`GET ${R}/contents/link`)).body).toMatchObject({
      type: "symlink",
      target: "main.tf",
    });
    expect((await asBot(`GET ${R}/contents/sub`)).body.type).toBe("submodule");
    expect((await asBot(`GET ${R}/contents/`)).body).toHaveLength(4);
    expect((await asBot(`GET ${R}/contents/main.tf?ref=gone`)).status).toBe(404);
  });
});

describe("lists and budgets", () => {
  test("a list has pages of 30, or of as many as are asked for up to 100", async () => {
    const { sandbox, asBot } = await openLab();
    const pull = sandbox.openPullRequest({ repository: "acme/infra", head: "more", title: "More" });
    for (let number = 1; number <= 250; number += 1) sandbox.addComment(pull, { body: `comment ${number}` });
    const page = async (query: string) => (await asBot(`GET ${R}/issues/1/comments${query}`)).body;
    expect(await page("")).toHaveLength(30);
    expect((await page("?per_page=1000&page=2"))[0].body).toBe("comment 101");
    expect(await page("?per_page=100&page=3")).toHaveLength(50);
  });

  test("the hourly budget counts down, runs out, and comes back by the clock", async () => {
    const { clock, asBot } = await openLab({ hourlyLimit: 3 });
    const left = async () => {
      const { status, headers } = await asBot(`GET ${R}/pulls`);
      return [status, headers.get("x-ratelimit-remaining")];
    };
    expect([await left(), await left(), await left(), await left()]).toEqual([
      [200, "2"],
      [200, "1"],
      [200, "0"],
      [403, "0"],
    ]);
    clock.advance(3_600_000 - 1);
    expect((await left())[0]).toBe(403);
  });

  test("every call is in the log with who made it", async () => {
    const { sandbox, asApp, asBot, installationId, appId } = await openLab();
    await asBot(`GET /api/v3${R}/pulls?state=all`);
    await asBot("POST /api/graphql", { query: 'query Name { repository(owner: "a", name: "b") { id } }' });
    await asApp("GET /app");
    expect(sandbox.requests.list()).toMatchObject([
      { method: "GET", path: `${R}/pulls?state=all`, status: 200, appId, installationId },
      { method: "POST", path: "/graphql", status: 200, installationId, operation: "Name" },
      { method: "GET", path: "/app", status: 200, installationId: null },
    ]);
    expect(sandbox.requests.count({ path: /^\/graphql$/ })).toBe(1);
  });
});
