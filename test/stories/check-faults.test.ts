import { afterAll, beforeAll, expect, it } from "vitest";
import { CHEAP, EXPENSIVE, STRICT } from "../world/costs.ts";
import { eventually } from "../world/eventually.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";

const MINUTE = 60_000;
const ANSWERS = [
  { status: 404, message: "Not Found" },
  { status: 403, message: "Resource not accessible by integration" },
  { status: 422, message: "Validation Failed" },
];
const CREATE = { method: "POST", path: /\/check-runs$/ };
const UPDATE = { method: "PATCH", path: /\/check-runs\/\d+$/ };

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: STRICT });
});
afterAll(() => world.ends());

it.each(ANSWERS)("a single $status to a check run costs a moment, no check", async (answer) => {
  const created = world.opensPullRequest();
  await world.github.deliveries.settled();
  world.github.faults.add({ kind: "status", ...answer, match: CREATE });
  await world.plans(created, EXPENSIVE);
  expect(world.gate(created)).toBe("failure");
  world.github.faults.add({ kind: "status", ...answer, match: UPDATE });
  await world.plans(created, CHEAP);
  expect(world.gate(created)).toBe("success");
});

it.each(ANSWERS)(
  "a $status to every check run for a while costs no check: the sweep shows it when that ends",
  { timeout: 60_000 },
  async (answer) => {
    const [created, updated] = [world.opensPullRequest(), world.opensPullRequest()];
    await world.plans(updated, CHEAP);
    expect(world.gate(updated)).toBe("success");
    for (const match of [CREATE, UPDATE])
      world.github.faults.add({ kind: "status", ...answer, match, times: Infinity });
    for (const { headSha: sha } of [created, updated])
      await world.ci.runs({ sha, cost: EXPENSIVE, changes: [] });
    await world.settles();
    world.github.faults.clear();
    await world.timePasses(4 * MINUTE);
    await world.bot.sweep();
    await world.settles();
    expect([created, updated].map((pull) => world.gate(pull))).toEqual(["failure", "failure"]);
  },
);

it.each(ANSWERS)(
  "a single $status to the check of a merge group costs a moment, no check",
  async (answer) => {
    const pull = await world.opensPlanned(CHEAP);
    world.github.faults.add({ kind: "status", ...answer, match: CREATE });
    const group = world.github.addToMergeQueue([pull]);
    await world.settles();
    expect(world.gate(group)).toBe("success");
    world.github.destroyMergeGroup(group.id, "dequeued");
    await world.settles();
  },
);

it.each(ANSWERS)(
  "a $status to the check of a merge group for a while costs no check: it is written a quarter of an hour later",
  { timeout: 60_000 },
  async (answer) => {
    const pull = await world.opensPlanned(CHEAP);
    world.github.faults.add({ kind: "status", ...answer, match: CREATE, times: Infinity });
    const group = world.github.addToMergeQueue([pull]);
    await world.settles();
    world.github.faults.clear();
    expect(world.gate(group)).toBeNull();
    await world.timePasses(16 * MINUTE);
    await eventually(() => expect(world.gate(group)).toBe("success"));
    world.github.destroyMergeGroup(group.id, "dequeued");
    await world.settles();
  },
);

it.each(ANSWERS)(
  "a single $status does not leave a success under a name that the policy gave up",
  async (answer) => {
    const base = `named-${answer.status}`;
    const named = (name: string) => ({
      ".github/tollgate.yml": `${STRICT}check_names:\n  - { branch: "**", name: ${name} }\n`,
    });
    world.github.push({ repository: REPOSITORY, branch: base, files: named("old") });
    await world.settles();
    const pull = await world.opensPlanned(CHEAP, { base });
    expect(world.gate(pull, "old")).toBe("success");
    world.github.faults.add({ kind: "status", ...answer, match: UPDATE });
    world.github.push({ repository: REPOSITORY, branch: base, files: named("new") });
    await world.settles();
    expect([world.gate(pull, "old"), world.gate(pull, "new")]).toEqual(["failure", "success"]);
  },
);
