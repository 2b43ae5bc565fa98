import { expect, onTestFinished, test } from "vitest";
import { createToken } from "../../src/store/tokens.ts";
import { createWorld } from "../world/world.ts";

const POLICY = "version: 1\nrules:\n  - id: monthly-increase\n    limit: { increase: 500 USD }\n";
const PULLS = "/api/v1/pulls";

test("a read token reads the pull requests of its repository; a wrong one, or one for another purpose, reads nothing", async () => {
  const world = await createWorld({ policy: POLICY });
  onTestFinished(() => world.ends());
  const pull = await world.opensPlanned();
  await world.settles();
  const { store, clock } = world.bot.session;
  const account = world.settings.platform.account;
  const make = (repositoryId: number) =>
    createToken(store.db, { purpose: "read", account, repositoryId, ownerId: null }, clock);
  const mine = await make(pull.repositoryId);
  const others = await make(pull.repositoryId + 1_000);
  const api = await createToken(store.db, { purpose: "api", account }, clock);
  const ask = (secret: string, path = PULLS) =>
    world.visits().opens(path, { headers: { authorization: `Bearer ${secret}` } });

  const rows: unknown = await (await ask(mine.secret)).json();
  expect(rows).toMatchObject([{ repository: "acme/shop", number: pull.number, outcome: "pass" }]);
  expect(await (await ask(others.secret)).json()).toEqual([]);
  expect((await ask(others.secret, `${PULLS}?repository=acme/shop`)).status).toBe(404);
  for (const secret of [api.secret, `${mine.secret}x`, ""]) expect((await ask(secret)).status).toBe(401);
  expect((await ask(mine.secret, "/operator")).status).toBe(404);
});

test("a person reads the API with their session, and a stranger reads nothing of the repository", async () => {
  const world = await createWorld({ policy: POLICY });
  onTestFinished(() => world.ends());
  const pull = await world.opensPlanned();
  await world.settles();
  const one = `/api/v1/repositories/acme/shop/pulls/${pull.number}/evaluations/latest`;
  const ada = await world.signsIn("ada");
  expect(await (await ada.opens(one)).json()).toMatchObject({ number: pull.number, verdict: "pass" });
  const eve = await world.signsIn("eve", "stranger");
  expect((await eve.opens(one)).status).toBe(404);
  expect(await (await eve.opens(PULLS)).json()).toEqual([]);
  expect((await world.visits().opens("/api/v1/openapi.json")).status).toBe(200);
});
