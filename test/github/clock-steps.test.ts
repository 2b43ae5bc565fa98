import type nock from "nock";
import { describe, expect, it } from "vitest";
import type { InstallationClient } from "../../src/github/client/installation-client.ts";
import { createCheck, readRepository, type TestApp } from "./github.ts";
import { mint as mintToken, useNock } from "./nocked-github.ts";

const HOURS = 3_600_000;

let github: nock.Scope;
let world: TestApp;
let client: InstallationClient;
useNock((fresh) => {
  ({ github, world, client } = fresh);
});

const mint = (times = 1) => mintToken({ github, world }, times);
const repo = (): nock.Interceptor => github.get("/repos/acme/shop");
const write = () => createCheck(client);

describe.each([
  ["is set back by hours", -5 * HOURS],
  ["jumps ahead by hours", 5 * HOURS],
])("when the machine's clock %s", (_, stepMs) => {
  it("writes stay a second apart", async () => {
    mint();
    github.post("/repos/acme/shop/check-runs").times(3).reply(201, { id: 1 });
    await write();
    world.time.offMs = stepMs;
    await write();
    await write();
    expect(world.time.waits).toEqual([1_000, 1_000]);
  });

  it("an installation pauses exactly as long as GitHub said", async () => {
    mint();
    repo().reply(403, { message: "You have exceeded a secondary rate limit." }, { "retry-after": "75" });
    await readRepository(client);
    world.time.offMs = stepMs;
    world.time.ms += 74_000;
    expect(await readRepository(client)).toMatchObject({
      failure: { kind: "rate_limited", retryAfterMs: 1_000 },
    });
    world.time.ms += 1_000;
    repo().reply(200, { id: 77 });
    expect((await readRepository(client)).ok).toBe(true);
  });

  it("a rate limit's reset is awaited by GitHub's clock", async () => {
    mint();
    world.time.offMs = stepMs;
    const date = new Date(world.time.ms).toUTCString();
    const reset = String(Date.parse(date) / 1_000 + 90);
    repo().reply(403, { message: "x" }, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset, date });
    expect(await readRepository(client)).toMatchObject({ failure: { retryAfterMs: 90_000 } });
  });

  it("a token is used until shortly before it expires, and then renewed", async () => {
    mint(2);
    repo().times(3).reply(200, { id: 77 });
    await readRepository(client);
    world.time.offMs = stepMs;
    world.time.ms += 54 * 60_000;
    await readRepository(client);
    world.time.ms += 2 * 60_000;
    expect((await readRepository(client)).ok).toBe(true);
  });
});
