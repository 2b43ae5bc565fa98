import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { listTemporaryApprovals } from "../../src/store/history/merged-changes.ts";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { evaluatePull, joins } from "../world/conversation.ts";

const POLICY = `version: 1
rules:
  - { id: growth, limit: { increase: 0 USD }, approve: { teams: [finops], until: required, reviews: true } }
`;

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({
    policy: POLICY,
    operator: () => ({
      notifications: {
        targets: [{ name: "hook", kind: "slack", url: "http://127.0.0.1:9/x", on: ["approval-ends"] }],
      },
    }),
  });
  joins(world);
});
afterAll(() => world.ends());

async function listReminders() {
  const rows = await world.bot.session.store.db.selectFrom("notifications").select("notification").execute();
  return rows.map(({ notification }) => (notification as { value: object }).value);
}

describe("a temporary approval", () => {
  it("names its last day, holds on it, and ends after it while the pull request is open", async () => {
    const talk = await evaluatePull(world); // on 2 March 2026
    expect(talk.report()).toContain("up to 500.00 USD until YYYY-MM-DD REASON");
    await talk.signs("grace", "up to 500 USD load test");
    await talk.signs("grace", "up to 500 USD until 2026-03-01 load test");
    await talk.signs("grace", "up to 500 USD until 2026-02-30 load test");
    expect(talk.answers().map((answer) => answer.split("\n")[0])).toMatchInlineSnapshot(`
      [
        "Not approved: the policy on \`main\` accepts \`growth\` for a limited time only: name the last day, such as \`until 2027-03-31\`, before the reason.",
        "Not approved: its last day is over already.",
        "\`2026-02-30\` is not one day of the calendar: write it such as \`until 2027-03-31\`.",
      ]
    `);
    expect(talk.gate()).toBe("action_required");
    await talk.signs("grace", "up to 500 USD until 2026-03-03 load test");
    expect(talk.gate()).toBe("success");
    expect(talk.signatures()).toMatchInlineSnapshot(
      `"- ☑️ \`grace\` approved \`growth\` up to **$500.00** per month until 3 Mar 2026, on 2 Mar 2026, 09:00 UTC: load test"`,
    );
    await world.timePasses(1.6 * DAY_MS);
    expect(talk.gate()).toBe("success");
    await world.timePasses(0.1 * DAY_MS);
    expect(talk.gate()).toBe("action_required");
    expect(talk.signatures()).toContain("is no longer in force: its last day is over");
  });

  it("of a merged pull request is reminded of a week before its last day and on it, and is listed until then", async () => {
    const talk = await evaluatePull(world, { workspace: "other" });
    await talk.signs("grace", "up to 500 USD until 2026-03-20 load test");
    world.github.mergePullRequest(talk.pull, "olga");
    await world.settles();
    const seen: number[] = [];
    const before = talk.answers().length;
    for (let day = 4; day <= 25; day++) {
      await world.timePasses(DAY_MS);
      seen.push((await listReminders()).length);
    }
    expect(talk.answers().slice(before)).toMatchInlineSnapshot(`
      [
        "@grace, @acme/finops: 20 Mar 2026 is the last day of what was approved here, up to **$500.00** per month, for \`growth\`. If it is still needed after that, agree on it; otherwise open a pull request that takes it back.",
        "@grace, @acme/finops: today is the last day of what was approved here, up to **$500.00** per month, for \`growth\`. If it is still needed after that, agree on it; otherwise open a pull request that takes it back.",
      ]
    `);
    expect(seen).toEqual([...Array(8).fill(0), ...Array(7).fill(1), ...Array(7).fill(2)]); // from the 13th, from the 20th
    expect((await listReminders())[0]).toMatchObject({
      approver: "grace",
      upTo: { amount: "500" },
      lastDay: "2026-03-20",
    });
    const list = (repositoryId: number, after: Date) =>
      listTemporaryApprovals(world.bot.session.store.db, [repositoryId], { after, limit: 9 });
    const [listed, ...others] = await list(world.repositoryId, new Date(0));
    expect([listed?.number, listed?.approver, others]).toEqual([talk.pull.number, "grace", []]);
    expect(await list(world.repositoryId, new Date(Date.UTC(2026, 2, 21)))).toEqual([]);
    expect(await list(world.repositoryId + 1, new Date(0))).toEqual([]);
  });
});
