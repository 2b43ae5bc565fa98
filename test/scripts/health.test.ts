import { sql } from "kysely";
import { afterEach, expect, it } from "vitest";
import { VERSION } from "../../src/package/version.ts";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";

let world: SimulatedWorld;
afterEach(() => world.ends());

const ask = async (path: string): Promise<[number, string]> => {
  const answer = await world.fetch(`${world.bot.url}${path}`);
  return [answer.status, await answer.text()];
};

it("a bot is ready while its parts work, whatever GitHub's outages, and not with credentials that GitHub rejects", async () => {
  world = await createSimulatedWorld();
  const answersToApp = (status: number) =>
    world.github.faults.add({
      kind: "status",
      status,
      match: { path: /^\/app$/ },
      times: Number.POSITIVE_INFINITY,
    });

  const recovers = answersToApp(503);
  expect(await ask("/readyz")).toEqual([
    200,
    "database ok\nmigrations ok\ngithub ok: GitHub does not answer: status 503\nqueue ok\n",
  ]);
  recovers();
  await world.timePasses(60_000);
  expect(await ask("/readyz")).toEqual([200, "database ok\nmigrations ok\ngithub ok\nqueue ok\n"]);

  /** An answer that is older than a minute is renewed in the background. */
  const isAskedAgain = async () => {
    await world.timePasses(60_000);
    await ask("/readyz");
    await world.settles();
  };
  const isAccepted = answersToApp(401);
  await isAskedAgain();
  const rejected =
    "database ok\nmigrations ok\ngithub failed: the App's credentials are rejected\nqueue ok\n";
  expect(await ask("/readyz")).toEqual([503, rejected]);
  expect(await ask("/livez")).toEqual([200, "ok\n"]);
  expect(await ask("/healthz")).toEqual([200, `ok\ntollgate ${VERSION}\n`]);
  isAccepted();
  await isAskedAgain();
  expect((await ask("/readyz"))[0]).toBe(200);

  await sql`delete from tollgate_migrations where name = (select max(name) from tollgate_migrations)`.execute(
    world.bot.session.store.db,
  );
  expect(await ask("/readyz")).toEqual([
    503,
    "database ok\nmigrations failed: the database lacks some\ngithub ok\nqueue ok\n",
  ]);
});
