import type nock from "nock";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { publishCheck } from "../../src/github/checks/publish-check.ts";
import type { InstallationClient } from "../../src/github/client/installation-client.ts";
import { OWN_APP } from "./deliveries.ts";
import { checkWrite, createCheck, outcomeOf, type TestApp } from "./github.ts";
import { mint as mintToken, useNock } from "./nocked-github.ts";

let github: nock.Scope;
let world: TestApp;
let client: InstallationClient;
useNock((fresh) => {
  ({ github, world, client } = fresh);
});

/** GitHub hands out a token, and `meanwhile` happens. */
const mint = (meanwhile?: () => void) => mintToken({ github, world }, 1, meanwhile);

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
      publishCheck(
        client,
        checkWrite({
          headSha: String(number).padStart(40, "0"),
          externalId: `digest ${number}`,
          isCurrent: async () => !superseded.has(number),
        }),
      );
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
    const outcomes = await Promise.all([1, 2, 3].map((number) => outcomeOf(publish(number))));
    expect(outcomes).toMatchObject([{ checkRunId: 9 }, "superseded", { checkRunId: 9 }]);
  });
});
