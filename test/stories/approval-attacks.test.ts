import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CHEAP } from "../world/costs.ts";
import { eventually } from "../world/eventually.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";
import { type Conversation, evaluatePull, joins } from "./conversation.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops] } }
  - { id: no-deletes, limit: { deletions: 0 }, approve: { permission: maintain, reviews: true } }
`;
const DELETES = { cost: CHEAP, changes: [{ address: "aws_thing.old", change: "deleted" as const }] };

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: POLICY });
  joins(world);
});
afterAll(() => world.ends());
afterEach(() => world.github.deliveries.clearFaults());

/** Something happens that makes the pull request looked at again. */
async function looksAgain(talk: Conversation) {
  world.github.addLabel(talk.pull, { label: `again-${Math.random()}` });
  await world.settles();
}

describe("whoever asks for changes after approving", () => {
  it("has taken the approving review back, and can approve anew", async () => {
    const talk = await evaluatePull(world, DELETES);
    world.github.review(talk.pull, { by: "olga", state: "approved" });
    await world.settles();
    expect(talk.gate()).toBe("success");
    await aSecondPasses();
    world.github.review(talk.pull, {
      by: "olga",
      state: "changes_requested",
      body: "on second thoughts, no",
    });
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    await aSecondPasses();
    world.github.review(talk.pull, { by: "olga", state: "approved" });
    await world.settles();
    expect(talk.gate()).toBe("success");
  });

  it("has not taken anybody else's back", async () => {
    const talk = await evaluatePull(world, DELETES);
    world.github.review(talk.pull, { by: "olga", state: "approved" });
    await world.settles();
    await aSecondPasses();
    world.github.review(talk.pull, { by: "grace", state: "changes_requested" });
    await looksAgain(talk);
    expect(talk.gate()).toBe("success");
  });
});

describe("what GitHub sent no delivery for", () => {
  it("a revoked approval ends at the next evaluation", async () => {
    const talk = await evaluatePull(world);
    await talk.signs("grace", "up to 600 USD fine");
    expect(talk.gate()).toBe("success");
    world.github.deliveries.drop({ event: "issue_comment" });
    await aSecondPasses();
    const comment = await talk.says("grace", "/tollgate revoke");
    expect(talk.gate()).toBe("success");
    world.github.deliveries.clearFaults();
    await looksAgain(talk);
    expect(talk.gate()).toBe("action_required");
    expect(talk.reactions(comment)).toEqual(["+1"]);
  });

  it("a push under another's name excludes its pusher", async () => {
    const talk = await evaluatePull(world);
    const { headRef, headSha } = world.github.pullRequest(talk.pull);
    world.github.deliveries.drop({ event: "pull_request" });
    const { after } = world.github.push({
      repository: REPOSITORY,
      branch: headRef,
      files: { "infra/more.tf": "# more\n" },
      author: "ivan",
      by: "grace",
    });
    world.github.deliveries.clearFaults();
    expect(after).not.toBe(headSha);
    await world.ci.runs({ sha: after, cost: { before: "10", after: "510", change: "500" }, changes: [] });
    await looksAgain(talk);
    const here = { ...talk.pull, headSha: after };
    const said = `/tollgate approve ${after} up to 600 USD fine`;
    const comment = world.github.addComment(here, { by: "grace", body: said });
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    expect(talk.reactions(comment)).toEqual(["-1"]);
    await talk.says("heidi", said);
    expect(talk.gate()).toBe("success");
  });
});

describe("the approval of an approver who is no longer authorized ends", () => {
  const leaves = () =>
    world.github.removeTeamMember({ organisation: "acme", slug: "finops", login: "heidi" });
  const loses = () =>
    world.github.setCollaborator({ repository: REPOSITORY, login: "grace", permission: "read" });

  it("for want of write access", async () => {
    const talk = await evaluatePull(world);
    await talk.signs("grace", "up to 600 USD fine");
    expect(talk.gate()).toBe("success");
    world.github.faults.add({ kind: "status", status: 500, times: 30, match: { path: /collaborators/ } });
    await looksAgain(talk);
    expect(talk.gate()).toBe("success");
    world.github.faults.clear();
    loses();
    await looksAgain(talk);
    expect(talk.gate()).toBe("action_required");
    expect(talk.signatures()).toContain("its approver is no longer authorized");
    world.github.setCollaborator({ repository: REPOSITORY, login: "grace", permission: "write" });
    await looksAgain(talk);
    expect(talk.gate()).toBe("action_required");
  });

  it("for having left the team", async () => {
    const talk = await evaluatePull(world);
    await talk.signs("heidi", "up to 600 USD fine");
    expect(talk.gate()).toBe("success");
    leaves();
    await looksAgain(talk);
    expect(talk.gate()).toBe("action_required");
  });
});

describe("what is read late", () => {
  it("an approval on a closed pull request does not count when it is opened again", async () => {
    const talk = await evaluatePull(world);
    world.github.closePullRequest(talk.pull);
    await world.settles();
    await talk.signs("grace", "up to 600 USD fine");
    await world.timePasses(2 * 3_600_000);
    world.github.reopenPullRequest(talk.pull);
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    expect(talk.answers()[0]).toContain("more than an hour before it could be read");
  });

  it.each([
    ["a second execution deletes more", ["aws_thing.old", "aws_thing.database"], "action_required"],
    ["a second execution deletes the same", ["aws_thing.old"], "success"],
  ])(
    "an approval that is read after %s covers nothing that nobody could have read",
    async (_, deleted, gate) => {
      const talk = await evaluatePull(world, DELETES);
      world.github.deliveries.hold({ event: "issue_comment" });
      world.github.addComment(talk.pull, {
        by: "olga",
        body: `/tollgate approve ${talk.pull.headSha} the old one may go`,
      });
      await aSecondPasses();
      const changes = deleted.map((address) => ({ address, change: "deleted" as const }));
      await world.ci.runs({ sha: talk.pull.headSha, cost: CHEAP, changes });
      await eventually(() => expect(world.comment(talk.pull)).toContain(deleted.at(-1)));
      await world.github.deliveries.release();
      await world.settles();
      expect(talk.gate()).toBe(gate);
      if (gate === "success") return;
      expect(talk.answers()[0]).toContain("older than the evaluation");
      await talk.signs("olga", "both may go");
      expect(talk.gate()).toBe("success");
    },
  );

  it("an approval that was revoked before its delivery came does not count", async () => {
    const talk = await evaluatePull(world);
    world.github.deliveries.drop({ event: "issue_comment" }, 1);
    const comment = await talk.signs("grace", "up to 600 USD fine");
    await talk.says("grace", "/tollgate revoke");
    const lost = world.github.deliveries
      .list({ event: "issue_comment" })
      .filter(({ state }) => state === "dropped")
      .at(-1);
    await world.github.deliveries.redeliver(lost?.id ?? 0);
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    expect(talk.reactions(comment)).toEqual(["-1"]);
  });
});

it("somebody who writes without end is answered twenty times in an hour, and nobody waits behind it", async () => {
  const talk = await evaluatePull(world);
  world.github.deliveries.hold({ event: "issue_comment" });
  for (let count = 0; count < 60; count++)
    world.github.addComment(talk.pull, { by: "mallory", body: "/tollgate revoke" });
  const signed = `/tollgate approve ${talk.pull.headSha} up to 600 USD fine`;
  world.github.addComment(talk.pull, { by: "grace", body: signed });
  await world.github.deliveries.release();
  await world.settles();
  expect(talk.answers()).toHaveLength(20);
  expect(talk.gate()).toBe("success");
});

it("a reason that is cut within a character is stored all the same", async () => {
  const talk = await evaluatePull(world);
  await talk.signs("grace", `up to 600 USD ${"x".repeat(499)}😀 and more`);
  expect(talk.gate()).toBe("success");
});

/** GitHub tells when a review was written in whole seconds. */
const aSecondPasses = () => new Promise((resolve) => setTimeout(resolve, 1_100));
