import { pino } from "pino";
import { expect, inject, onTestFinished, test } from "vitest";
import { findFreePort } from "../../src/wiring/process/free-port.ts";
import { startBot } from "../../src/wiring/start.ts";
import { CHEAP } from "../world/costs.ts";
import { freshPostgres } from "../world/engines.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
`;
const server = inject("postgresUrl");

const countMinted = ({ github }: World): number =>
  github.requests.count({ method: "POST", path: /\/access_tokens$/ });
const countCoverageReads = ({ github }: World): number =>
  github.requests.count({ method: "GET", path: /^\/app\/installations\/\d+$/ });

async function opensPassing(world: World): Promise<void> {
  const pull = await world.opensPlanned(CHEAP);
  expect(world.gate(pull)).toBe("success");
}

/** A token that was requested while the installation was announced is not shared: the next process requests one that is. */
async function hasSharedToken(world: World): Promise<void> {
  await opensPassing(world);
  await world.restarts();
  await opensPassing(world);
  world.github.requests.clear();
}

test("a process that is restarted requests no access token and does not read again which repositories are covered", async () => {
  const world = await createWorld({ policy: POLICY });
  onTestFinished(() => world.ends());
  await hasSharedToken(world);
  await world.restarts();
  await opensPassing(world);
  expect([countMinted(world), countCoverageReads(world)]).toEqual([0, 0]);
});

test("a token that GitHub rejects is replaced, and a later process uses the new one", async () => {
  const world = await createWorld({ policy: POLICY });
  onTestFinished(() => world.ends());
  await opensPassing(world);
  world.github.requests.clear();
  world.github.faults.add({ kind: "status", status: 401, match: { path: /graphql/ } });
  await opensPassing(world);
  expect(countMinted(world)).toBe(1);
  await world.restarts();
  await opensPassing(world);
  expect(countMinted(world)).toBe(1);
});

test.runIf(server)("replicas use one access token of an installation", async () => {
  const world = await createWorld({ policy: POLICY, databaseUrl: await freshPostgres(server ?? "") });
  await hasSharedToken(world);
  const settings = { ...world.settings, port: await findFreePort() };
  const others = [
    await startBot(settings, { log: pino({ level: "silent" }), role: "worker" }),
    await startBot(settings, { log: pino({ level: "silent" }), role: "worker" }),
  ];
  onTestFinished(async () => {
    for (const other of others) await other.stop();
    await world.ends();
  });
  for (const _ of [1, 2, 3, 4, 5, 6]) await opensPassing(world);
  expect(countMinted(world)).toBe(0);
});
