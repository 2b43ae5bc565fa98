import { afterAll, beforeAll, expect, it } from "vitest";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
`;
const CHEAP = { previous: "10", current: "20", change: "10" };
const DEAR = { previous: "10", current: "510", change: "500" };

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: POLICY });
});
afterAll(() => world.ends());

async function judged(cost: typeof CHEAP) {
  const pull = world.opensPullRequest();
  await world.ci.runs({ sha: pull.headSha, cost, changes: [] });
  await world.settles();
  return pull;
}

it("a group passes when every pull request in it passed at its queued head", async () => {
  const pulls = [await judged(CHEAP), await judged(CHEAP)];
  const group = world.github.addToMergeQueue(pulls);
  await world.settles();
  expect(world.gate(group)).toBe("success");
  expect(world.github.groupMergeability(group.id).allowed).toBe(true);
  world.github.destroyMergeGroup(group.id, "dequeued");
  await world.settles();
});

it("a group with one that did not pass is held, and says which", async () => {
  const [cheap, dear] = [await judged(CHEAP), await judged(DEAR)];
  const group = world.github.addToMergeQueue([cheap, dear]);
  await world.settles();
  expect(world.gate(group)).toBe("failure");
  expect(world.checkOf(group).output.summary).toContain(`#${dear.number}`);
  expect(world.checkOf(group).output.summary).not.toContain(`#${cheap.number}`);
  world.github.destroyMergeGroup(group.id, "dequeued");
  await world.settles();
});

it("a verdict made under another policy does not carry a group", async () => {
  const pull = await judged(CHEAP);
  world.github.deliveries.drop({ event: "push" });
  world.github.push({
    repository: REPOSITORY,
    branch: "main",
    files: { ".github/tollgate.yml": POLICY.replace("100", "5") },
  });
  world.github.deliveries.calm();
  const group = world.github.addToMergeQueue([pull]);
  await world.settles();
  expect(world.gate(group)).toBe("failure");
});
