import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { CHEAP, EXPENSIVE } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

const policy = (more = "") => `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
${more}`;

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: policy(), settings: { publicUrl: null } });
});
afterAll(() => world.ends());
afterEach(() => world.github.faults.clear());

type Pull = ReturnType<SimulatedWorld["opensPullRequest"]>;

async function planned(pull: Pull, cost = CHEAP): Promise<Pull> {
  await world.ci.runs({ sha: pull.headSha, workspace: `of-${pull.number}`, cost, changes: [] });
  await world.settles();
  return pull;
}

async function pushed(pull: Pull, cost = CHEAP): Promise<Pull> {
  const files = { [`infra/${world.github.requests.count()}.tf`]: "#\n" };
  world.github.push({ repository: REPOSITORY, branch: pull.headRef, files });
  return planned(world.github.pullRequest(pull), cost);
}

/** Where the head's check leads: the part after the pull request's address, and after the comment's number. */
function leads(pull: Pull): string {
  const own = world.github.comments(pull).filter(({ appId }) => appId === world.appId);
  const link = world.checkOf(pull).detailsUrl ?? "nowhere";
  const named = own.reduce(
    (text, { id }, at) =>
      text.replace(new RegExp(`issuecomment-${id}$`), `comment ${at + 1} of ${own.length}`),
    link,
  );
  return named.replace(`${world.github.url}/${REPOSITORY}/pull/${pull.number}`, "pull request");
}

async function base(branch: string, more: string): Promise<string> {
  world.github.push({ repository: REPOSITORY, branch, files: { ".github/tollgate.yml": policy(more) } });
  await world.settles();
  return branch;
}

describe("the link of a check", () => {
  it("is the pull request at first, its comment from the second verdict on, and costs no write of its own", async () => {
    const pull = world.opensPullRequest();
    const { headSha: sha } = pull;
    await world.settles();
    // Statuses would be two: the first one may be evaluated before the costs are known.
    const executionId = await world.ci.runs({ sha, cost: CHEAP, changes: [] });
    await world.settles();
    expect(leads(pull)).toBe("pull request");
    world.github.requests.clear();
    world.ci.posts({ sha, executionId, state: "success" });
    await world.settles();
    expect(world.github.requests.count({ path: /graphql/ })).toBe(1);
    expect(world.github.requests.count({ path: /check-runs|comments/ })).toBe(0);
    expect(leads(pull)).toBe("pull request");
    expect(leads(await pushed(pull, EXPENSIVE))).toBe("pull request#comment 1 of 1");
  });

  it("is shown on the page as GitHub does, and leads to the comment there", async () => {
    const pull = await pushed(await planned(world.opensPullRequest()), EXPENSIVE);
    const { detailsUrl } = world.checkOf(pull);
    const address = `${world.github.url}/${REPOSITORY}/pull/${pull.number}`;
    const read = async (tab: string) => (await world.fetch(`${address}${tab}`)).text();
    expect(await read("/checks")).toContain(`href="${detailsUrl}">View more details on Tollgate</a>`);
    expect(await read("")).toContain(`id="${detailsUrl?.split("#")[1]}"`);
  });

  it("is the pull request again once somebody deleted the comment, then the one that followed", async () => {
    const pull = await planned(world.opensPullRequest());
    const [own] = world.github.comments(pull).filter(({ appId }) => appId === world.appId);
    if (own === undefined) throw new Error("there is no comment");
    world.github.deleteComment(own.id);
    await world.settles();
    const second = await pushed(pull, EXPENSIVE);
    expect(world.comments(second)).toHaveLength(1);
    expect(leads(await pushed(second, CHEAP))).toBe("pull request#comment 1 of 1");
  });

  it("is that of the pull request whose verdict stands, where two share a head", async () => {
    const requiredChecks = [{ context: "shared", appId: world.appId }];
    for (const branch of ["easy", "hard"])
      world.github.protectBranch({ repository: REPOSITORY, branch, requiredChecks });
    await base("main", "check_names:\n  - { branch: '{easy,hard}', name: shared }\n");
    const [easy, hard] = [await base("easy", ""), await base("hard", "")];
    const lax = policy().replace("100 USD", "1000 USD");
    world.github.push({ repository: REPOSITORY, branch: easy, files: { ".github/tollgate.yml": lax } });
    await world.settles();
    await planned(world.opensPullRequest({ base: easy, branch: "both-ways" }), EXPENSIVE);
    const held = world.github.openPullRequest({
      repository: REPOSITORY,
      head: "both-ways",
      base: hard,
      title: "The same, elsewhere",
    });
    await world.settles();
    expect(world.gate(held, "shared")).toBe("failure");
    expect(world.checkOf(held).detailsUrl).toBe(`${world.github.url}/${REPOSITORY}/pull/${held.number}`);
  });
});

describe("the link of a merge group's check", () => {
  const link = (group: { headSha: string }) =>
    world.checkOf(group).detailsUrl?.replace(`${world.github.url}/${REPOSITORY}/`, "");

  it("is its first pull request, or the first that blocks it", async () => {
    const [first, second] = [
      await planned(world.opensPullRequest()),
      await planned(world.opensPullRequest(), EXPENSIVE),
    ];
    const alone = world.github.addToMergeQueue([first]);
    await world.settles();
    expect(link(alone)).toBe(`pull/${first.number}`);
    world.github.destroyMergeGroup(alone.id, "dequeued");
    await world.settles();
    const both = world.github.addToMergeQueue([first, second]);
    await world.settles();
    expect(link(both)).toBe(`pull/${second.number}`);
  });
});

describe("a verdict that asks for something", () => {
  it.each([
    ["failure", ""],
    ["action_required", "    approve: { teams: [finops] }\n"],
  ])("has a button that reads everything again: %s", async (conclusion, approve) => {
    const branch = `asks-${conclusion}`;
    const rule = "    limit: { increase: 100 USD }\n";
    const files = {
      ".github/tollgate.yml": `version: 1\nrules:\n  - id: monthly-increase\n${rule}${approve}`,
    };
    world.github.push({ repository: REPOSITORY, branch, files });
    await world.settles();
    const pull = await planned(world.opensPullRequest({ base: branch }), EXPENSIVE);
    const run = world.checkOf(pull);
    expect(run.conclusion).toBe(conclusion);
    expect(run.actions).toMatchInlineSnapshot(`
      [
        {
          "description": "Read everything again and decide again",
          "identifier": "recheck",
          "label": "Re-check",
        },
      ]
    `);
    const reads = () => world.github.requests.count({ path: /graphql/ });
    const before = reads();
    world.github.requestCheckAction({ checkRunId: run.id, identifier: "recheck" });
    await world.settles();
    expect(reads()).toBeGreaterThan(before);
  });
});
