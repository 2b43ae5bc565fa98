import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CHEAP, EXPENSIVE } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";
import { type Conversation, evaluatePull, joins } from "./conversation.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops], users: [ivan] } }
request_reviewers: true
`;

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: POLICY });
  joins(world);
});
afterAll(() => world.ends());
afterEach(() => world.github.faults.clear());

const requested = ({ pull }: Conversation) => world.github.requestedReviewers(pull).toSorted();

async function becomes(talk: Conversation, cost: typeof CHEAP) {
  await world.ci.runs({ sha: world.github.pullRequest(talk.pull).headSha, cost, changes: [] });
  await world.settles();
}

describe("approvers are requested as reviewers", () => {
  it("when their approval is needed, and withdrawn when it is not needed any more", async () => {
    const talk = await evaluatePull(world);
    expect(requested(talk)).toEqual(["acme/finops", "ivan"]);
    await becomes(talk, CHEAP);
    expect(talk.gate()).toBe("success");
    expect(requested(talk)).toEqual([]);
  });

  it("once: whoever somebody removed is not requested again, until a new need", async () => {
    const talk = await evaluatePull(world);
    world.github.withdrawReviewers(talk.pull, { users: ["ivan"], teams: [] });
    await becomes(talk, { before: "10", after: "520", change: "510" });
    expect(requested(talk)).toEqual(["acme/finops"]);
    await becomes(talk, CHEAP);
    await becomes(talk, EXPENSIVE);
    expect(requested(talk)).toEqual(["acme/finops", "ivan"]);
  });

  it("and are withdrawn when one of them approves", async () => {
    const talk = await evaluatePull(world);
    await talk.signs("grace", "up to 600 USD fine");
    expect(talk.gate()).toBe("success");
    expect(requested(talk)).toEqual([]);
  });

  it("but those whom a person requested stay", async () => {
    const pull = world.opensPullRequest();
    world.github.requestReviewers(pull, { users: ["ivan"], teams: [] });
    await world.plans(pull, EXPENSIVE);
    expect(world.github.requestedReviewers(pull)).toEqual(["ivan", "acme/finops"]);
    await world.plans(pull, CHEAP);
    expect(world.github.requestedReviewers(pull)).toEqual(["ivan"]);
  });

  it("but not those who reviewed already, nor in a draft", async () => {
    const pull = world.opensPullRequest();
    world.github.review(pull, { by: "ivan", state: "commented" });
    world.github.convertToDraft(pull);
    await world.plans(pull, EXPENSIVE);
    expect(world.github.requestedReviewers(pull)).toEqual([]);
    world.github.markReadyForReview(pull);
    await world.settles();
    expect(world.github.requestedReviewers(pull)).toEqual(["acme/finops"]);
  });

  it("while others whom GitHub refuses are left out, and the check does not depend on it", async () => {
    const files = { ".github/tollgate.yml": POLICY.replace("[finops]", "[finops, nobody]") };
    world.github.push({ repository: REPOSITORY, branch: "other", files });
    const talk = await evaluatePull(world, {}, { base: "other" });
    expect(talk.gate()).toBe("action_required");
    expect(requested(talk)).toEqual(["acme/finops", "ivan"]);
    const writes = () => world.github.requests.count({ method: "POST", path: /requested_reviewers$/ });
    const before = writes();
    await becomes(talk, { before: "10", after: "520", change: "510" });
    expect(writes()).toBe(before);
  });
});
