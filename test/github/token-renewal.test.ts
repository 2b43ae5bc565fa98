import nock from "nock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { publishCheck } from "../../src/github/checks/publish-check.ts";
import type { InstallationClient } from "../../src/github/client/installation-client.ts";
import { closeNetwork } from "../world/network.ts";
import { OWN_APP } from "./deliveries.ts";
import { createCheck, INSTALLATION, minted, type TestApp, testApp } from "./github.ts";

let github: nock.Scope;
let world: TestApp;
let client: InstallationClient;

closeNetwork();
beforeEach(() => {
  github = nock("https://api.github.com");
  world = testApp();
  client = world.app.installation(INSTALLATION);
});
afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

/** GitHub hands out a token, and `meanwhile` happens. */
const mint = (meanwhile = (): void => {}): nock.Scope =>
  github.post(`/app/installations/${INSTALLATION}/access_tokens`).reply(201, () => {
    meanwhile();
    return minted(world.time);
  });

describe("while an access token is obtained, a check that becomes superseded", () => {
  it("is not written", async () => {
    let isCurrent = true;
    mint(() => {
      isCurrent = false;
    });
    expect(await createCheck(client, { isCurrent: async () => isCurrent })).toEqual({ ok: "superseded" });
  });

  it("is not written again after GitHub rejected the token before", async () => {
    let isCurrent = true;
    mint();
    github.post("/repos/acme/shop/check-runs").reply(401, { message: "Bad credentials" });
    mint(() => {
      isCurrent = false;
    });
    expect(await createCheck(client, { isCurrent: async () => isCurrent })).toEqual({ ok: "superseded" });
  });

  it("is not written again after GitHub rejected the token before and another call obtained a new one", async () => {
    let isCurrent = true;
    mint();
    github.post("/repos/acme/shop/check-runs").reply(401, async () => {
      await client.octokit.rest.repos.get({ owner: "acme", repo: "shop" });
      isCurrent = false;
      return { message: "Bad credentials" };
    });
    github.get("/repos/acme/shop").reply(401, { message: "Bad credentials" });
    mint();
    github.get("/repos/acme/shop").reply(200, { id: 77 });
    expect(await createCheck(client, { isCurrent: async () => isCurrent })).toEqual({ ok: "superseded" });
  });

  it("leaves the checks that wait with it to be written alone", async () => {
    const superseded = new Set<number>();
    const publish = (number: number) =>
      publishCheck(client, {
        repositoryId: 77,
        repositoryNodeId: "R_77",
        headSha: String(number).padStart(40, "0"),
        checkName: "tollgate: main",
        known: null,
        decision: { status: "completed", conclusion: "success" },
        output: { title: "Passed", summary: "It costs less.", text: null },
        externalId: `digest ${number}`,
        detailsUrl: "https://github.com/acme/shop/pull/1",
        actions: [],
        isCurrent: async () => !superseded.has(number),
      });
    const answer = async (request: Request): Promise<object> => ({
      ...z.record(z.string(), z.unknown()).parse(await request.json()),
      id: 9,
      app: { id: OWN_APP },
    });
    mint();
    github.post("/repositories/77/check-runs").reply(201, (request: Request) => {
      world.time.ms += 3_600_000;
      return answer(request);
    });
    mint(() => superseded.add(2));
    github.post("/repositories/77/check-runs").reply(201, answer);
    const outcomes = await Promise.all([1, 2, 3].map(publish));
    expect(outcomes.map(({ state }) => state)).toEqual(["written", "superseded", "written"]);
  });
});
