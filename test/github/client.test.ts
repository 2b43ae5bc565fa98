import nock from "nock";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { readGraphql } from "../../src/github/client/graphql.ts";
import { resolveGitHubApiUrl } from "../../src/github/client/guarded-fetch.ts";
import type { InstallationClient } from "../../src/github/client/installation-client.ts";
import { createOctokit } from "../../src/github/client/octokit.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import {
  CHECK,
  createCheck,
  INSTALLATION,
  minted,
  outcomeOf,
  readRepository,
  type TestApp,
  TOKEN,
} from "./github.ts";
import { useNock } from "./nocked-github.ts";

let github: nock.Scope;
let world: TestApp;
let client: InstallationClient;
useNock((fresh) => {
  ({ github, world, client } = fresh);
});

const minting = (): nock.Interceptor => github.post(`/app/installations/${INSTALLATION}/access_tokens`);
const mint = (times = 1, members: object = {}): nock.Scope =>
  minting()
    .times(times)
    .reply(201, () => minted(world.time, members));
const repo = (): nock.Interceptor => github.get("/repos/acme/shop");
const failure = async (call = readRepository(client)): Promise<unknown> => {
  const answer = await call;
  return answer.ok ? "no failure" : [answer.failure.kind, answer.failure.status, answer.failure.retryAfterMs];
};

describe("a token", () => {
  it("is minted once for calls at the same time, with the App's own signature, and sent with each", async () => {
    minting()
      .matchHeader("authorization", /^bearer ey/i)
      .reply(201, minted(world.time));
    repo().matchHeader("authorization", `token ${TOKEN}`).times(5).reply(200, { id: 77 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => readRepository(client)));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(world.time.waits).toEqual([]);
  });

  it("is renewed before it ends", async () => {
    mint(2);
    repo().times(2).reply(200, { id: 77 });
    await readRepository(client);
    world.time.ms += 59 * 60_000;
    expect((await readRepository(client)).ok).toBe(true);
  });

  it("that GitHub rejects is replaced once, for writes too", async () => {
    mint(2);
    github.post("/repos/acme/shop/check-runs").reply(401, { message: "Bad credentials" });
    github.post("/repos/acme/shop/check-runs").reply(201, { id: 1 });
    expect(await createCheck(client)).toEqual({ ok: true, value: { id: 1 } });
  });

  it("is minted by GitHub's clock when the machine's clock is off", async () => {
    const message = "'Expiration time' claim ('exp') must be a numeric value representing the future time";
    minting().reply(
      401,
      { message: `${message} at which the assertion expires` },
      { date: new Date(world.time.ms + 5 * 3_600_000).toUTCString() },
    );
    mint();
    repo().reply(200, { id: 77 });
    expect((await readRepository(client)).ok).toBe(true);
    expect(world.logged.join("")).toMatch(/different by 1[78]\d{3} seconds/);
  });

  it("that had expired when it arrived is still used", async () => {
    mint(1, { expires_at: "2020-01-01T00:00:00Z" });
    repo().reply(200, { id: 77 });
    expect((await readRepository(client)).ok).toBe(true);
  });

  it.each([
    [403, { message: "This installation has been suspended" }],
    [404, { message: "Not Found" }],
  ])("is not to be had (%i): the installation is suspended or gone", async (status, body) => {
    minting().reply(status, body);
    expect(await failure()).toEqual(["suspended", status, null]);
  });

  it("is in no line of the log", async () => {
    mint();
    repo()
      .reply(500, { message: `leaked ${TOKEN}?` })
      .persist();
    await readRepository(client);
    github.persist(false);
    nock.cleanAll();
    expect(world.logged.join("")).toContain("/repos/acme/shop - 500");
    expect(world.logged.join("")).not.toContain(TOKEN.slice(4, 40));
  });
});

describe("an answer", () => {
  beforeEach(() => {
    mint();
  });

  it.each<[string, number, string, string]>([
    ["not found", 404, '{"message":"Not Found"}', "not_found"],
    ["gone", 410, '{"message":"gone"}', "gone"],
    ["blocked by law", 451, '{"message":"x"}', "gone"],
    ["forbidden", 403, '{"message":"Resource not accessible by integration"}', "forbidden"],
    ["refused", 422, '{"message":"Validation Failed"}', "rejected"],
    ["half a JSON text", 200, '{"id":', "malformed"],
    ["of another shape", 200, '{"id":"77"}', "malformed"],
  ])("%s is a failure of its kind", async (...[, status, body, kind]) => {
    repo().reply(status, body, { "content-type": "application/json" });
    expect(await failure()).toEqual([kind, status < 300 ? null : status, null]);
  });

  it("is requested three times when GitHub fails temporarily", async () => {
    repo().reply(502, "<html>");
    repo().reply(500, {});
    repo().reply(200, { id: 77 });
    expect(await readRepository(client)).toEqual({ ok: true, value: { id: 77 } });
    expect(world.time.waits).toEqual([300, 1200]);
  });

  it("that fails again and again is unavailable, a write after one attempt", async () => {
    repo().times(3).reply(503, {});
    expect(await failure()).toEqual(["unavailable", 503, null]);
    github.post("/repos/acme/shop/check-runs").reply(502, {});
    const answer = await createCheck(client);
    expect(answer.ok).toBe(false);
  });

  it("moved on the same host is read there", async () => {
    repo().reply(301, {}, { location: "https://api.github.com/repositories/77" });
    github.get("/repositories/77").reply(200, { id: 77 });
    expect((await readRepository(client)).ok).toBe(true);
  });

  it.each([
    "https://evil.example/",
    "http://169.254.169.254/latest",
    "http://api.github.com/repos",
    "//evil.example/x",
  ])("that leads to %s is not followed", async (location) => {
    repo().reply(302, {}, { location });
    expect(await failure()).toEqual(["moved", null, null]);
  });

  it("with a redirect loop ends", async () => {
    repo().times(4).reply(302, {}, { location: "/repos/acme/shop" });
    expect(await failure()).toEqual(["moved", null, null]);
  });

  it("301 to a write is a failure, never a read", async () => {
    github.post("/repos/acme/shop/check-runs").reply(301, {}, { location: "/repositories/77/check-runs" });
    const written = createCheck(client);
    expect(await written).toMatchObject({ ok: false, failure: { kind: "moved" } });
  });

  it("307 to a write is written once, there", async () => {
    github.post("/repos/acme/shop/check-runs").reply(307, {}, { location: "/repositories/77/check-runs" });
    github.post("/repositories/77/check-runs", CHECK).reply(201, { id: 9 });
    expect(await createCheck(client)).toEqual({ ok: true, value: { id: 9 } });
  });
});

describe("a rate limit", () => {
  beforeEach(() => {
    mint();
  });
  const secondary = { message: "You have exceeded a secondary rate limit." };

  it.each<[string, number, Record<string, string>, number]>([
    ["seconds", 403, { "retry-after": "75" }, 75_000],
    ["nothing", 403, {}, 60_000],
    ["a negative number", 403, { "retry-after": "-5" }, 60_000],
    ["nonsense", 429, { "retry-after": "soon" }, 60_000],
    ["thirty years", 429, { "retry-after": "999999999" }, 3_600_000],
    ["a reset in the past", 403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" }, 60_000],
    ["a reset of nonsense", 403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "x" }, 60_000],
  ])("that names %s parks the installation, and no other", async (...[, status, headers, ms]) => {
    repo().reply(status, secondary, headers);
    expect(await failure()).toEqual(["rate_limited", status, ms]);
    expect(await failure()).toEqual(["rate_limited", null, ms]);
    const written = await createCheck(client);
    expect(written).toMatchObject({ ok: false, failure: { kind: "rate_limited" } });

    github.post("/app/installations/6/access_tokens").reply(201, minted(world.time));
    repo().reply(200, { id: 77 });
    expect((await readRepository(world.app.installation(6))).ok).toBe(true);

    world.time.ms += ms;
    minting().optionally().reply(201, minted(world.time));
    repo().reply(200, { id: 77 });
    expect((await readRepository(client)).ok).toBe(true);
  });

  it("that names a date waits until then", async () => {
    repo().reply(429, secondary, { "retry-after": new Date(world.time.ms + 90_000).toUTCString() });
    const answer = await readRepository(client);
    const waits = answer.ok ? 0 : (answer.failure.retryAfterMs ?? 0);
    expect(Math.abs(waits - 90_000)).toBeLessThan(1_001);
  });

  it("inside an answer of GraphQL counts like any other", async () => {
    const limit = { data: null, errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }] };
    github.post("/graphql").reply(200, limit);
    const query = () => outcomeOf(readGraphql(client.octokit.graphql("{ viewer { login } }"), z.object({})));
    expect(await query()).toMatchObject({ kind: "rate_limited" });
    expect(await query()).toMatchObject({ status: null });
  });
});

describe("the write lane", () => {
  const write = (name: string, priority: "check" | "comment", current = true): Promise<unknown> =>
    createCheck(client, { name, priority, isCurrent: async () => current });

  it("sends checks before comments, a second apart, and drops outdated writes without waiting", async () => {
    mint();
    const sent: [string, number][] = [];
    const began = world.time.ms;
    github
      .post("/repos/acme/shop/check-runs")
      .times(5)
      .reply(201, async (request: Request) => {
        const { name } = (await request.json()) as { name: string };
        sent.push([name, world.time.ms - began]);
        return { id: 1 };
      });
    const first = write("first", "comment");
    const rest = [
      write("comment 1", "comment"),
      write("old", "check", false),
      write("check 1", "check"),
      write("comment 2", "comment"),
      write("check 2", "check"),
    ];
    await first;
    const answers = await Promise.all(rest);
    expect(sent).toEqual([
      ["first", 0],
      ["check 1", 1000],
      ["check 2", 2000],
      ["comment 1", 3000],
      ["comment 2", 4000],
    ]);
    expect(answers[1]).toEqual({ ok: "superseded" });
  });

  it("continues after a check for a newer evaluation failed", async () => {
    mint();
    github.post("/repos/acme/shop/check-runs").reply(201, { id: 2 });
    const broken = createCheck(client, { isCurrent: () => Promise.reject(new Error("store")) });
    await expect(broken).rejects.toThrow("store");
    expect(await write("next", "check")).toEqual({ ok: true, value: { id: 2 } });
  });
});

describe("the App", () => {
  it("reads its own id", async () => {
    github.get("/app").reply(200, { id: 4711, slug: "tollgate-acme" });
    expect(await world.app.readIdentity()).toEqual({ appId: 4711, slug: "tollgate-acme" });
  });

  it("lists its installations over all pages", async () => {
    const account = { id: 9, login: "acme", type: "Organization" };
    const one = (id: number): object => ({ id, account, repository_selection: "all", suspended_at: null });
    const full = Array.from({ length: 100 }, (_, index) => one(index + 1));
    github.get("/app/installations").query({ per_page: 100, page: 1 }).reply(200, full);
    const rest = github.get("/app/installations").query({ per_page: 100, page: 2 });
    rest.reply(200, [one(101)]);
    expect(await world.app.installations()).toHaveLength(101);
  });
});

describe("addresses", () => {
  it.each([
    [null, "https://api.github.com", ""],
    ["github.com", "https://api.github.com", ""],
    ["ghe.acme.example", "https://ghe.acme.example/api", "/v3"],
    ["https://ghe.acme.example/", "https://ghe.acme.example/api", "/v3"],
    ["https://ghe.acme.example/api/v3/", "https://ghe.acme.example/api", "/v3"],
    ["acme.ghe.com", "https://api.acme.ghe.com", ""],
    ["http://127.0.0.1:3900", "http://127.0.0.1:3900/api", "/v3"],
  ])("of %s", async (host, api, rest) => {
    expect(await addresses(resolveGitHubApiUrl(host))).toEqual([`${api}${rest}/app`, `${api}/graphql`]);
  });

  it("without a prefix get no prefix", async () => {
    const origin = "http://127.0.0.1:3900";
    expect(await addresses(origin)).toEqual([`${origin}/app`, `${origin}/graphql`]);
  });
});

/** Where a REST and a GraphQL request go. */
async function addresses(apiUrl: string): Promise<readonly string[]> {
  const called: string[] = [];
  const octokit = createOctokit({
    apiUrl,
    fetch: async (url) => {
      called.push(url);
      return Response.json({ data: {} });
    },
    clock: systemClock,
    wait: async () => {},
  });
  await octokit.rest.apps.getAuthenticated();
  await octokit.graphql("{ viewer { login } }");
  return called;
}
