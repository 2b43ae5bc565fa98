import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { type Conversation, evaluatePull, joins } from "../world/conversation.ts";
import { CHEAP, EXPENSIVE } from "../world/costs.ts";
import { decisions } from "../world/decisions.ts";
import { OWNER, REPOSITORY } from "../world/places.ts";

const RULES = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops] } }
`;
const POLICY = `${RULES}override: { teams: [security, oncall], users: [grace] }\n`;

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: POLICY });
  joins(world);
  world.github.createTeam({ organisation: OWNER, slug: "oncall", members: ["judy"] });
  world.github.setCollaborator({ repository: REPOSITORY, login: "judy", permission: "write" });
  world.github.push({ repository: REPOSITORY, branch: "other", files: {} });
});
afterAll(() => world.ends());
afterEach(() => world.github.deliveries.clearFaults());

/** GitHub states whole seconds. */
const aSecondPasses = () => world.timePasses(1_100);

async function overrides(talk: Conversation, by = "ivan") {
  await aSecondPasses();
  const { headSha } = world.github.pullRequest(talk.pull);
  return talk.says(by, `/tollgate override ${headSha} the site is down`);
}

/** Another commit on the pull request, by whoever. */
async function pushes(talk: Conversation, by?: string) {
  const { headRef } = world.github.pullRequest(talk.pull);
  const files = { "infra/more.tf": `# ${world.github.requests.count()}\n` };
  const { after } = world.github.push({ repository: REPOSITORY, branch: headRef, files, ...(by && { by }) });
  await world.ci.runs({ sha: after, cost: EXPENSIVE, changes: [] });
  await world.settles();
}

async function retargets(talk: Conversation, base: string) {
  world.github.retargetPullRequest(talk.pull, { base });
  await world.settles();
}

async function policyBecomes(text: string) {
  world.github.push({ repository: REPOSITORY, branch: "main", files: { ".github/tollgate.yml": text } });
  await world.settles();
}

/** Something happens that makes the pull request evaluated again. */
async function isEvaluatedAgain({ pull }: Conversation) {
  world.github.addLabel(pull, { label: `again-${world.github.requests.count()}` });
  await world.settles();
}

const newestDecision = async ({ pull }: Conversation) => (await decisions(world, pull, "override")).at(-1);
const day = (text: string) => text.replace(/on \d.*UTC/, "on DAY");

it("an override turns the check to success, with the person in the title and the reason in check, comment and decisions", async () => {
  const talk = await evaluatePull(world);
  const comment = await overrides(talk);
  expect(talk.gate()).toBe("success");
  expect(talk.reactions(comment)).toEqual(["+1"]);
  expect(talk.answers()).toEqual([]);
  const { output } = world.checkOf(talk.pull);
  expect(output.title).toMatchInlineSnapshot(`"Overridden by @ivan · +$500.00 per month (+5,000%)"`);
  expect(output.summary).toContain("the site is down");
  expect(day(talk.report().split("\n").slice(0, 5).join("\n"))).toMatchInlineSnapshot(`
    "### 🔓 Overridden by \`@ivan\` · +$500.00 per month (+5,000%)

    You can merge. \`@ivan\` overrode this check on DAY: the site is down

    Without the override it would not pass: 1 rule is violated. The override is for exactly this commit: a push, another base branch, a changed policy file, and an edit or the deletion of the comment end it."
  `);
  expect(world.github.mergeability(talk.pull).allowed).toBe(true);
  expect(await newestDecision(talk)).toMatchObject({
    turn: "given",
    override: `comment:${comment.id}`,
    headSha: talk.pull.headSha,
    baseRef: "main",
    person: { login: "ivan" },
    reason: "the site is down",
    situation: "evaluated",
    open: [{ rule: "monthly-increase", outcome: "violated", amount: { amount: "500", currency: "USD" } }],
    why: null,
  });
  expect((await decisions(world, talk.pull, "verdict")).at(-1)).toMatchObject({
    decision: "success",
    override: `comment:${comment.id}`,
  });
});

it("an override ends with an edit or the deletion of its comment, its person's revocation, and when its person leaves the team", async () => {
  const talk = await evaluatePull(world);
  const ends = async (why: string) => {
    await world.settles();
    expect([why, talk.gate()]).toEqual([why, "action_required"]);
    expect(await newestDecision(talk)).toMatchObject({ turn: "ended", why: { kind: why } });
  };
  world.github.editComment((await overrides(talk)).id, { body: "never mind" });
  await ends("edited");
  world.github.deliveries.drop({ event: "issue_comment" });
  world.github.deliveries.clearFaults();
  const { id } = await overrides(talk);
  world.github.deliveries.drop({ event: "issue_comment" });
  world.github.deleteComment(id);
  world.github.deliveries.clearFaults();
  expect(talk.gate()).toBe("success");
  await isEvaluatedAgain(talk);
  await ends("deleted");
  await overrides(talk);
  await talk.says("ivan", "/tollgate revoke");
  await ends("command");
  await overrides(talk, "judy");
  expect(talk.gate()).toBe("success");
  world.github.removeTeamMember({ organisation: OWNER, slug: "oncall", login: "judy" });
  await isEvaluatedAgain(talk);
  await ends("unauthorized");
});

it("an override that ended with a push, another base branch or another policy does not come back with what was there before", async () => {
  const talk = await evaluatePull(world);
  const { headRef, headSha } = world.github.pullRequest(talk.pull);
  const isOver = async (why: string) => {
    expect([why, talk.gate()]).toEqual([why, "action_required"]);
    expect(await newestDecision(talk)).toMatchObject({ turn: "ended", why: { kind: why } });
  };
  await overrides(talk);
  await pushes(talk);
  await isOver("pushed");
  world.github.moveBranch({ repository: REPOSITORY, branch: headRef, sha: headSha });
  await world.settles();
  expect(world.github.pullRequest(talk.pull).headSha).toBe(headSha);
  await isOver("pushed");

  await overrides(talk);
  expect(talk.gate()).toBe("success");
  await retargets(talk, "other");
  await isOver("retargeted");
  await retargets(talk, "main");
  await isOver("retargeted");

  await overrides(talk);
  expect(talk.gate()).toBe("success");
  await policyBecomes(`${POLICY}# changed\n`);
  await isOver("policy_changed");
  await policyBecomes(POLICY);
  await isOver("policy_changed");
});

it("an override that was revoked under another base branch opens nothing on the way back, before anything is delivered", async () => {
  const talk = await evaluatePull(world);
  await overrides(talk);
  expect(world.github.mergeability(talk.pull).allowed).toBe(true);
  await retargets(talk, "other");
  await talk.says("ivan", "/tollgate revoke");
  world.github.deliveries.hold({ event: "pull_request" });
  world.github.retargetPullRequest(talk.pull, { base: "main" });
  expect(talk.gate()).not.toBe("success");
  await world.github.deliveries.release();
  await world.settles();
  expect(talk.gate()).toBe("action_required");
});

it("an override counts again when a closed pull request is opened again, unless its comment was deleted meanwhile", async () => {
  const talk = await evaluatePull(world);
  const { id } = await overrides(talk);
  world.github.closePullRequest(talk.pull);
  await world.settles();
  world.github.reopenPullRequest(talk.pull);
  await world.settles();
  expect(talk.gate()).toBe("success");
  world.github.closePullRequest(talk.pull);
  await world.settles();
  world.github.deleteComment(id);
  await world.settles();
  world.github.deliveries.hold({ event: "pull_request" });
  world.github.reopenPullRequest(talk.pull);
  expect(talk.gate()).not.toBe("success");
  await world.github.deliveries.release();
  await world.settles();
  expect(talk.gate()).toBe("action_required");
});

it("an override given while executions are awaited still counts for the verdict that arrives later", async () => {
  const talk = await evaluatePull(world, { status: null });
  expect(talk.gate()).toBe("in_progress");
  await overrides(talk);
  expect(talk.gate()).toBe("success");
  await world.ci.runs({ sha: talk.pull.headSha, cost: EXPENSIVE, changes: [] });
  await world.settles();
  expect(talk.gate()).toBe("success");
  expect(world.checkOf(talk.pull).output.title).toContain("Overridden by @ivan");
});

describe("an override is refused with a reason, and the check stays:", () => {
  it("where it was written before the pull request got its base branch", async () => {
    const talk = await evaluatePull(world);
    world.github.deliveries.hold({ event: "issue_comment" });
    await overrides(talk);
    await aSecondPasses();
    await retargets(talk, "other");
    await world.github.deliveries.release();
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    expect(talk.answers().at(-1)).toContain("this comment is older than the first evaluation");
  });
});

it("an override counts in a merge group of its own, and not in one with others", async () => {
  const talk = await evaluatePull(world);
  const other = await evaluatePull(world, { cost: CHEAP, workspace: "b" });
  await overrides(talk);
  expect([talk.gate(), other.gate()]).toEqual(["success", "success"]);
  const together = world.github.addToMergeQueue([talk.pull, other.pull]);
  await world.settles();
  expect(world.gate(together)).toBe("failure");
  expect(world.checkOf(together).output.title).toBe(
    "Blocked: 1 overridden pull request is queued with others",
  );
  world.github.destroyMergeGroup(together.id, "dequeued");
  const alone = world.github.addToMergeQueue([talk.pull]);
  await world.settles();
  expect(world.gate(alone)).toBe("success");
  await world.ci.runs({ sha: alone.headSha, cost: EXPENSIVE, changes: [] });
  await world.settles();
  expect(world.gate(alone)).toBe("success");
  await talk.says("ivan", "/tollgate revoke");
  expect(world.gate(alone)).toBe("failure");
  world.github.destroyMergeGroup(alone.id, "dequeued");
  await world.settles();
});

it("pull requests with one head and base branch each need an override of their own", async () => {
  const talk = await evaluatePull(world);
  const { headRef, headSha } = world.github.pullRequest(talk.pull);
  const twin = world.github.openPullRequest({ repository: REPOSITORY, head: headRef, title: "The same" });
  await world.settles();
  expect(twin.headSha).toBe(headSha);
  await overrides(talk);
  expect(talk.gate()).toBe("action_required");
  world.github.addComment(twin, { body: `/tollgate override ${headSha} the site is down`, by: "ivan" });
  await world.settles();
  expect(talk.gate()).toBe("success");
});
