import { pino } from "pino";
import { expect, inject, onTestFinished, test } from "vitest";
import { findFreePort } from "../../src/wiring/process/free-port.ts";
import { startBot } from "../../src/wiring/start.ts";
import { CHEAP } from "../world/costs.ts";
import { freshPostgres } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
`;
const SPACING_MS = 300;
const PULLS = 6;
const server = inject("postgresUrl");

/** A world with two replicas, and checks that are requests of their own. */
async function openReplicas(): Promise<World> {
  const world = await createWorld({
    policy: POLICY,
    databaseUrl: await freshPostgres(server ?? ""),
    settings: { githubWriteSpacingMs: SPACING_MS, githubBatch: false },
  });
  const settings = { ...world.settings, port: await findFreePort() };
  const other = await startBot(settings, { log: pino({ level: "silent" }) });
  onTestFinished(async () => {
    await other.stop();
    await world.ends();
  });
  return world;
}

async function plansTogether(world: World, before: () => void = () => {}) {
  const pulls = Array.from({ length: PULLS }, (_, index) =>
    world.opensPullRequest({ branch: `change-${index}` }),
  );
  await world.settles();
  world.github.requests.clear();
  before();
  await Promise.all(pulls.map(({ headSha: sha }) => world.ci.runs({ sha, cost: CHEAP, changes: [] })));
  return pulls;
}

const listWrites = ({ github }: World) =>
  github.requests.list().filter(({ method, path }) => method !== "GET" && /check-runs|comments/.test(path));

test.runIf(server)("two replicas together write no more often than one", { timeout: 60_000 }, async () => {
  const world = await openReplicas();
  const pulls = await plansTogether(world);
  await world.settles();
  expect(pulls.map((pull) => world.gate(pull))).toEqual(pulls.map(() => "success"));
  const times = listWrites(world).map(({ at }) => at);
  expect(times.length).toBeGreaterThanOrEqual(2 * PULLS);
  const [first = 0, last = 0] = [times.at(0), times.at(-1)];
  // A write may start late, and none of the later ones earlier for it: one distance is left for the lateness of both ends.
  expect(last - first).toBeGreaterThan((times.length - 2) * SPACING_MS);
});

test.runIf(server)(
  "a limit that one replica meets pauses the other one, and all gates come after it",
  { timeout: 60_000 },
  async () => {
    const world = await openReplicas();
    const limit = { kind: "secondary-limit", retryAfter: 5, match: { path: /check-runs/ } } as const;
    const pulls = await plansTogether(world, () => world.github.faults.add(limit));
    await eventually(() => expect(pulls.map((pull) => world.gate(pull))).toEqual(pulls.map(() => "success")));
    const limited = world.github.requests.list().filter(({ status }) => status === 403 || status === 429);
    expect(limited).toHaveLength(1);
    const limitedAt = limited[0]?.at ?? 0;
    const during = listWrites(world).filter(({ at }) => at > limitedAt && at < limitedAt + 4_500);
    expect(during).toEqual([]);
  },
);
