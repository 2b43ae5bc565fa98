import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { type Conversation, evaluatePull, joins } from "../world/conversation.ts";
import { CHEAP } from "../world/costs.ts";
import { OWNER, REPOSITORY } from "../world/places.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops], objections: block } }
  - { id: no-deletes, limit: { deletions: 0 }, approve: { teams: [security] } }
override: { users: [olga] }
`;

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: POLICY });
  joins(world);
});
afterAll(() => world.ends());
afterEach(() => world.github.faults.clear());

async function reviews({ pull }: Conversation, by: string, state: "approved" | "changes_requested") {
  await world.timePasses(1_100); // GitHub states whole seconds
  const review = world.github.review(pull, { by, state });
  await world.settles();
  return review;
}

/** What the history says of the rules at its newest evaluation. */
async function newestRules({ pull }: Conversation): Promise<unknown> {
  const reader = await world.signsIn("ada");
  const path = `/r/${REPOSITORY}/pull/${pull.number}?view=history&format=json`;
  const lines = (await (await reader.opens(path)).json()) as { rules: string }[];
  return lines[0]?.rules;
}

it("changes that an approver requests hold a check that would pass, until they approve or the review is dismissed", async () => {
  const talk = await evaluatePull(world, { cost: CHEAP });
  expect(talk.gate()).toBe("success");
  await reviews(talk, "grace", "changes_requested");
  expect(talk.gate()).toBe("failure");
  expect(world.checkOf(talk.pull).output.title).toBe(
    "Blocked by requested changes: +$10.00 per month (+100%)",
  );
  expect(talk.report()).toContain(
    "- ⛔ `monthly-increase`: `@grace` requested changes, which holds the check until the review is dismissed or its author approves; the rule itself is met",
  );
  expect(await newestRules(talk)).toBe("blocked: monthly-increase");
  await reviews(talk, "grace", "approved");
  expect([talk.gate(), await newestRules(talk)]).toEqual(["success", ""]);
  const again = await reviews(talk, "grace", "changes_requested");
  expect(talk.gate()).toBe("failure");
  world.github.dismissReview(again.id);
  await world.settles();
  expect(talk.gate()).toBe("success");
});

it("no approval lets pass what another approver objects to, and an override does", async () => {
  const talk = await evaluatePull(world);
  await reviews(talk, "heidi", "changes_requested");
  await talk.signs("grace", "up to 600 USD load test");
  expect(talk.gate()).toBe("failure");
  expect(talk.report()).toContain("`@heidi` requested changes");
  expect(await newestRules(talk)).toBe("blocked: monthly-increase");
  await world.timePasses(1_100);
  await talk.says("olga", `/tollgate override ${talk.pull.headSha} the site is down`);
  expect(talk.gate()).toBe("success");
});

it("others who request changes hold nothing: no approver, an approver of another rule, or one who cannot write", async () => {
  const talk = await evaluatePull(world, { cost: CHEAP });
  for (const login of ["olga", "ivan", "mallory"]) await reviews(talk, login, "changes_requested");
  expect(talk.gate()).toBe("success");
});

it("an objection outlives a push, also by its author, and ends when its author leaves the approvers", async () => {
  const talk = await evaluatePull(world, { cost: CHEAP });
  await reviews(talk, "heidi", "changes_requested");
  const { headRef } = world.github.pullRequest(talk.pull);
  const files = { "infra/more.tf": "#\n" };
  const { after } = world.github.push({ repository: REPOSITORY, branch: headRef, files, by: "heidi" });
  await world.ci.runs({ sha: after, cost: CHEAP, changes: [] });
  await world.settles();
  expect(talk.gate()).toBe("failure");
  world.github.removeTeamMember({ organisation: OWNER, slug: "finops", login: "heidi" });
  world.github.addLabel(talk.pull, { label: "again" });
  await world.settles();
  expect(talk.gate()).toBe("success");
});

it("somebody of whom GitHub does not say whether they are an approver holds the check", async () => {
  const talk = await evaluatePull(world, { cost: CHEAP });
  world.github.faults.add({ kind: "status", status: 403, match: { path: /\/teams\/finops\/memberships\// } });
  await reviews(talk, "ivan", "changes_requested");
  expect(talk.gate()).toBe("failure");
  expect(talk.report()).toContain("and GitHub does not say whether they may approve this rule");
});
