import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { type Conversation, evaluatePull, joins } from "../world/conversation.ts";
import { REPOSITORY } from "../world/places.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops] } }
  - { id: no-deletes, limit: { deletions: 0 } }
`;

let world: SimulatedWorld;
let talk: Conversation;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: POLICY });
  joins(world);
  world.github.createBot("dependabot");
  talk = await evaluatePull(world);
});
afterAll(() => world.ends());
afterEach(() => {
  world.github.faults.clear();
  world.github.deliveries.clearFaults();
});

/** What one comment brought: the gate after it, what was said, and how it was reacted to. */
async function sendCommand(by: string, words: string) {
  const before = talk.answers().length;
  const comment = await talk.says(by, words);
  return {
    gate: talk.gate(),
    answers: talk.answers().slice(before),
    reactions: talk.reactions(comment),
  };
}
const approve = (words: string): string => `/tollgate approve ${talk.pull.headSha} ${words}`;
const SILENCE = { gate: "action_required", answers: [], reactions: [] };

it("help lists the commands, and the line to copy", async () => {
  const { answers, reactions } = await sendCommand("mallory", "/tollgate help");
  expect(reactions).toEqual(["eyes"]);
  expect(answers.join("\n").replaceAll(talk.pull.headSha, "COMMIT")).toMatchInlineSnapshot(`
    "Write one of these at the start of a line in a new comment:

    - \`/tollgate approve <commit> [rule …] [up to AMOUNT] [until DAY] <reason>\` approves what blocks this pull request. The commit is the head's full id with all its digits, the amount (like \`900 USD\`) is needed where a rule limits money, a day (like \`2027-03-31\`) says until when it accepts the cost, and without rules it approves all that you may approve.
    - \`/tollgate revoke\` takes your approvals and overrides back. So does editing or deleting the comment that you wrote them in.
    - \`/tollgate override <commit> <reason>\` lets exactly this commit merge although the check does not pass, for emergencies. Only people whom the policy names under \`override\` can, and it is recorded.
    - \`/tollgate explain [rule]\` says which rule decided, and on which value.
    - \`/tollgate recheck\` reads everything again.

    An approver can approve what blocks now with this comment:

    \`\`\`
    /tollgate approve COMMIT up to 500.00 USD REASON
    \`\`\`"
  `);
});

it("explain shows which rule decided, on which value", async () => {
  expect((await sendCommand("mallory", "/tollgate explain")).answers).toMatchInlineSnapshot(`
    [
      "**Blocked: +$500.00 per month (+5,000%)**

    #### Why

    - ⛔ \`monthly-increase\`: **+$500.00** per month (limit **+$100.00**)",
    ]
  `);
  const bodies = world.github.comments(talk.pull).map(({ body }) => body);
  expect(bodies.some((body) => body.startsWith("**Blocked: +\u2060$500.00 per month"))).toBe(true); // in one piece
  expect((await sendCommand("mallory", "/tollgate explain no-deletes")).answers).toMatchInlineSnapshot(`
    [
      "**Blocked: +$500.00 per month (+5,000%)**

    The rule \`no-deletes\` is met.",
    ]
  `);
  expect((await sendCommand("mallory", "/tollgate explain nothing")).answers).toMatchInlineSnapshot(`
    [
      "**Blocked: +$500.00 per month (+5,000%)**

    The policy has no verdict on a rule \`nothing\`.",
    ]
  `);
});

it("recheck reads again and says nothing", async () => {
  const before = world.github.requests.count();
  expect(await sendCommand("mallory", "/tollgate recheck")).toEqual({ ...SILENCE, reactions: ["eyes"] });
  expect(world.github.requests.count()).toBeGreaterThan(before + 3);
});

it.each([
  ["a quote", (line: string) => `> ${line}`],
  ["a Cyrillic letter", (line: string) => line.replace("tollgate", "t\u043ellgate")],
])("%s asks for nothing", async (_, wrap) => {
  expect(await sendCommand("grace", wrap(approve("up to 600 USD fine")))).toEqual(SILENCE);
});

it("no bot asks for anything, our own included", async () => {
  expect(await sendCommand("dependabot[bot]", approve("up to 600 USD fine"))).toEqual(SILENCE);
  expect(await sendCommand("tollgate[bot]", approve("up to 600 USD fine"))).toEqual(SILENCE);
});

it.each([
  ["mallory", "up to 600 USD fine", "it takes at least write permission"],
  ["ivan", "up to 600 USD fine", "the policy names others to approve `monthly-increase`"],
  ["acme-admin", "up to 600 USD fine", "you opened this pull request or worked on it"],
  [
    "grace",
    "up to 499 USD fine",
    "`monthly-increase` finds **$500.00** per month, which is more than the amount",
  ],
  ["grace", "no-deletes up to 600 USD fine", "`no-deletes` is not violated"],
])("%s may not approve %s", async (by, words, answer) => {
  const { gate, answers, reactions } = await sendCommand(by, approve(words));
  expect(gate).toBe("action_required");
  expect(answers).toHaveLength(1);
  expect(answers[0]).toContain(answer);
  expect(reactions).toHaveLength(1);
  expect(["-1", "confused"]).toContain(reactions[0]);
});

it("an approval that names the beginning of the commit is refused with the full command", async () => {
  const { headSha } = talk.pull;
  const part = headSha.slice(0, 12);
  const { gate, answers, reactions } = await sendCommand(
    "heidi",
    `/tollgate approve ${part} up to 600 USD fine`,
  );
  expect([gate, reactions]).toEqual(["action_required", ["confused"]]);
  expect(answers[0]).toContain(`\`${part}\` is only the beginning of the commit's id.`);
  expect(answers[0]).toContain(`\n\`\`\`\n/tollgate approve ${headSha} up to 500.00 USD REASON\n\`\`\``);
});

it("a command that comes late, after a push, is refused with the reason", async () => {
  const late = await evaluatePull(world);
  world.github.deliveries.hold({ event: "issue_comment" });
  const words = `/tollgate approve ${late.pull.headSha} up to 600 USD fine`;
  world.github.addComment(late.pull, { body: words, by: "grace" });
  const { headRef } = world.github.pullRequest(late.pull);
  const { after } = world.github.forcePush({
    repository: REPOSITORY,
    branch: headRef,
    files: { "infra/x.tf": "#\n" },
  });
  await world.ci.runs({ sha: after, cost: { before: "10", after: "510", change: "500" }, changes: [] });
  await world.settles();
  await world.github.deliveries.release();
  await world.settles();
  expect(late.gate()).toBe("action_required");
  expect(late.answers()[0]).toContain(`is not the head of this pull request, which is \`${after}\` now`);
});

it("an approval written before its commit was evaluated is refused, and approves when it is written again", async () => {
  const early = await evaluatePull(world);
  const { headRef } = world.github.pullRequest(early.pull);
  const { after } = world.github.push({
    repository: REPOSITORY,
    branch: headRef,
    files: { "infra/z.tf": "#\n" },
  });
  await world.settles();
  world.github.deliveries.hold({ event: "issue_comment" });
  const words = `/tollgate approve ${after} up to 600 USD fine`;
  world.github.addComment(early.pull, { body: words, by: "grace" });
  await world.timePasses(2_000);
  await world.ci.runs({ sha: after, cost: { before: "10", after: "510", change: "500" }, changes: [] });
  await world.settles();
  await world.github.deliveries.release();
  await world.settles();
  expect(early.gate()).toBe("action_required");
  expect(early.answers()[0]).toContain(`this comment is older than the evaluation of \`${after}\``);
  await early.says("grace", words);
  expect(early.gate()).toBe("success");
});

it("the same delivery again asks nothing again", async () => {
  const before = talk.answers().length;
  await talk.says("mallory", "/tollgate help");
  const [delivery] = world.github.deliveries.list({ event: "issue_comment", action: "created" }).slice(-2);
  if (delivery === undefined) throw new Error("there was no delivery");
  await world.github.deliveries.redeliver(delivery.id);
  await world.settles();
  expect(talk.answers()).toHaveLength(before + 1);
});

describe("an edit never asks for anything", () => {
  it("a reader's words that a maintainer makes a command", async () => {
    const { id } = await talk.says("mallory", "I wonder about the price");
    world.github.editComment(id, { body: approve("up to 600 USD fine"), by: "grace" });
    await world.settles();
    expect(talk.gate()).toBe("action_required");
  });

  it("a command that was edited before it was read", async () => {
    world.github.deliveries.hold({ event: "issue_comment", action: "created" });
    const { id } = world.github.addComment(talk.pull, { body: approve("up to 5 USD fine"), by: "grace" });
    world.github.editComment(id, { body: approve("up to 600 USD fine") });
    const before = talk.answers().length;
    await world.github.deliveries.release();
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    expect(talk.answers().slice(before).join("")).toContain("the comment was edited before it was read");
  });

  it("a command that was minimised or deleted before it was read", async () => {
    const before = talk.answers().length;
    world.github.deliveries.hold({ event: "issue_comment", action: "created" });
    const hidden = world.github.addComment(talk.pull, { body: approve("up to 600 USD fine"), by: "grace" });
    world.github.minimiseComment(hidden.id, "spam");
    const deleted = world.github.addComment(talk.pull, { body: approve("up to 600 USD fine"), by: "grace" });
    world.github.deleteComment(deleted.id);
    await world.github.deliveries.release();
    await world.settles();
    expect(talk.gate()).toBe("action_required");
    expect(talk.answers()).toHaveLength(before);
  });
});

it("an answer that is lost on its way is written once", async () => {
  world.github.faults.add({
    kind: "lost-response-after-write",
    times: 1,
    match: { method: "POST", path: /\/comments$/ },
  });
  const { answers } = await sendCommand("mallory", "/tollgate help");
  expect(answers).toHaveLength(1);
});

it("somebody who wrote one of the commits may not approve, whoever pushed it", async () => {
  const pull = await evaluatePull(world);
  const { headRef } = world.github.pullRequest(pull.pull);
  const by = { repository: REPOSITORY, branch: headRef, files: { "infra/y.tf": "#\n" } };
  const { after } = world.github.push({ ...by, author: "grace" });
  await world.ci.runs({ sha: after, cost: { before: "10", after: "510", change: "500" }, changes: [] });
  await world.settles();
  await pull.says("grace", `/tollgate approve ${after} up to 600 USD fine`);
  expect(pull.gate()).toBe("action_required");
  expect(pull.answers()[0]).toContain("you opened this pull request or worked on it");
});
