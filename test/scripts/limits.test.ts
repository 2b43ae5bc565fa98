import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { Conversation, evaluatePull, joins } from "../world/conversation.ts";
import { EXPENSIVE } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops] } }
`;

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: POLICY });
  joins(world);
});
afterAll(() => world.ends());
afterEach(() => world.github.deliveries.clearFaults());

async function isEvaluatedAgain({ pull }: Conversation) {
  world.github.addLabel(pull, { label: `again-${world.github.requests.count()}` });
  await world.settles();
}

it("a pull request of 250 commits, which may be more, fails from the start, asks nobody for an approval, and says to squash it", async () => {
  world.github.deliveries.drop({ event: "push" });
  const branch = "long";
  for (let i = 0; i < 250; i += 1)
    world.github.push({ repository: REPOSITORY, branch, files: { "infra/long.tf": `# ${i}\n` } });
  world.github.deliveries.clearFaults();
  const pull = world.github.openPullRequest({ repository: REPOSITORY, head: branch, title: "Long" });
  await world.ci.runs({ sha: pull.headSha, cost: EXPENSIVE, changes: [] });
  await world.settles();
  const talk = new Conversation(world, pull);
  const isRefused = () => {
    expect(talk.gate()).toBe("failure");
    expect(talk.report()).toContain("Squash it into fewer commits");
    expect(talk.report()).not.toMatch(/[^`]@acme\/finops/);
  };
  isRefused();
  await talk.signs("grace", "up to 600 USD fine");
  isRefused();
  await isEvaluatedAgain(talk);
  isRefused();
});

it("a pull request whose contributors turned out to be unknown keeps failing until it is squashed", async () => {
  const talk = await evaluatePull(world);
  const { headRef } = world.github.pullRequest(talk.pull);
  const message = `Together\n\n${Array.from({ length: 21 }, (_, i) => `Co-authored-by: x <${i + 1}+x@users.noreply.github.com>`).join("\n")}`;
  const files = { "infra/more.tf": "# more\n" };
  const isPriced = async (sha: string) => {
    await world.ci.runs({ sha, cost: EXPENSIVE, changes: [] });
    await world.settles();
  };
  const { after } = world.github.push({ repository: REPOSITORY, branch: headRef, files, message });
  await isPriced(after);
  await world.timePasses(1_100);
  await talk.says("grace", `/tollgate approve ${after} up to 600 USD fine`);
  expect(talk.gate()).toBe("failure");
  await isEvaluatedAgain(talk);
  expect(talk.gate()).toBe("failure");
  await isPriced(world.github.forcePush({ repository: REPOSITORY, branch: headRef, files }).after);
  await isEvaluatedAgain(talk);
  expect(talk.gate()).toBe("action_required");
});

it("a check that waits where GitHub does not list all changed files says so, and the way out", async () => {
  const files = Object.fromEntries(Array.from({ length: 3_050 }, (_, i) => [`docs/${i}.md`, "x\n"]));
  const pull = world.opensPullRequest({ files });
  await world.settles();
  const said = /GitHub lists only the first 3,000 changed files.*split the pull request/;
  expect(world.gate(pull)).toBe("in_progress");
  expect(world.checkOf(pull).output.summary).toMatch(said);
  await world.timePasses(2 * 3_600_000 + 1_000);
  await world.settles();
  expect(world.gate(pull)).toBe("failure");
  expect(world.checkOf(pull).output.summary).toMatch(said);
});
