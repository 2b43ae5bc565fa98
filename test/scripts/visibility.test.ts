import { expect, it, onTestFinished } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { EXPENSIVE } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

const POLICY = "version: 1\nrules:\n  - id: monthly-increase\n    limit: { increase: 900 USD }\n";

it("an edit of a public repository's policy is not tried on other pull requests: it would tell their cost", async () => {
  const PAST = "the last 1 pull request, without approvals";
  for (const [visibility, isTold] of [
    ["private", true],
    ["public", false],
  ] as const) {
    const world = await createSimulatedWorld({ policy: POLICY, visibility });
    onTestFinished(() => world.ends());
    await world.opensPlanned(EXPENSIVE);
    const files = { ".github/tollgate.yml": POLICY.replace("900", "1") };
    const comment = world.comment(await world.opensPlanned(undefined, { files }));
    expect(comment).toContain("This pull request edits the policy");
    expect([visibility, comment.includes(PAST)]).toEqual([visibility, isTold]);
  }
});

/** A private repository whose only pull request was merged: nothing is evaluated there any more. */
async function mergesAll(): Promise<{ world: SimulatedWorld; page: string }> {
  const world = await createSimulatedWorld({ policy: POLICY });
  onTestFinished(() => world.ends());
  const pull = world.opensPullRequest();
  await world.ci.runs({ sha: pull.headSha, cost: EXPENSIVE, changes: [] });
  await world.settles();
  world.github.mergePullRequest(pull);
  await world.settles();
  return { world, page: `/r/acme/shop/pull/${pull.number}` };
}

it("a repository that becomes public shows nobody an amount from its private time", async () => {
  const { world, page } = await mergesAll();
  const ada = await world.signsIn("ada");
  expect(await ada.reads(page)).toContain("500.00");
  world.github.setVisibility({ repository: REPOSITORY, visibility: "public" });
  await world.settles();
  await expectNoAmount(world, page);
});

it("a repository of which no delivery says that it became public shows none after the next thorough sweep", async () => {
  const { world, page } = await mergesAll();
  world.github.deliveries.drop({ event: "repository" });
  world.github.setVisibility({ repository: REPOSITORY, visibility: "public" });
  await world.bot.sweep();
  await expectNoAmount(world, page);
});

async function expectNoAmount(world: SimulatedWorld, page: string): Promise<void> {
  const eve = await world.signsIn("eve", "stranger");
  for (const path of [page, "/r/acme/shop"]) {
    const answer = await eve.opens(path);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(await answer.text()).not.toMatch(/500\.00|5,000/);
  }
}
