import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHEAP } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";
import { type Conversation, evaluatePull, joins } from "./conversation.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops] } }
  - { id: no-deletes, limit: { deletions: 0 }, approve: { permission: maintain, reviews: true } }
`;
const STRICT = `version: 1
rules:
  - id: monthly-increase
    limit: { increase: 100 USD }
    approve: { all: [{ teams: [finops], count: 2 }, { users: [Ivan] }] }
`;
const DELETED = [{ address: "aws_thing.old", change: "deleted" as const }];

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: POLICY });
  joins(world);
  world.github.push({ repository: REPOSITORY, branch: "strict", files: { ".github/tollgate.yml": STRICT } });
});
afterAll(() => world.ends());

/** Another commit on the pull request, by whoever. */
async function pushes(talk: Conversation, cost = CHEAP, by?: string) {
  const { headRef } = world.github.pullRequest(talk.pull);
  const { after } = world.github.push({
    repository: REPOSITORY,
    branch: headRef,
    files: { "infra/more.tf": `# ${Math.random()}\n` },
    ...(by ? { by } : {}),
  });
  await world.ci.runs({ sha: after, cost, changes: [] });
  await world.settles();
}
const priced = (change: string) => ({ before: "10", after: String(10 + Number(change)), change });

describe("an approval of an amount", () => {
  it("opens the gate, survives what stays under the amount, and lapses for good above it", async () => {
    const talk = await evaluatePull(world);
    expect(talk.gate()).toBe("action_required");
    expect(talk.report()).toContain(`/tollgate approve ${talk.pull.headSha} up to 500.00 USD REASON`);
    const comment = await talk.signs("grace", "up to 600 USD load test until May");
    expect(talk.gate()).toBe("success");
    expect(talk.reactions(comment)).toEqual(["+1"]);
    expect(talk.answers()).toEqual([]);
    expect(talk.signatures().replace(/on .*:/, "on DAY:")).toMatchInlineSnapshot(
      `"- ☑️ \`grace\` approved \`monthly-increase\` up to **$600.00** per month on DAY: load test until May"`,
    );
    await pushes(talk, priced("599"));
    expect(talk.gate()).toBe("success");
    await pushes(talk, priced("601"));
    expect(talk.gate()).toBe("action_required");
    expect(talk.signatures()).toMatchInlineSnapshot(`
      "- ✍️ \`monthly-increase\` still needs 1 approval from @acme/finops
      - ✖️ The approval of \`monthly-increase\` by \`grace\` is no longer in force: the rule finds more than was approved"
    `);
    await pushes(talk, priced("500"));
    expect(talk.gate()).toBe("action_required");
  });

  it("lapses when its approver pushes", async () => {
    const talk = await evaluatePull(world);
    await talk.signs("grace", "up to 600 USD fine");
    expect(talk.gate()).toBe("success");
    await pushes(talk, priced("500"), "grace");
    expect(talk.gate()).toBe("action_required");
    expect(talk.signatures()).toContain("its approver worked on this pull request");
  });

  it("lapses when the pull request goes into another branch, and when a stage comes along", async () => {
    const talk = await evaluatePull(world);
    world.github.push({ repository: REPOSITORY, branch: "other", files: { ".github/tollgate.yml": POLICY } });
    await talk.signs("grace", "up to 600 USD fine");
    world.github.retargetPullRequest(talk.pull, { base: "other" });
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    world.github.retargetPullRequest(talk.pull, { base: "main" });
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    await talk.signs("grace", "up to 600 USD fine again");
    expect(talk.gate()).toBe("success");
    await world.ci.runs({ sha: talk.pull.headSha, workspace: "staging", cost: CHEAP, changes: [] });
    await world.settles();
    expect(talk.gate()).toBe("action_required");
  });

  it("lapses when another rule is violated", async () => {
    const talk = await evaluatePull(world);
    await talk.signs("grace", "monthly-increase up to 600 USD fine");
    await world.ci.runs({ sha: talk.pull.headSha, cost: priced("500"), changes: DELETED });
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    expect(talk.signatures()).toContain("another rule is violated now");
  });
});

describe("an approval is revoked", () => {
  it.each<[string, (talk: Conversation, id: number) => unknown]>([
    ["by an edit", (_, id) => world.github.editComment(id, { body: "/tollgate approve nothing" })],
    [
      "by somebody else's edit",
      (talk, id) => {
        const { body } = world.github.comments(talk.pull).find((one) => one.id === id) ?? { body: "" };
        return world.github.editComment(id, { body: `${body}!`, by: "olga" });
      },
    ],
    ["by its deletion", (_, id) => world.github.deleteComment(id)],
    ["by its approver's command", (talk) => talk.says("grace", "/tollgate revoke too dear after all")],
  ])("%s", async (_, takesBack) => {
    const talk = await evaluatePull(world);
    const { id } = await talk.signs("grace", "up to 600 USD fine");
    expect(talk.gate()).toBe("success");
    await takesBack(talk, id);
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    expect(talk.signatures()).not.toContain("grace");
  });

  it("without a delivery, at the next evaluation", async () => {
    const talk = await evaluatePull(world);
    const { id } = await talk.signs("grace", "up to 600 USD fine");
    world.github.deliveries.drop({ event: "issue_comment" });
    world.github.deleteComment(id);
    world.github.deliveries.clearFaults();
    world.github.addLabel(talk.pull, { label: "x" });
    await world.settles();
    expect(talk.gate()).toBe("action_required");
  });

  it("by no other person's command, and a new one replaces it", async () => {
    const talk = await evaluatePull(world);
    await talk.signs("grace", "up to 600 USD fine");
    await talk.says("heidi", "/tollgate revoke");
    expect(talk.gate()).toBe("success");
    expect(talk.answers()).toMatchInlineSnapshot(`
      [
        "You have no approval and no override in force on this pull request, so there is nothing to revoke.",
      ]
    `);
    await talk.signs("grace", "up to 550 USD less");
    await pushes(talk, priced("580"));
    expect(talk.gate()).toBe("action_required");
  });
});

it("two groups, one of them of two people, are filled one by one", async () => {
  const talk = await evaluatePull(world, {}, { base: "strict" });
  await talk.signs("grace", "up to 500 USD one");
  expect(talk.signatures().replace(/on .*:/, "on DAY:")).toMatchInlineSnapshot(`
    "- ✍️ \`monthly-increase\` still needs 1 approval from @acme/finops, and 1 approval from @ivan
    - ☑️ \`grace\` approved \`monthly-increase\` up to **$500.00** per month on DAY: one"
  `);
  await talk.signs("grace", "up to 500 USD one again");
  await talk.signs("ivan", "up to 500 USD two");
  expect(talk.gate()).toBe("action_required");
  await talk.signs("heidi", "up to 500 USD three");
  expect(talk.gate()).toBe("success");
});

describe("an approving review", () => {
  const without = { cost: CHEAP, changes: DELETED };

  it("approves where the rule says so, for the head that was reviewed, until it is dismissed or edited", async () => {
    const talk = await evaluatePull(world, without);
    expect(talk.gate()).toBe("action_required");
    world.github.review(talk.pull, { by: "ivan", state: "approved" });
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    const review = world.github.review(talk.pull, { by: "olga", state: "approved", body: "nobody uses it" });
    await world.settles();
    expect(talk.gate()).toBe("success");
    world.github.dismissReview(review.id);
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    const second = world.github.review(talk.pull, { by: "olga", state: "approved" });
    await world.settles();
    expect(talk.gate()).toBe("success");
    world.github.editReview(second.id, "hm");
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    expect(talk.answers()).toEqual([]);
  });

  it("approves no rule that does not ask for reviews, and no amount", async () => {
    const talk = await evaluatePull(world);
    world.github.review(talk.pull, { by: "grace", state: "approved", body: "up to 600 USD" });
    await world.settles();
    expect(talk.gate()).toBe("action_required");
  });

  it("approves nothing when the head moved before its delivery came", async () => {
    const talk = await evaluatePull(world, without);
    world.github.deliveries.hold({ event: "pull_request_review" });
    world.github.review(talk.pull, { by: "olga", state: "approved" });
    await pushes(talk);
    await world.github.deliveries.release();
    await world.ci.runs({ sha: world.github.pullRequest(talk.pull).headSha, ...without });
    await world.settles();
    expect(talk.gate()).toBe("action_required");
  });
});
