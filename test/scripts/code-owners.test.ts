import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { type Conversation, evaluatePull, joins } from "../world/conversation.ts";
import { REPOSITORY } from "../world/places.ts";

const POLICY = `version: 1
rules:
  - { id: growth, limit: { increase: 0 USD }, approve: { codeowners: true, teams: [finops] } }
`;
const OWNERS = `/db/ @acme/security
/web/ @grace # and nobody else
/web/mail ada@example.com
`;
const AMOUNT = "up to 500 USD agreed";

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: POLICY, files: { ".github/CODEOWNERS": OWNERS } });
  joins(world);
});
afterAll(() => world.ends());

let changes = 0;
function write(paths: readonly string[]): Readonly<Record<string, string>> {
  changes += 1;
  return Object.fromEntries(paths.map((path) => [path, `# ${changes}\n`]));
}
const touch = (...paths: readonly string[]) => evaluatePull(world, {}, { files: write(paths) });

function publish(owners: string): Promise<void> {
  world.github.push({ repository: REPOSITORY, branch: "main", files: { ".github/CODEOWNERS": owners } });
  return world.settles();
}

const why = (talk: Conversation): string | undefined =>
  /nobody can approve it: (.*)/.exec(talk.report())?.[1];

describe("code owners", () => {
  it("of each changed file have to approve, whatever the pull request writes into their file", async () => {
    const talk = await evaluatePull(
      world,
      {},
      {
        files: { ...write(["db/one.tf", "web/one.tf"]), ".github/CODEOWNERS": "* @heidi\n" },
      },
    );
    expect(talk.gate()).toBe("action_required");
    expect(talk.signatures()).toMatchInlineSnapshot(
      `"- ✍️ \`growth\` still needs 1 approval from a code owner: @acme/security, and 1 approval from a code owner: @grace, and 1 approval from @acme/finops"`,
    );
    await talk.signs("heidi", AMOUNT); // for the file that nobody owns
    await talk.signs("ivan", AMOUNT);
    expect(talk.gate()).toBe("action_required");
    await talk.signs("grace", AMOUNT);
    expect(talk.gate()).toBe("success");
  });

  it("do not approve files of others, and a push that touches these ends an approval", async () => {
    const talk = await touch("db/two.tf");
    await talk.signs("grace", AMOUNT);
    expect(talk.gate()).toBe("action_required");
    await talk.signs("ivan", AMOUNT);
    expect(talk.gate()).toBe("success");
    const { headRef: branch } = world.github.pullRequest(talk.pull);
    world.github.push({ repository: REPOSITORY, branch, files: write(["web/two.tf"]) });
    const { headSha } = world.github.pullRequest(talk.pull);
    await world.plans({ headSha }, { before: "10", after: "510", change: "500" });
    expect(talk.gate()).toBe("action_required");
    expect(talk.signatures()).toContain("or other code owners have to approve the changed files");
  });

  it("can approve nothing while their file is invalid, which ends what was approved, and can again when it is corrected", async () => {
    const talk = await touch("db/three.tf");
    await talk.signs("ivan", AMOUNT);
    expect(talk.gate()).toBe("success");
    await publish(`${OWNERS}!web/open @grace\n`);
    expect(talk.gate()).toBe("failure");
    expect(why(talk)).toMatchInlineSnapshot(
      `"line 4 of \`.github/CODEOWNERS\` on the base branch is invalid (\`!web/open\`), so the code owners are unknown"`,
    );
    await talk.signs("ivan", AMOUNT);
    expect([talk.gate(), talk.answers().at(-1)]).toMatchInlineSnapshot(`
      [
        "failure",
        "Not approved: the policy lets nobody approve \`growth\`, or its code owners are unknown: the report says why.",
      ]
    `);
    await publish(OWNERS);
    expect(talk.gate()).toBe("action_required");
    await talk.signs("ivan", AMOUNT);
    expect(talk.gate()).toBe("success");
  });

  it("without an account are said to be unable to approve", async () => {
    const talk = await touch("web/mail");
    expect(talk.gate()).toBe("failure");
    expect(why(talk)).toMatchInlineSnapshot(
      `"the code owners of \`web/mail\` are \`ada@example.com\` in \`.github/CODEOWNERS\`: an e-mail address or a team of another organisation cannot approve"`,
    );
  });

  it("cost at most five calls for a changed update, and two for an unchanged one", async () => {
    const talk = await touch("db/four.tf");
    const { headSha: sha } = talk.pull;
    world.github.requests.clear();
    const cost = { before: "10", after: "610", change: "600" };
    const executionId = await world.ci.runs({ sha, cost, changes: [] });
    await world.settles();
    expect(talk.report()).toContain("+$600");
    expect(world.github.requests.list().length).toBeLessThanOrEqual(5);
    world.github.requests.clear();
    world.ci.posts({ sha, executionId, state: "success" });
    await world.settles();
    expect(world.github.requests.list().length).toBeLessThanOrEqual(2);
  });
});
