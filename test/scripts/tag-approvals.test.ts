import { afterAll, beforeAll, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { evaluatePull, joins } from "../world/conversation.ts";

const POLICY = `version: 1
rules:
  - id: per-team
    limit: { increase: 300 USD }
    per: { tag: team }
    approve: { by_tag: { key: team, teams: { payments: finops, search: security } } }
budgets:
  - { id: payments, amount: 1000 USD, scope: { tags: { team: payments } } }
`;

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: POLICY });
  joins(world);
});
afterAll(() => world.ends());

/** Resources that rise from nothing, by team. */
function raise(teams: Readonly<Record<string, number>>) {
  const costs = (change: number) => ({
    ...{ previous_monthly_cost: "0", current_monthly_cost: `${change}`, diff_monthly_cost: `${change}` },
    percentage_change_monthly_cost: null,
  });
  const total = Object.values(teams).reduce((sum, change) => sum + change, 0);
  const resources = Object.entries(teams).map(([team, change]) => ({
    name: `aws_thing.${team}`,
    ...costs(change),
  }));
  return {
    cost: { before: "0", after: `${total}`, change: `${total}` },
    changes: resources.map(({ name }) => ({ address: name, change: "added" as const })),
    diff: { aws_thing: { ...costs(total), diff: resources } },
    tags: Object.fromEntries(Object.keys(teams).map((team) => [`aws_thing.${team}`, { team }])),
  };
}

it("two teams that pay more each have to approve their part, and one approval alone does not open the gate", async () => {
  const talk = await evaluatePull(world, raise({ payments: 420, search: 310 }));
  expect(talk.gate()).toBe("action_required");
  expect(talk.signatures()).toMatchInlineSnapshot(
    `"- ✍️ \`per-team\` still needs 1 approval from @acme/finops for \`payments\` (+$420.00), and 1 approval from @acme/security for \`search\` (+$310.00)"`,
  );
  const commands = [...talk.report().matchAll(/^\/tollgate approve \S+ (.*)$/gm)].map(([, words]) => words);
  expect(commands).toEqual(["per-team up to 420.00 USD REASON", "per-team up to 310.00 USD REASON"]);
  await talk.signs("grace", "up to 420 USD load test");
  expect(talk.gate()).toBe("action_required");
  expect(talk.signatures()).toMatchInlineSnapshot(`
    "- ✍️ \`per-team\` still needs 1 approval from @acme/security for \`search\` (+$310.00)
    - ☑️ \`grace\` approved \`per-team\` up to **$420.00** per month on 2 Mar 2026, 09:00 UTC: load test"
  `);
  await talk.signs("ivan", "up to 310 USD load test");
  expect(talk.gate()).toBe("success");
});

it("an approver of another team is refused", async () => {
  const talk = await evaluatePull(world, raise({ payments: 420 }));
  await talk.signs("ivan", "up to 420 USD load test");
  expect([talk.gate(), talk.answers().length]).toEqual(["action_required", 1]);
});

it("a budget of a team counts its part of other open pull requests and of what was merged, and not that of other teams", async () => {
  const budgeted = (teams: Record<string, number>, workspace: string) =>
    evaluatePull(world, { ...raise(teams), workspace });
  const approved = 420; // of the first pull request, which is still open
  const merged = await budgeted({ payments: 290, search: 200 }, "one");
  const open = await budgeted({ payments: 280, search: 290 }, "two");
  expect([merged.gate(), open.gate()]).toEqual(["success", "success"]);
  world.github.mergePullRequest(merged.pull, "olga");
  await world.settles();
  expect((await budgeted({ search: 290 }, "three")).gate()).toBe("success");
  const last = await budgeted({ payments: 1000 - approved - 290 - 280 + 1 }, "four");
  expect(last.gate()).toBe("failure");
  expect(last.report()).toContain("**$1,001.00** per month with everything that may be merged");
});
