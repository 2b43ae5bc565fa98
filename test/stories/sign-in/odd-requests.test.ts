import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { Visitor } from "../../world/visitor.ts";
import { createWorld, type World } from "../../world/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld({
    policy: "version: 1\nrules:\n  - { id: increase, limit: { increase: 100 USD } }\n",
  });
  onTestFinished(() => world.ends());
  await world.opensPlanned();
});

const stripToken = (text: string): string => text.replaceAll(/name="form_token" value="[^"]*"/g, "");

async function describe(visitor: Visitor, path: string): Promise<object> {
  const answer = await visitor.opens(path);
  const headers = Object.fromEntries(answer.headers);
  return { status: answer.status, text: stripToken(await answer.text()), headers: { ...headers, date: "" } };
}

test("while GitHub is silent, a repository that a person may not read answers like one that does not exist", async () => {
  const eve = await world.signsIn("eve", "stranger");
  world.github.faults.add({
    kind: "status",
    status: 502,
    match: { path: /^\/(user|repos|repositories)\// },
    times: Number.POSITIVE_INFINITY,
  });
  for (const path of [
    "/r/acme/shop",
    "/r/acme/shop/pull/1",
    "/r/acme/shop/policy",
    "/o/acme",
    "/api/v1/pulls?repository=acme/shop",
    "/api/v1/repositories/acme/shop/pulls/1/evaluations",
  ])
    expect([path, await describe(eve, path)]).toEqual([
      path,
      await describe(eve, path.replace("acme", "nowhere")),
    ]);
});

test("GitHub is asked as often for a repository that does not exist as for one that a person may not read", async () => {
  const eve = await world.signsIn("eve", "stranger");
  const countQuestions = async (path: string): Promise<number> => {
    const before = world.github.requests.count();
    await eve.opens(path);
    return world.github.requests.count() - before;
  };
  expect(await countQuestions("/r/acme/shop")).toBe(1);
  expect(await countQuestions("/r/nowhere/shop")).toBe(1);
  expect(await countQuestions("/r/Nowhere/shop/rules")).toBe(0);
  expect(await countQuestions("/r/acme/shop/rules")).toBe(0);
});

test("no text in an address makes a page or the API fail", async () => {
  const ada = await world.signsIn("ada");
  const failed: string[] = [];
  for (const path of [
    "/r/acme/shop?text=%00",
    "/r/acme/shop?stage=a%00b",
    "/r/ac%00me/shop",
    "/o/%00",
    "/r/acme/shop/decisions?person=%00",
    "/r/acme/shop/decisions?from=0000-01-01",
    "/r/acme/shop/decisions?to=9999-12-31",
    "/r/acme/shop/decisions?rule=(%5B%5C%7B**",
    "/r/acme/shop?text=%F0%9F%92%A9%E2%80%AE%25_",
    "/r/acme/shop?pulls_page=999999999",
    "/r/acme/shop/pull/1/evaluations/999999999999999",
    "/api/v1/pulls?text=%00",
    "/api/v1/repositories?owner=%00",
    "/api/v1/repositories/acme/%00/pulls/1/evaluations",
    "/api/v1/repositories/acme/shop/pulls/1/evaluations/9007199254740991",
    "/api/v1/pulls?after=999999999999999-999999999",
    "/api/v1/decisions?from=0000-01-01T00:00:00Z",
    "/api/v1/decisions?to=9999-12-31T23:59:59.999Z",
    "/api/v1/decisions?before=9007199254740991",
  ]) {
    const { status } = await ada.opens(path);
    if (status >= 500) failed.push(`${status} ${path}`);
  }
  expect(failed).toEqual([]);
});

test("refusals too are kept by nobody and guessed by no browser", async () => {
  const ada = await world.signsIn("ada");
  const refusals = [
    await ada.opens("/r/acme/shop?text=%00"),
    await ada.opens("/sign-out", { method: "POST", form: {} }),
    await ada.opens("/sign-out", { method: "POST", form: {}, headers: { origin: "https://evil.example" } }),
    await ada.opens("/r/acme/shop/policy", { method: "POST", form: { policy: "x".repeat(300_000) } }),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([400, 403, 403, 413]);
  for (const { headers } of refusals)
    expect([headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual([
      "private, no-store",
      "nosniff",
    ]);
});
