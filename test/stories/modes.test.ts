import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { removeJoiners } from "../../src/render/sign-joiners.ts";
import { CHEAP, EXPENSIVE } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";

const policy = (mode: string, more = "") => `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
comment: { mode: ${mode}${more} }
`;

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: policy("new") });
});
afterAll(() => world.ends());
afterEach(() => world.github.faults.clear());

/** A branch of its own for each way of commenting. */
async function base(mode: string, more = ""): Promise<string> {
  const branch = `as-${mode}-${world.github.requests.count()}`;
  world.github.push({
    repository: REPOSITORY,
    branch,
    files: { ".github/tollgate.yml": policy(mode, more) },
  });
  await world.settles();
  return branch;
}

const planned = (...plan: Parameters<World["plans"]>) => world.plans(...plan);
type Pull = ReturnType<World["opensPullRequest"]>;

async function opened(baseRef: string, cost = CHEAP): Promise<Pull> {
  const pull = world.opensPullRequest({
    base: baseRef,
    branch: `to-${baseRef}-${world.github.requests.count()}`,
  });
  await planned(pull, cost);
  return pull;
}

/** Pushes to it, and plans that head. */
async function pushed(pull: Pull, cost = CHEAP): Promise<Pull> {
  const { headRef } = pull;
  world.github.push({
    repository: REPOSITORY,
    branch: headRef,
    files: { [`infra/${world.github.requests.count()}.tf`]: "#\n" },
  });
  const now = world.github.pullRequest(pull);
  await planned(now, cost);
  return now;
}

/** Each comment of ours: folded or not, and the verdict it leads with. */
const seen = (pull: Pull): readonly string[] =>
  world.github
    .comments(pull)
    .filter(({ appId }) => appId === world.appId)
    .map(
      ({ body, minimised }) =>
        `${minimised ?? "shown"}: ${removeJoiners(body)
          .split("\n")[0]
          ?.replace(/^### \S+ /u, "")}`,
    );

describe("new", () => {
  it("begins a further comment when something changed, and leaves the earlier ones", async () => {
    const pull = await opened(await base("new"));
    await pushed(pull, EXPENSIVE);
    expect(seen(pull)).toMatchInlineSnapshot(`
      [
        "shown: Passed: +$10.00 per month (+100%)",
        "shown: Blocked: +$500.00 per month (+5,000%)",
      ]
    `);
  });

  it("says nothing again when a push changes nothing; the newest comment follows the head", async () => {
    const pull = await opened(await base("new"));
    const now = await pushed(pull, CHEAP);
    expect(seen(pull)).toHaveLength(1);
    expect(world.comment(pull)).toContain(now.headSha.slice(0, 8));
  });

  it("does not comment on waiting", async () => {
    const pull = await opened(await base("new"));
    world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/waits.tf": "#\n" } });
    await world.settles();
    expect(world.gate(world.github.pullRequest(pull), `tollgate: ${pull.baseRef}`)).toBe("in_progress");
    expect(seen(pull)).toHaveLength(1);
  });

  it("is not doubled by a lost answer", async () => {
    const pull = await opened(await base("new"));
    const lost = { kind: "lost-response-after-write" } as const;
    world.github.faults.add({ ...lost, match: { method: "POST", path: /comments$/ } });
    await pushed(pull, EXPENSIVE);
    expect(seen(pull)).toHaveLength(2);
  });
});

describe("hide-and-new", () => {
  it("folds the earlier comments as outdated, and nobody else's", async () => {
    const pull = await opened(await base("hide-and-new"));
    world.github.addComment(pull, { body: "### ✅ Passed: +$10.00 per month", by: "ci" });
    await pushed(pull, EXPENSIVE);
    await pushed(pull, CHEAP);
    expect(seen(pull)).toMatchInlineSnapshot(`
      [
        "outdated: Passed: +$10.00 per month (+100%)",
        "outdated: Blocked: +$500.00 per month (+5,000%)",
        "shown: Passed: +$10.00 per month (+100%)",
      ]
    `);
    const others = world.github.comments(pull).filter(({ appId }) => appId === null);
    expect(others.map(({ minimised }) => minimised)).toEqual([null]);
  });

  it("shows the newest although GitHub does not fold one, which is folded a moment later", async () => {
    const pull = await opened(await base("hide-and-new"));
    world.github.faults.add({
      kind: "status",
      status: 403,
      match: { method: "GET", path: /issues\/comments\/\d+$/ },
    });
    await pushed(pull, EXPENSIVE);
    expect(world.gate(world.github.pullRequest(pull), `tollgate: ${pull.baseRef}`)).toBe("failure");
    expect(seen(pull).map((line) => line.split(":")[0])).toEqual(["outdated", "shown"]);
    await pushed(pull, CHEAP);
    expect(seen(pull).map((line) => line.split(":")[0])).toEqual(["outdated", "outdated", "shown"]);
  });
});

describe("delete-and-new", () => {
  it("takes its own earlier comment away, after the newest is there", async () => {
    const pull = await opened(await base("delete-and-new"));
    world.github.addComment(pull, { body: "I like it", by: "ci" });
    const [first] = world.github.comments(pull).filter(({ appId }) => appId === world.appId);
    await pushed(pull, EXPENSIVE);
    expect(seen(pull)).toHaveLength(1);
    expect(world.comment(pull)).toContain("Blocked");
    expect(world.github.comments(pull).map(({ id }) => id)).not.toContain(first?.id);
    expect(world.github.comments(pull)).toHaveLength(2);
  });
});

describe("back to update", () => {
  it("leaves one comment", async () => {
    const branch = await base("new");
    const pull = await opened(branch);
    await pushed(pull, EXPENSIVE);
    expect(seen(pull)).toHaveLength(2);
    world.github.push({
      repository: REPOSITORY,
      branch,
      files: { ".github/tollgate.yml": policy("update") },
    });
    await world.settles();
    expect(seen(pull)).toHaveLength(1);
    expect(world.comment(pull)).toContain("Blocked");
  });
});

it("quiet and new: a head that changes nothing begins no comment", async () => {
  const pull = world.opensPullRequest({ base: await base("new", ", on_no_change: quiet") });
  await planned(pull, { before: "10", after: "10", change: "0" });
  expect(seen(pull)).toEqual([]);
  await pushed(pull, CHEAP);
  expect(seen(pull)).toHaveLength(1);
});

describe("a comment whose reason has gone", () => {
  const SMALL = { before: "10", after: "15", change: "5" };
  it.each([
    ["update", ", min_change: 10 USD", []],
    ["delete-and-new", ", min_change: 10 USD", []],
    ["hide-and-new", ", min_change: 10 USD", ["outdated: Passed: +$10.00 per month (+100%)"]],
    ["update", "", ["shown: Passed: +$5.00 per month (+50%)"]],
  ])("under %s%s is deleted, folded, or updated", async (...[mode, more, expected]) => {
    const pull = await opened(await base(mode, more), CHEAP);
    expect(seen(pull)).toEqual(["shown: Passed: +$10.00 per month (+100%)"]);
    const small = await pushed(pull, SMALL);
    expect(seen(small)).toEqual(expected);
    const again = await pushed(small, EXPENSIVE);
    expect(seen(again).at(-1)).toBe("shown: Blocked: +$500.00 per month (+5,000%)");
  });
});
