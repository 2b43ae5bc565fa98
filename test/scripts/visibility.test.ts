import { expect, it, onTestFinished } from "vitest";
import type { SandboxPull } from "../../sandbox/state/records.ts";
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

/** What everybody reads of a pull request: its comments and its check, without ids, and without what the head's own file says. */
function readsAll(world: SimulatedWorld, pull: SandboxPull): string {
  const { output, externalId, conclusion } = world.checkOf(world.github.pullRequest(pull));
  const text = [...world.comments(pull), conclusion, output.title, output.summary, output.text].join("\n");
  expect(externalId).toMatch(/^[0-9a-f]{32}$/);
  return text
    .replaceAll(/\b[0-9a-f]{40}\b|\b[0-9a-f]{8}(-[0-9a-f]{4,12})*\b/g, "…")
    .replaceAll(/\d+ \w+ ago|\d\d:\d\d(:\d\d)?/g, "…");
}

it("limits that pushes to a public repository propose one after the other do not tell the cost of the pull request", async () => {
  const told = async (visibility: "private" | "public") => {
    const world = await createSimulatedWorld({ policy: POLICY, visibility });
    onTestFinished(() => world.ends());
    const pull = world.opensPullRequest({ branch: "bisect" });
    const texts: string[] = [];
    for (const limit of [499, 501]) {
      const files = { ".github/tollgate.yml": POLICY.replace("900", String(limit)) };
      world.github.push({ repository: REPOSITORY, branch: "bisect", files });
      await world.plans(world.github.pullRequest(pull), EXPENSIVE);
      texts.push(readsAll(world, pull));
    }
    return texts;
  };
  const [below, above] = await told("private");
  expect(below).not.toBe(above);
  const [first, second] = await told("public");
  expect(first).toContain("This pull request edits the policy");
  expect(first).toBe(second);
});

it("what an edited policy would have decided in private is read nowhere once the repository is public", async () => {
  const world = await createSimulatedWorld({ policy: POLICY });
  onTestFinished(() => world.ends());
  await world.opensPlanned(EXPENSIVE);
  const files = { ".github/tollgate.yml": POLICY.replace("900", "1") };
  const pull = await world.opensPlanned(EXPENSIVE, { files });
  const TRIAL = /it would be blocked|would be blocked instead/;
  expect(readsAll(world, pull)).toMatch(TRIAL);
  world.github.setVisibility({ repository: REPOSITORY, visibility: "public" });
  const eve = await world.signsIn("eve", "stranger");
  const page = `/r/acme/shop/pull/${pull.number}`;
  expect(await eve.reads(page)).not.toMatch(TRIAL);
  await world.settles();
  expect(readsAll(world, pull)).not.toMatch(TRIAL);
  expect(readsAll(world, pull)).not.toMatch(/500\.00/);
  expect(await eve.reads(page)).not.toMatch(TRIAL);
});

it("the id that a public repository's check carries is the same for every hidden cost", async () => {
  const ids = async (visibility: "private" | "public") => {
    const found = new Set<string | null>();
    for (const change of ["500", "500.01"]) {
      const world = await createSimulatedWorld({ policy: POLICY, visibility });
      onTestFinished(() => world.ends());
      const cost = { before: "10", after: String(10 + Number(change)), change };
      found.add(world.checkOf(await world.opensPlanned(cost)).externalId);
    }
    return found.size;
  };
  expect([await ids("private"), await ids("public")]).toEqual([2, 1]);
});
