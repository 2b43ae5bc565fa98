import { sql } from "kysely";
import { afterEach, expect, it } from "vitest";
import { VERSION } from "../../src/package/version.ts";
import { eventually } from "../world/eventually.ts";
import { movableClock } from "../world/time.ts";
import { createWorld, type World } from "../world/world.ts";

let world: World;
afterEach(() => world.ends());

const ask = async (path: string): Promise<[number, string]> => {
  const answer = await fetch(`${world.bot.url}${path}`);
  return [answer.status, await answer.text()];
};

it("a bot is ready while its parts work, whatever GitHub's outages, and not with credentials that GitHub rejects", async () => {
  const clock = movableClock();
  world = await createWorld({ clock });
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
  clock.moves(60_000);
  expect(await ask("/readyz")).toEqual([200, "database ok\nmigrations ok\ngithub ok\nqueue ok\n"]);

  const isAccepted = answersToApp(401);
  clock.moves(60_000);
  const rejected =
    "database ok\nmigrations ok\ngithub failed: the App's credentials are rejected\nqueue ok\n";
  await eventually(async () => expect(await ask("/readyz")).toEqual([503, rejected]));
  expect(await ask("/livez")).toEqual([200, "ok\n"]);
  expect(await ask("/healthz")).toEqual([200, `ok\ntollgate ${VERSION}\n`]);
  isAccepted();
  clock.moves(60_000);
  await eventually(async () => expect((await ask("/readyz"))[0]).toBe(200));

  await sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(
    world.bot.session.store.db,
  );
  expect(await ask("/readyz")).toEqual([
    503,
    "database ok\nmigrations failed: the database lacks some\ngithub ok\nqueue ok\n",
  ]);
});
