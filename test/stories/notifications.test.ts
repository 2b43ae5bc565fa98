import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { evaluatePull, joins } from "../world/conversation.ts";
import { CHEAP, EXPENSIVE } from "../world/costs.ts";
import { eventually } from "../world/eventually.ts";
import { OWNER, REPOSITORY } from "../world/places.ts";
import { type Receiver, startReceiver } from "../world/receiver.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops] } }
  - { id: no-deletes, limit: { deletions: 0 } }
`;
const DELETED = [{ address: "aws_thing.old", change: "deleted" as const }];

const Slack = z.object({
  text: z.string(),
  blocks: z.array(
    z.object({ text: z.object({ text: z.string() }).optional(), elements: z.array(z.unknown()).optional() }),
  ),
});

let world: World;
let finops: Receiver;
let security: Receiver;
let everything: Receiver;
beforeAll(async () => {
  [finops, security, everything] = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  const slack = (name: string, { url }: Receiver) => ({
    name,
    kind: "slack",
    url: `${url}/services/${name}`,
  });
  world = await createWorld({
    policy: POLICY,
    operator: ({ ownerId }) => ({
      notifications: {
        targets: [
          { ...slack("finops", finops), on: ["approval-needed", "approved"], teams: ["finops"] },
          { ...slack("security", security), on: ["approval-needed"], teams: ["security"] },
          {
            ...slack("everything", everything),
            on: ["blocked", "merged-over-check", "budget", "waiver-expiring"],
            above: "300 USD",
            owners: [ownerId],
            per_minute: 600,
          },
          { ...slack("elsewhere", everything), on: ["blocked"], owners: [ownerId + 1] },
        ],
      },
    }),
  });
  joins(world);
});
afterAll(async () => {
  await world.ends();
  for (const receiver of [finops, security, everything]) await receiver.close();
});

/** The titles of the messages about a pull request, in their order. */
const titles = ({ requests }: Receiver, number: number): readonly string[] =>
  requests
    .map(({ body }) => Slack.parse(JSON.parse(body)).text)
    .filter((text) => text.endsWith(`#${number}`));

const words = ({ requests }: Receiver, number: number): readonly string[] =>
  requests
    .map(({ body }) => Slack.parse(JSON.parse(body)))
    .filter(({ text }) => text.endsWith(`#${number}`))
    .map(({ blocks }) => blocks.flatMap(({ text }) => text?.text ?? []).join("\n"));

describe("people are told", () => {
  it("that an approval is needed: those who can give it, once, and again that it was given", async () => {
    const talk = await evaluatePull(world, {}, { title: "Twice as many machines" });
    const { number } = talk.pull;
    await eventually(() => expect(titles(finops, number)).toEqual([`Approval needed: acme/shop #${number}`]));
    expect(words(finops, number)[0]).toMatchInlineSnapshot(`
      "Approval needed: acme/shop #1
      Twice as many machines — acme-admin
      Monthly change: +$500.00
      • monthly-increase needs 1 approval from the team finops"
    `);
    await talk.says("grace", "/tollgate recheck");
    await talk.signs("grace", "up to 600 USD load test until May");
    expect(talk.gate()).toBe("success");
    await eventually(() => expect(titles(finops, number)).toHaveLength(2));
    expect(words(finops, number)[1]).toMatchInlineSnapshot(`
      "Approved: acme/shop #1
      Twice as many machines — acme-admin
      Monthly change: +$500.00
      • grace approved up to $600.00 per month"
    `);
    expect(titles(security, number)).toEqual([]);
  });

  it("that a pull request is blocked, above the amount alone, once per set of rules, and again after it was not", async () => {
    const talk = await evaluatePull(world, { cost: CHEAP, changes: DELETED });
    const { number, headSha: sha } = talk.pull;
    expect(talk.gate()).toBe("failure");
    await world.ci.runs({ sha, cost: EXPENSIVE, changes: DELETED });
    await world.settles();
    await eventually(() => expect(titles(everything, number)).toEqual([`Blocked: acme/shop #${number}`]));
    expect(words(everything, number)[0]).toMatchInlineSnapshot(`
      "Blocked: acme/shop #2
      Change the infrastructure — acme-admin
      Monthly change: +$500.00
      • monthly-increase: $500.00, limit $100.00
      • no-deletes"
    `);
    await talk.says("grace", "/tollgate recheck");
    await world.ci.runs({ sha, cost: CHEAP, changes: [] });
    await world.settles();
    expect(talk.gate()).toBe("success");
    await world.ci.runs({ sha, cost: EXPENSIVE, changes: DELETED });
    await world.settles();
    await eventually(() => expect(titles(everything, number)).toHaveLength(2));
  });

  it("that a pull request was merged over its check", async () => {
    const talk = await evaluatePull(world, { cost: EXPENSIVE, changes: DELETED });
    const { number } = talk.pull;
    world.github.mergePullRequest(talk.pull);
    await world.settles();
    await eventually(() =>
      expect(titles(everything, number)).toEqual([
        `Blocked: acme/shop #${number}`,
        `Merged over its check: acme/shop #${number}`,
      ]),
    );
    expect(words(everything, number)[1]).toMatchInlineSnapshot(`
      "Merged over its check: acme/shop #3
      Change the infrastructure — acme-admin
      The check was “failure” at the merge.
      Monthly change: +$500.00
      • monthly-increase: $500.00, limit $100.00
      • no-deletes"
    `);
  });

  it("that a waiver ends within a week, and of a budget that is nearly used", async () => {
    const until = new Date(Date.now() + 4 * 86_400_000).toISOString().slice(0, 10);
    const policy = `version: 1
budgets:
  - { id: room, amount: 550 USD, scope: { workspaces: ["measured"] } }
rules:
  - { id: no-more, limit: { increase: 100 USD } }
waivers:
  - { rule: no-more, up_to: 900 USD, until: ${until}, reason: "load test", owner: finops }
`;
    world.github.push({
      repository: REPOSITORY,
      branch: "measured",
      files: { ".github/tollgate.yml": policy },
    });
    const pull = world.opensPullRequest({ base: "measured" });
    await world.ci.runs({ sha: pull.headSha, workspace: "measured", cost: EXPENSIVE, changes: [] });
    await world.settles();
    await eventually(() => expect(everything.texts()).toContain("Waiver ends soon: no-more in acme/shop"));
    await eventually(() => expect(everything.texts()).toContain("Budget at 80 %: room in acme/shop"));
    expect(everything.texts()).toContain("$510.00 of $550.00 per month");
    expect(everything.texts()).toContain(`Last day: ${until} (UTC)`);
  });

  it("of what the organisation's file chooses for its repositories", async () => {
    world.github.createRepository({
      owner: OWNER,
      name: ".github",
      visibility: "private",
      files: {
        "tollgate.yml": "version: 1\nnotify:\n  - { target: security, on: [blocked], above: 400 USD }\n",
      },
    });
    await world.settles();
    const talk = await evaluatePull(world, { cost: EXPENSIVE, changes: DELETED });
    const { number } = talk.pull;
    await eventually(() => expect(titles(security, number)).toEqual([`Blocked: acme/shop #${number}`]));
    expect(titles(finops, number)).toEqual([]);
  });
});
