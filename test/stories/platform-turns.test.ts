import { afterEach, expect, it } from "vitest";
import { eventually } from "../world/eventually.ts";
import { type ScriptedPlatform, scriptedPlatform } from "../world/slow-platform.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 500 USD } }
`;
/** Sixteen calls a minute that verdicts need, and eight for facts that are only shown: room for two evaluations. */
const CALLS_PER_MINUTE = 24;
const MINUTE = 60_000;

const opened: { world: World; platform: ScriptedPlatform }[] = [];
afterEach(async () => {
  for (const { world, platform } of opened.splice(0)) {
    await world.ends();
    platform.close();
  }
});

async function start() {
  const platform = await scriptedPlatform(() => undefined);
  const { url } = platform;
  const remote = { kind: "remote", token: "t", account: "acc", dialect: "neutral", prefix: "", url } as const;
  const world = await createWorld({
    policy: POLICY,
    settings: { platform: { ...remote, callsPerMinute: CALLS_PER_MINUTE } },
    operator: ({ ownerId: owner }) => ({ grants: [{ owner, org: "o", project: "p" }] }),
  });
  opened.push({ world, platform });
  const opens = async (count: number) => {
    const pulls = Array.from({ length: count }, (_, index) =>
      world.opensPullRequest({ branch: `change-${index}` }),
    );
    await world.settles();
    return pulls;
  };
  const runs = ({ headSha: sha }: { headSha: string }, executionId: string) => {
    const path = `orgs/o/projects/p/pipelines/infra/executions/${executionId}/pipeline`;
    world.ci.posts({ sha, executionId, state: "success", url: `${url}/ng/account/acc/ci/${path}` });
  };
  return { world, opens, runs, calls: () => platform.calls(/./).length };
}

it("eight pull requests that are ready at once wait for their turns: none fails, and no minute has more calls than allowed", async () => {
  const { world, opens, runs, calls } = await start();
  const pulls = await opens(8);
  for (const [index, pull] of pulls.entries()) runs(pull, `e${index}`);
  await world.settles();
  const gates = () => pulls.map((pull) => world.gate(pull));
  const waiting = pulls.filter((pull) => world.gate(pull) === "in_progress");
  expect(gates()).toContain("success");
  expect(waiting.map((pull) => world.checkOf(pull).output.title)).toEqual(
    waiting.map(() => "Waiting for its turn to read costs and changes"),
  );
  expect(waiting.length).toBeGreaterThan(3);
  for (let minute = 1; gates().includes("in_progress"); minute++) {
    expect(minute).toBeLessThan(8);
    const before = { calls: calls(), gates: gates().join() };
    await world.timePasses(MINUTE);
    await eventually(() => expect(gates().join()).not.toBe(before.gates));
    await world.settles();
    expect(calls() - before.calls).toBeLessThanOrEqual(CALLS_PER_MINUTE);
    expect(gates()).not.toContain("failure");
  }
  expect(gates()).toEqual(pulls.map(() => "success"));
});

it("a check that passed does not stay so while a newer, expensive execution waits for its turn", async () => {
  const { world, opens, runs, calls } = await start();
  const [pull, ...others] = await opens(4);
  if (pull === undefined) throw new Error("it was opened");
  runs(pull, "first-number-1-adds-10");
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  await world.timePasses(MINUTE);
  for (const [index, other] of others.entries()) runs(other, `e${index}`);
  await world.settles();
  runs(pull, "second-number-2-adds-900");
  await world.settles();
  expect(world.gate(pull)).toBe("in_progress");
  for (let minute = 1; world.gate(pull) === "in_progress"; minute++) {
    expect(minute).toBeLessThan(8);
    const before = calls();
    await world.timePasses(MINUTE);
    await eventually(() => expect(calls()).toBeGreaterThan(before));
    await world.settles();
  }
  expect(world.gate(pull)).toBe("failure");
  expect(world.comment(pull)).toContain("+$900");
});
