import { expect, onTestFinished, test } from "vitest";
import { CHEAP, EXPENSIVE } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World, type WorldOptions } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
`;
const WRITE_SPACING_MS = 300;

async function openWorld(options: Partial<WorldOptions> = {}): Promise<World> {
  const world = await createWorld({
    policy: POLICY,
    ...options,
    settings: { githubWriteSpacingMs: WRITE_SPACING_MS, ...options.settings },
  });
  onTestFinished(() => world.ends());
  return world;
}

/** Requests that write checks, by their route or operation. */
const listCheckWrites = (world: World): readonly string[] =>
  world.github.requests
    .list()
    .filter(
      ({ method, path, operation }) => method !== "GET" && (/check-runs/.test(path) || operation === "Batch"),
    )
    .map(({ method, operation }) => operation ?? method);

const COUNT = 8;

/** Pull requests whose plans end at the same time; every second one costs too much. */
async function plansTogether(world: World) {
  const pulls = Array.from({ length: COUNT }, (_, index) => ({
    ...world.opensPullRequest({ branch: `change-${index}` }),
    cost: index % 2 === 0 ? CHEAP : EXPENSIVE,
  }));
  await world.settles();
  world.github.requests.clear();
  await Promise.all(pulls.map(({ headSha: sha, cost }) => world.ci.runs({ sha, cost, changes: [] })));
  return pulls;
}

type Planned = Awaited<ReturnType<typeof plansTogether>>;

const gates = (world: World, pulls: Planned) => pulls.map((pull) => world.gate(pull));
const EXPECTED = Array.from({ length: COUNT }, (_, index) => (index % 2 === 0 ? "success" : "failure"));

function expectOneRunEach(world: World, pulls: Planned): void {
  for (const { headSha: sha } of pulls) {
    expect(world.github.checkRuns({ repository: REPOSITORY, sha, appId: world.appId })).toHaveLength(1);
  }
}

test("pull requests that are decided at the same time get their gates in few requests, each its own verdict", async () => {
  const world = await openWorld();
  const pulls = await plansTogether(world);
  await world.settles();
  expect(gates(world, pulls)).toEqual(EXPECTED);
  const writes = listCheckWrites(world);
  expect(writes).toContain("Batch");
  expect(writes.length).toBeLessThan(COUNT);
  expectOneRunEach(world, pulls);
});

test.each([
  ["that GitHub performed but whose answer was lost", { kind: "lost-response-after-write" }],
  ["that never reached GitHub", { kind: "reset" }],
  ["that GitHub answered with half of a body", { kind: "truncate" }],
  ["that GitHub limited", { kind: "secondary-limit", retryAfter: 1 }],
] as const)("a request for many gates %s leaves no gate open or doubled", async (_case, fault) => {
  const world = await openWorld();
  world.github.faults.add({ ...fault, match: { body: /mutation Batch/ } });
  const pulls = await plansTogether(world);
  await world.settles();
  expect(world.github.faults.hits()).toBeGreaterThan(0);
  expect(gates(world, pulls)).toEqual(EXPECTED);
  expectOneRunEach(world, pulls);
});

test("every gate is a request of its own where the operator wants it", async () => {
  const world = await openWorld({ settings: { githubBatch: false, githubWriteSpacingMs: 50 } });
  const pulls = await plansTogether(world);
  await world.settles();
  expect(gates(world, pulls)).toEqual(EXPECTED);
  expect(listCheckWrites(world)).not.toContain("Batch");
});
