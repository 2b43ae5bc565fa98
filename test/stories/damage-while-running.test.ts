import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CHEAP } from "../world/costs.ts";
import { eventually } from "../world/eventually.ts";
import { createWorld, type World } from "../world/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({
    databaseUrl: null,
    policy: "version: 1\nrules:\n  - { id: monthly-increase, limit: { increase: 100 USD } }\n",
  });
});
afterAll(() => world.ends());

it("a table that is found damaged while Tollgate runs lets no check succeed, and health says it", async () => {
  const { db } = world.bot.session.store;
  await sql`create function fail_as_damaged() returns trigger language plpgsql as
    'begin raise exception ''invalid page in block 0'' using errcode = ''XX001''; end'`.execute(db);
  await sql`create trigger damaged before insert or update on evaluations
    for each row execute function fail_as_damaged()`.execute(db);
  const pull = world.opensPullRequest();
  await world.ci.runs({ sha: pull.headSha, cost: CHEAP, changes: [] });
  await eventually(async () => expect((await fetch(`${world.bot.url}/healthz`)).status).toBe(503));
  expect(["success", "neutral"]).not.toContain(world.gate(pull));
  await sql`drop trigger damaged on evaluations`.execute(db);
});
