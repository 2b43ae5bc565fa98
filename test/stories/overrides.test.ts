import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CHEAP, EXPENSIVE } from "../world/costs.ts";
import { OWNER, REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";
import { type Conversation, evaluatePull, joins } from "./conversation.ts";
import { decisions } from "./decisions.ts";

const RULES = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops] } }
`;
const POLICY = `${RULES}override: { teams: [security, oncall], users: [grace] }\n`;

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: POLICY });
  joins(world);
  world.github.createTeam({ organisation: OWNER, slug: "oncall", members: ["judy"] });
  world.github.setCollaborator({ repository: REPOSITORY, login: "judy", permission: "write" });
});
afterAll(() => world.ends());
afterEach(() => world.github.deliveries.clearFaults());

const overrides = (talk: Conversation, by = "ivan", words = "the site is down") =>
  talk.says(by, `/tollgate override ${world.github.pullRequest(talk.pull).headSha} ${words}`);

/** Another commit on the pull request, by whoever. */
async function pushes(talk: Conversation, by?: string) {
  const { headRef } = world.github.pullRequest(talk.pull);
  const files = { "infra/more.tf": `# ${Math.random()}\n` };
  const { after } = world.github.push({ repository: REPOSITORY, branch: headRef, files, ...(by && { by }) });
  await world.ci.runs({ sha: after, cost: EXPENSIVE, changes: [] });
  await world.settles();
}

async function policyBecomes(text: string) {
  world.github.push({ repository: REPOSITORY, branch: "main", files: { ".github/tollgate.yml": text } });
  await world.settles();
}

/** Something happens that makes the pull request evaluated again. */
async function looksAgain(talk: Conversation) {
  world.github.addLabel(talk.pull, { label: `again-${Math.random()}` });
  await world.settles();
}

describe("an override of a blocked pull request", () => {
  it("turns its check to success, with the person in the title and the reason in check, comment and decisions", async () => {
    const talk = await evaluatePull(world);
    const comment = await overrides(talk);
    expect(talk.gate()).toBe("success");
    expect(talk.reactions(comment)).toEqual(["+1"]);
    expect(talk.answers()).toEqual([]);
    const { output } = world.checkOf(talk.pull);
    expect(output.title).toMatchInlineSnapshot(`"Overridden by @ivan · +$500.00 per month (+5,000%)"`);
    expect(output.summary.replace(/on \d.*UTC/, "on DAY")).toContain("the site is down");
    expect(
      talk
        .report()
        .split("\n")
        .slice(0, 5)
        .join("\n")
        .replace(/on \d.*UTC/, "on DAY"),
    ).toMatchInlineSnapshot(`
      "### 🔓 Overridden by \`@ivan\` · +$500.00 per month (+5,000%)

      You can merge. \`@ivan\` overrode this check on DAY: the site is down

      Without the override it would not pass: 1 rule is violated. The override is for exactly this commit: a push, another base branch, a changed policy file, and an edit or the deletion of the comment end it."
    `);
    expect(world.github.mergeability(talk.pull).allowed).toBe(true);
    const [given] = await decisions(world, talk.pull, "override");
    expect(given).toMatchObject({
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

  it.each<[string, string, (talk: Conversation, id: number) => unknown]>([
    ["pushed", "a push", (talk) => pushes(talk)],
    ["deleted", "the deletion of its comment", (_, id) => world.github.deleteComment(id)],
    ["edited", "an edit of its comment", (_, id) => world.github.editComment(id, { body: "never mind" })],
    ["command", "its person's revocation", (talk) => talk.says("ivan", "/tollgate revoke")],
    ["retargeted", "another base branch", (talk) => retargets(talk)],
  ])("ends for good, as %s, by %s", async (why, _, does) => {
    const talk = await evaluatePull(world);
    const { id } = await overrides(talk);
    expect(talk.gate()).toBe("success");
    await does(talk, id);
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    expect((await decisions(world, talk.pull, "override")).at(-1)).toMatchObject({
      turn: "ended",
      why: { kind: why },
    });
  });

  it("does not come back when the branch is pushed back to its head", async () => {
    const talk = await evaluatePull(world);
    const { headRef, headSha } = world.github.pullRequest(talk.pull);
    await overrides(talk);
    await pushes(talk);
    expect(talk.gate()).toBe("action_required");
    world.github.moveBranch({ repository: REPOSITORY, branch: headRef, sha: headSha });
    await world.settles();
    expect(world.github.pullRequest(talk.pull).headSha).toBe(headSha);
    expect(talk.gate()).toBe("action_required");
  });

  it("ends with a change of the policy, also when the change is taken back", async () => {
    const talk = await evaluatePull(world);
    await overrides(talk);
    await policyBecomes(`${POLICY}# changed\n`);
    expect(talk.gate()).toBe("action_required");
    await policyBecomes(POLICY);
    expect(talk.gate()).toBe("action_required");
  });

  it("ends when its person leaves the team, at the next evaluation", async () => {
    const talk = await evaluatePull(world);
    await overrides(talk, "judy");
    expect(talk.gate()).toBe("success");
    world.github.removeTeamMember({ organisation: OWNER, slug: "oncall", login: "judy" });
    await looksAgain(talk);
    expect(talk.gate()).toBe("action_required");
    expect((await decisions(world, talk.pull, "override")).at(-1)).toMatchObject({
      turn: "ended",
      why: { kind: "unauthorized" },
    });
  });

  it("opens nothing after a way to another base branch and back, on which it was revoked", async () => {
    const talk = await evaluatePull(world);
    await overrides(talk);
    expect(world.github.mergeability(talk.pull).allowed).toBe(true);
    await retargets(talk);
    await talk.says("ivan", "/tollgate revoke");
    world.github.deliveries.hold({ event: "pull_request" });
    world.github.retargetPullRequest(talk.pull, { base: "main" });
    expect(talk.gate()).not.toBe("success");
    await world.github.deliveries.release();
    await world.settles();
    expect(talk.gate()).toBe("action_required");
  });

  it("opens nothing when a pull request is opened again that was closed when its comment was deleted", async () => {
    const talk = await evaluatePull(world);
    const { id } = await overrides(talk);
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

  it("counts again when a closed pull request is opened again without a change", async () => {
    const talk = await evaluatePull(world);
    await overrides(talk);
    world.github.closePullRequest(talk.pull);
    await world.settles();
    world.github.reopenPullRequest(talk.pull);
    await world.settles();
    expect(talk.gate()).toBe("success");
  });

  it("ends without a delivery of the deletion, at the next evaluation", async () => {
    const talk = await evaluatePull(world);
    const { id } = await overrides(talk);
    world.github.deliveries.drop({ event: "issue_comment" });
    world.github.deleteComment(id);
    world.github.deliveries.clearFaults();
    await looksAgain(talk);
    expect(talk.gate()).toBe("action_required");
  });
});

async function retargets(talk: Conversation) {
  world.github.push({ repository: REPOSITORY, branch: "other", files: { ".github/tollgate.yml": POLICY } });
  world.github.retargetPullRequest(talk.pull, { base: "other" });
  await world.settles();
}

describe("an override is possible", () => {
  it("while a rule is undecided", async () => {
    const talk = await evaluatePull(world, { completeness: "partial" });
    expect(talk.gate()).toBe("failure");
    await overrides(talk);
    expect(talk.gate()).toBe("success");
  });

  it("while executions are awaited, and the verdict that arrives later shows it still", async () => {
    const talk = await evaluatePull(world, { status: null });
    expect(talk.gate()).toBe("in_progress");
    await overrides(talk);
    expect(talk.gate()).toBe("success");
    await world.ci.runs({ sha: talk.pull.headSha, cost: EXPENSIVE, changes: [] });
    await world.settles();
    expect(talk.gate()).toBe("success");
    expect(world.checkOf(talk.pull).output.title).toContain("Overridden by @ivan");
  });
});

describe("an override is refused, and the check stays", () => {
  it.each<[string, string]>([
    ["heidi", "the policy on `main` names others to override its check."],
    ["mallory", "it takes at least write permission on this repository"],
  ])("from %s: %s", async (by, answer) => {
    const talk = await evaluatePull(world);
    const comment = await overrides(talk, by);
    expect(talk.gate()).toBe("action_required");
    expect(talk.reactions(comment)).toEqual(["-1"]);
    expect(talk.answers().join("\n")).toContain(answer);
    expect((await decisions(world, talk.pull, "override")).at(-1)).toMatchObject({ turn: "refused" });
  });

  it("from the author and from whoever pushed, although the policy names them", async () => {
    const talk = await evaluatePull(world);
    await pushes(talk, "grace");
    await overrides(talk, "grace");
    expect(talk.gate()).toBe("action_required");
    expect(talk.answers().at(-1)).toContain("you opened this pull request or worked on it");
    await overrides(talk, "ivan");
    expect(talk.gate()).toBe("success");
  });

  it("for another commit, with a beginning of it, and without a reason", async () => {
    const talk = await evaluatePull(world);
    const { headSha } = talk.pull;
    await talk.says("ivan", `/tollgate override ${"b".repeat(40)} the site is down`);
    await talk.says("ivan", `/tollgate override ${headSha.slice(0, 12)} the site is down`);
    await talk.says("ivan", `/tollgate override ${headSha}`);
    expect(talk.gate()).toBe("action_required");
    const plain = (text = "") => text.replaceAll(headSha, "HEAD").replaceAll(headSha.slice(0, 12), "HEA");
    expect(talk.answers().map((answer) => plain(answer.split("\n")[0]))).toMatchInlineSnapshot(`
      [
        "Not overridden: \`bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\` is not the head of this pull request, which is \`HEAD\` now. Check what changed, then override that.",
        "\`HEA\` is only the beginning of the commit's id. Another commit can have the same beginning, so an override names all 40 digits.",
        "The reason is missing: say in a few words why this may be merged.",
      ]
    `);
  });

  it("where the check passes already", async () => {
    const talk = await evaluatePull(world, { cost: CHEAP });
    await overrides(talk);
    expect(talk.answers().at(-1)).toContain("the check passes already");
  });

  it("in a draft", async () => {
    const talk = await evaluatePull(world);
    world.github.convertToDraft(talk.pull);
    await world.settles();
    await overrides(talk);
    expect(talk.gate()).toBe("in_progress");
    expect(talk.answers().at(-1)).toContain("is a draft");
  });

  it("where it was written before the pull request got its base branch", async () => {
    const talk = await evaluatePull(world);
    world.github.deliveries.hold({ event: "issue_comment" });
    world.github.addComment(talk.pull, {
      body: `/tollgate override ${talk.pull.headSha} the site is down`,
      by: "ivan",
    });
    await new Promise((resolve) => setTimeout(resolve, 1_100)); // GitHub states whole seconds
    await retargets(talk);
    await world.github.deliveries.release();
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    expect(talk.answers().at(-1)).toContain("this comment is older than the first evaluation");
  });
});

it("an override counts in a merge group of its own, and not in one with others", async () => {
  const [talk, other] = [
    await evaluatePull(world),
    await evaluatePull(world, { cost: CHEAP, workspace: "b" }),
  ];
  await overrides(talk);
  expect([talk.gate(), other.gate()]).toEqual(["success", "success"]);
  const together = world.github.addToMergeQueue([talk.pull, other.pull]);
  await world.settles();
  expect(world.gate(together)).toBe("failure");
  expect(world.checkOf(together).output.title).toBe(
    "Held back: 1 overridden pull request is queued with others",
  );
  world.github.destroyMergeGroup(together.id, "dequeued");
  const alone = world.github.addToMergeQueue([talk.pull]);
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
