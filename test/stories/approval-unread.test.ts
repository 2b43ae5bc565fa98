import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "../world/world.ts";
import { type Conversation, evaluatePull, joins } from "./conversation.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops] } }
`;
const WORDS = "up to 600 USD fine";
/** GitHub's answers are waited for ten seconds. */
const TOO_LATE_MS = 10_400;

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: POLICY });
  joins(world);
});
afterAll(() => world.ends());
afterEach(() => world.github.faults.clear());

/** What became of it, and what was said first. */
const summarizeTalk = (talk: Conversation) => ({
  gate: talk.gate(),
  said: talk.answers().at(-1)?.split("\n")[0] ?? null,
});

describe.each([
  [
    "what the approver may do",
    /\/collaborators\//,
    "Not approved: it takes at least write permission on this repository, and GitHub does not say that you have it. If you have, write it again in a minute.",
  ],
  [
    "who is in the team",
    /\/memberships\//,
    "Not approved: GitHub does not say now whether you belong to those who may approve `monthly-increase`. Write it again in a minute.",
  ],
])("where GitHub does not say %s", (_, path, words) => {
  it("at once, it is asked again, and the approval counts", async () => {
    const talk = await evaluatePull(world);
    world.github.faults.add({ kind: "status", status: 502, times: 1, match: { path } });
    world.github.faults.add({ kind: "reset", times: 1, match: { path } });
    await talk.signs("grace", WORDS);
    expect(summarizeTalk(talk)).toEqual({ gate: "success", said: null });
  });

  it.each([
    ["and fails", { kind: "status", status: 503 } as const],
    ["and is cut off", { kind: "truncate" } as const],
    ["and refuses", { kind: "status", status: 403 } as const],
  ])(
    "%s again and again, nothing is approved, the answer says so, and the next try counts",
    async (_again, fault) => {
      const talk = await evaluatePull(world);
      world.github.faults.add({ ...fault, times: 10, match: { path } });
      await talk.signs("grace", WORDS);
      expect(summarizeTalk(talk)).toEqual({ gate: "action_required", said: words });
      world.github.faults.clear();
      await talk.signs("grace", WORDS);
      expect(talk.gate()).toBe("success");
      expect(talk.answers()).toHaveLength(1);
    },
  );

  it("in time, nothing is approved, the answer says so, and the next try counts", {
    timeout: 60_000,
  }, async () => {
    const talk = await evaluatePull(world);
    world.github.faults.add({ kind: "delay", ms: TOO_LATE_MS, times: 10, match: { path } });
    await talk.signs("grace", WORDS);
    expect(summarizeTalk(talk)).toEqual({ gate: "action_required", said: words });
    world.github.faults.clear();
    await talk.signs("grace", WORDS);
    expect(talk.gate()).toBe("success");
  });
});

it("an approval stays in force while GitHub says nothing about its approver", async () => {
  const talk = await evaluatePull(world);
  await talk.signs("grace", WORDS);
  world.github.faults.add({
    kind: "status",
    status: 503,
    times: 20,
    match: { path: /\/(collaborators|memberships)\// },
  });
  await talk.says("heidi", "/tollgate recheck");
  expect(talk.gate()).toBe("success");
});
