import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { Conversation, evaluatePull, joins } from "../world/conversation.ts";
import { CHEAP } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops, night] } }
  - { id: no-deletes, limit: { deletions: 0 }, approve: { permission: maintain, reviews: true } }
`;
const deletes = (...addresses: readonly string[]) => ({
  cost: CHEAP,
  changes: addresses.map((address) => ({ address, change: "deleted" as const })),
});
const DELETES = deletes("aws_thing.old");

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: POLICY });
  joins(world);
  world.github.createTeam({ organisation: "acme", slug: "night", members: ["judy"] });
  world.github.setCollaborator({ repository: REPOSITORY, login: "judy", permission: "write" });
});
afterAll(() => world.ends());
afterEach(() => {
  world.github.deliveries.clearFaults();
  world.github.faults.clear();
});

/** GitHub states whole seconds. */
const aSecondPasses = () => world.timePasses(1_100);

/** Another commit on the pull request, by whoever. */
async function pushes(talk: Conversation, cost = CHEAP, by?: string) {
  const { headRef } = world.github.pullRequest(talk.pull);
  const files = { "infra/more.tf": `# ${world.github.requests.count()}\n` };
  const { after } = world.github.push({ repository: REPOSITORY, branch: headRef, files, ...(by && { by }) });
  await world.ci.runs({ sha: after, cost, changes: [] });
  await world.settles();
}
const priced = (change: string) => ({ before: "10", after: String(10 + Number(change)), change });

/** Something happens that makes the pull request evaluated again. */
async function isEvaluatedAgain({ pull }: Conversation) {
  world.github.addLabel(pull, { label: `again-${world.github.requests.count()}` });
  await world.settles();
}

async function reviews(
  { pull }: Conversation,
  by: string,
  state: "approved" | "changes_requested",
  body = "",
) {
  await aSecondPasses();
  const review = world.github.review(pull, { by, state, body });
  await world.settles();
  return review;
}

it("an approval of an amount opens the gate, survives what stays under the amount, and lapses for good above it", async () => {
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
    "- ✍️ \`monthly-increase\` still needs 1 approval from @acme/finops or @acme/night
    - ✖️ The approval of \`monthly-increase\` by \`grace\` is no longer in force: the rule finds more than was approved"
  `);
  await pushes(talk, priced("500"));
  expect(talk.gate()).toBe("action_required");
});

it("an approval ends with any edit or the deletion of its comment and with its approver's revocation, and with nobody else's", async () => {
  const talk = await evaluatePull(world);
  const approve = async () => {
    await aSecondPasses();
    const comment = await talk.signs("grace", "up to 600 USD fine");
    expect(talk.gate()).toBe("success");
    return comment;
  };
  const ends = async (trace: string | null) => {
    for (const again of [false, true]) {
      if (again) await isEvaluatedAgain(talk);
      await world.settles();
      expect(talk.gate()).toBe("action_required");
      const ended = "- ✖️ The approval of `monthly-increase` by `grace` is no longer in force: ";
      if (trace !== null) expect(talk.signatures()).toContain(`${ended}${trace}`);
      else expect(talk.signatures().split("\n")[1]).not.toMatch(/revoked/);
    }
  };
  world.github.editComment((await approve()).id, { body: "/tollgate approve nothing" });
  await ends("its comment was edited");
  const { id, body } = await approve();
  world.github.editComment(id, { body: `${body}!`, by: "olga" });
  await ends("its comment was edited");
  world.github.deleteComment((await approve()).id);
  await ends("its comment was deleted");
  await approve();
  await talk.says("heidi", "/tollgate revoke");
  expect(talk.gate()).toBe("success");
  expect(talk.answers()).toEqual([
    "You have no approval and no override in force on this pull request, so there is nothing to revoke.",
  ]);
  await talk.says("grace", "/tollgate revoke too dear after all");
  await ends(null);
});

it("an approval whose end had no delivery ends at the next evaluation", async () => {
  const talk = await evaluatePull(world);
  const { id } = await talk.signs("grace", "up to 600 USD fine");
  world.github.deliveries.drop({ event: "issue_comment" });
  world.github.deleteComment(id);
  world.github.deliveries.clearFaults();
  await isEvaluatedAgain(talk);
  expect(talk.gate()).toBe("action_required");

  await talk.signs("grace", "up to 600 USD fine");
  world.github.deliveries.drop({ event: "issue_comment" });
  await aSecondPasses();
  const revocation = await talk.says("grace", "/tollgate revoke");
  expect(talk.gate()).toBe("success");
  world.github.deliveries.clearFaults();
  await isEvaluatedAgain(talk);
  expect(talk.gate()).toBe("action_required");
  expect(talk.reactions(revocation)).toEqual(["+1"]);
});

it("a new approval replaces the same person's earlier one, and its reason may be cut within a character", async () => {
  const talk = await evaluatePull(world);
  await talk.signs("grace", "up to 600 USD fine");
  await talk.signs("grace", `up to 550 USD ${"x".repeat(499)}😀 and more`);
  expect(talk.gate()).toBe("success");
  await pushes(talk, priced("580"));
  expect(talk.gate()).toBe("action_required");
});

it("an approving review approves where the rule takes reviews, until it is dismissed or edited, or its author requests changes", async () => {
  const talk = await evaluatePull(world, DELETES);
  await reviews(talk, "ivan", "approved");
  expect(talk.gate()).toBe("action_required");
  const dismissed = await reviews(talk, "olga", "approved", "nobody uses it");
  expect(talk.gate()).toBe("success");
  world.github.dismissReview(dismissed.id);
  await world.settles();
  expect(talk.gate()).toBe("action_required");
  const edited = await reviews(talk, "olga", "approved");
  expect(talk.gate()).toBe("success");
  world.github.editReview(edited.id, "hm");
  await world.settles();
  expect(talk.gate()).toBe("action_required");
  await reviews(talk, "olga", "approved");
  await reviews(talk, "grace", "changes_requested");
  expect(talk.gate()).toBe("success");
  await reviews(talk, "olga", "changes_requested", "on second thoughts, no");
  expect(talk.gate()).toBe("action_required");
  await reviews(talk, "olga", "approved");
  expect(talk.gate()).toBe("success");
  expect(talk.answers()).toEqual([]);
});

describe("an approving review that does not count", () => {
  const unplanned = async () => {
    const pull = world.opensPullRequest();
    await world.settles();
    return new Conversation(world, pull);
  };

  it("tells its author why once the verdict is there, if something blocks", async () => {
    const talk = await unplanned();
    world.github.review(talk.pull, { by: "olga", state: "approved" });
    world.github.review(talk.pull, { by: "ivan", state: "approved" });
    await world.settles();
    expect(talk.answers()).toEqual([]);
    await aSecondPasses();
    await world.ci.runs({ sha: talk.pull.headSha, ...DELETES });
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    expect(talk.answers()).toEqual([
      expect.stringMatching(
        /^This approving review is no approval: it is older than the evaluation.*approve again/,
      ),
    ]);
    await reviews(talk, "olga", "approved");
    expect(talk.gate()).toBe("success");
  });

  it("is silent where nothing blocks, and of people whom the policy does not name", async () => {
    const talk = await unplanned();
    world.github.review(talk.pull, { by: "olga", state: "approved" });
    await world.plans(talk.pull);
    expect(talk.gate()).toBe("success");
    const blocked = await evaluatePull(world, DELETES);
    await reviews(blocked, "ivan", "approved", "we may pay up to 900 USD");
    expect([...talk.answers(), ...blocked.answers()]).toEqual([]);
  });

  it("because of an amount that cannot be read says so, and approves nothing", async () => {
    const talk = await evaluatePull(world, DELETES);
    await reviews(talk, "olga", "approved", "we may pay up to 900 USD");
    expect(talk.gate()).toBe("action_required");
    expect(talk.answers()).toEqual([expect.stringContaining("is no amount")]);
  });
});

it("an approving review approves nothing when the head moved before its delivery came", async () => {
  const talk = await evaluatePull(world, DELETES);
  world.github.deliveries.hold({ event: "pull_request_review" });
  world.github.review(talk.pull, { by: "olga", state: "approved" });
  await pushes(talk);
  await world.github.deliveries.release();
  await world.ci.runs({ sha: world.github.pullRequest(talk.pull).headSha, ...DELETES });
  await world.settles();
  expect(talk.gate()).toBe("action_required");
});

it("who pushed under another's name may not approve, even if the push had no delivery", async () => {
  const talk = await evaluatePull(world);
  const { headRef } = world.github.pullRequest(talk.pull);
  world.github.deliveries.drop({ event: "pull_request" });
  const { after } = world.github.push({
    repository: REPOSITORY,
    branch: headRef,
    files: { "infra/more.tf": "# more\n" },
    author: "ivan",
    by: "grace",
  });
  world.github.deliveries.clearFaults();
  await world.ci.runs({ sha: after, cost: priced("500"), changes: [] });
  await isEvaluatedAgain(talk);
  await aSecondPasses();
  const said = `/tollgate approve ${after} up to 600 USD fine`;
  expect(talk.reactions(await talk.says("grace", said))).toEqual(["-1"]);
  expect(talk.gate()).toBe("action_required");
  await talk.says("heidi", said);
  expect(talk.gate()).toBe("success");
});

it("an approval ends when its approver may not write any more or has left the team, but not while GitHub does not say so", async () => {
  const talk = await evaluatePull(world);
  await talk.signs("grace", "up to 600 USD fine");
  const silent = { path: /\/(collaborators|memberships)\// };
  world.github.faults.add({ kind: "status", status: 503, times: 30, match: silent });
  await isEvaluatedAgain(talk);
  expect(talk.gate()).toBe("success");
  world.github.faults.clear();
  const mayOnly = (permission: "read" | "write") =>
    world.github.setCollaborator({ repository: REPOSITORY, login: "grace", permission });
  mayOnly("read");
  await isEvaluatedAgain(talk);
  expect(talk.gate()).toBe("action_required");
  expect(talk.signatures()).toContain("its approver is no longer authorized");
  mayOnly("write");
  await isEvaluatedAgain(talk);
  expect(talk.gate()).toBe("action_required");

  await talk.signs("judy", "up to 600 USD fine");
  expect(talk.gate()).toBe("success");
  world.github.removeTeamMember({ organisation: "acme", slug: "night", login: "judy" });
  await isEvaluatedAgain(talk);
  expect(talk.gate()).toBe("action_required");
});

describe("an approval that is read after a second execution covers nothing that nobody could have read:", () => {
  it.each([
    ["it deletes more", ["aws_thing.old", "aws_thing.database"], "action_required"],
    ["it deletes the same", ["aws_thing.old"], "success"],
  ])("%s", async (_, deleted, gate) => {
    const talk = await evaluatePull(world, DELETES);
    world.github.deliveries.hold({ event: "issue_comment" });
    await talk.signs("olga", "the old one may go");
    await aSecondPasses();
    await world.ci.runs({ sha: talk.pull.headSha, ...deletes(...deleted) });
    await world.settles();
    await world.github.deliveries.release();
    await world.settles();
    expect(talk.gate()).toBe(gate);
    if (gate === "success") return;
    expect(talk.answers()[0]).toContain("older than the evaluation");
    await aSecondPasses();
    await talk.signs("olga", "both may go");
    expect(talk.gate()).toBe("success");
  });
});

describe("while GitHub does not say", () => {
  const NO_PERMISSION =
    "Not approved: it takes at least write permission on this repository, and GitHub does not say that you have it. If you have, write it again in a minute.";
  const NO_TEAM =
    "Not approved: GitHub does not say now whether you belong to those who may approve `monthly-increase`. Write it again in a minute.";
  it.each([
    ["what the approver may do", /\/collaborators\//, NO_PERMISSION],
    ["who is in the team", /\/memberships\//, NO_TEAM],
  ])("%s, nothing is approved, the answer says so, and the next try counts", async (_, path, words) => {
    const talk = await evaluatePull(world);
    world.github.faults.add({ kind: "status", status: 503, times: 10, match: { path } });
    await talk.signs("heidi", "up to 600 USD fine");
    expect([talk.gate(), talk.answers().map((answer) => answer.split("\n")[0])]).toEqual([
      "action_required",
      [words],
    ]);
    world.github.faults.clear();
    await talk.signs("heidi", "up to 600 USD fine");
    expect(talk.gate()).toBe("success");
    expect(talk.answers()).toHaveLength(1);
  });
});

it("somebody who writes without end is answered twenty times in an hour, and nobody waits behind it", async () => {
  const talk = await evaluatePull(world);
  world.github.deliveries.hold({ event: "issue_comment" });
  for (let count = 0; count < 45; count++)
    world.github.addComment(talk.pull, { by: "mallory", body: "/tollgate revoke" });
  await talk.signs("heidi", "up to 600 USD fine");
  await world.github.deliveries.release();
  await world.settles();
  expect(talk.answers()).toHaveLength(20);
  expect(talk.gate()).toBe("success");
});
