import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { removeJoiners } from "../../src/render/sign-joiners.ts";
import { findEvaluation } from "../../src/store/evaluations.ts";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { CHEAP, EXPENSIVE } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

const policy = (mode: string, more = "") => `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
comment: { mode: ${mode}${more} }
`;

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: policy("new") });
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

const planned = (...plan: Parameters<SimulatedWorld["plans"]>) => world.plans(...plan);
type Pull = ReturnType<SimulatedWorld["opensPullRequest"]>;

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

describe("in the mode new, a report", () => {
  it("begins a further comment for what changed, not while it waits; without a change the newest comment follows the head", async () => {
    const pull = await opened(await base("new"));
    const now = await pushed(pull, CHEAP);
    expect(seen(pull)).toHaveLength(1);
    expect(world.comment(pull)).toContain(now.headSha.slice(0, 8));
    world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/waits.tf": "#\n" } });
    await world.settles();
    expect(world.gate(world.github.pullRequest(pull), `tollgate: ${pull.baseRef}`)).toBe("in_progress");
    expect(seen(pull)).toHaveLength(1);
    await pushed(pull, EXPENSIVE);
    expect(seen(pull)).toMatchInlineSnapshot(`
      [
        "shown: Passed: +$10.00 per month (+100%)",
        "shown: Blocked: +$500.00 per month (+5,000%)",
      ]
    `);
  });

  it("is not doubled by a lost answer", async () => {
    const pull = await opened(await base("new"));
    const lost = { kind: "lost-response-after-write" } as const;
    world.github.faults.add({ ...lost, match: { method: "POST", path: /comments$/ } });
    await pushed(pull, EXPENSIVE);
    expect(seen(pull)).toHaveLength(2);
  });
});

describe("in the mode hide-and-new, a report", () => {
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

describe("in the mode delete-and-new, a report", () => {
  it("deletes its own earlier comment, and nobody else's", async () => {
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

it.each([
  [
    "hide-and-new",
    ["outdated: Passed: +$10.00 per month (+100%)", "shown: Blocked: +$500.00 per month (+5,000%)"],
  ],
  ["delete-and-new", ["shown: Blocked: +$500.00 per month (+5,000%)"]],
])(
  "in the mode %s, one comment shows in the end, the newest, though the process was killed while the earlier one was put away",
  async (mode, left) => {
    const pull = await opened(await base(mode));
    const match =
      mode === "hide-and-new"
        ? { method: "POST", body: /minimizeComment/ }
        : { method: "DELETE", path: /issues\/comments\/\d+$/ };
    world.github.faults.add({ kind: "delay", ms: 1_500, match });
    world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/killed.tf": "#\n" } });
    await world.ci.runs({ sha: world.github.pullRequest(pull).headSha, cost: EXPENSIVE, changes: [] });
    for (let ms = 0; ms < 5_000 && world.github.faults.hits() === 0; ms += 100) await world.goesOn(100);
    expect(world.github.faults.hits()).toBe(1);
    await world.isKilled();
    await world.goesOn(1_500); // what was sent takes effect, though nobody receives the answer
    await world.starts();
    await world.settles();
    expect(seen(pull)).toEqual(left);
  },
);

describe("back in the mode update, a report", () => {
  it("is one comment again", async () => {
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

it("in the mode new, a head that changes no cost begins no comment where the policy is quiet about it", async () => {
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

const costing = (change: number) => ({
  before: "10",
  after: String(10 + change),
  change: String(change),
});

async function costs(pull: { readonly headSha: string }, change: number): Promise<void> {
  await world.ci.runs({ sha: pull.headSha, cost: costing(change), changes: [] });
  await world.settles();
}

const lastOf = (pull: Pull): string => world.comments(pull).at(-1) ?? "";

/** From now on, reports into `main` have only these sections. */
async function asksForSections(): Promise<void> {
  const text = policy("update").replace(/\ncomment.*\n/, "\ncomment: { sections: [changes, costs] }\n");
  world.github.push({ repository: REPOSITORY, branch: "main", files: { ".github/tollgate.yml": text } });
  await world.settles();
}

describe("a report after a push", () => {
  beforeAll(asksForSections);

  it("shows what the push did to the cost, and still does when it is evaluated again", async () => {
    const first = world.opensPullRequest({ branch: "cheaper" });
    await costs(first, 500);
    expect(lastOf(first)).not.toContain("Since the last push");
    const headings = [...lastOf(first).matchAll(/^#### (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(["Why", "What changes", "Cost per month"]); // what blocks, in any case
    world.github.push({ repository: REPOSITORY, branch: first.headRef, files: { "infra/more.tf": "#\n" } });
    await costs(world.github.pullRequest(first), 380);
    const since = `Since the last push (\`${first.headSha.slice(0, 8)}\`): **−$120.00** per month.`;
    expect(lastOf(first)).toContain(since);
    const [shown] = world.github.comments(first);
    expect(shown?.body).toContain("**−\u2060$120.00** per month"); // on a page the sign stays with its amount
    await costs(world.github.pullRequest(first), 380);
    expect(lastOf(first)).toContain(since);
  });
});

describe("an error of ours", () => {
  beforeAll(asksForSections);
  const down = (path: RegExp) =>
    world.github.faults.add({
      kind: "status",
      status: 502,
      times: Number.POSITIVE_INFINITY,
      match: { path },
    });
  afterEach(() => world.github.faults.clear());

  /** GitHub does not answer until this head is stored as one on which we failed. */
  async function fails(pull: Pull): Promise<void> {
    const read = () => findEvaluation(world.bot.session.store.db, pull);
    let kept = await read();
    for (let minutes = 0; kept?.evaluation.situation.kind !== "failed" && minutes < 20; minutes += 1) {
      await world.goesOn(60_000);
      kept = await read();
    }
    expect(kept?.evaluation.pull.headSha).toBe(pull.headSha);
    expect(kept?.evaluation.situation).toEqual({ kind: "failed", cause: "own_error" });
    expect(kept?.evaluation.sections).toEqual(["changes", "costs"]); // as the policy last asked for it
  }
  const pushesFix = (pull: { readonly headRef: string }) =>
    world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/fixed.tf": "#\n" } });
  const since = ({ headSha }: { readonly headSha: string }) =>
    `Since the last push (\`${headSha.slice(0, 8)}\`): **−$120.00** per month.`;

  it("takes nothing away from the head on which it happened, when it is pushed again", async () => {
    const first = world.opensPullRequest({ branch: "met-before" });
    await costs(first, 500);
    down(/graphql/);
    world.github.requestCheckAction({ checkRunId: world.checkOf(first).id, identifier: "recheck" });
    await fails(first);
    pushesFix(first);
    world.github.faults.clear();
    await costs(world.github.pullRequest(first), 380);
    expect(lastOf(first)).toContain(since(first));
  });

  it("on a new head leaves the one after it compared with the head before", async () => {
    const first = world.opensPullRequest({ branch: "met-after" });
    await costs(first, 500);
    down(/check-runs/);
    pushesFix(first);
    await fails(world.github.pullRequest(first));
    world.github.faults.clear();
    await costs(world.github.pullRequest(first), 380);
    expect(lastOf(first)).toContain(since(first));
  });
});
