import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findEvaluation } from "../../src/store/evaluations.ts";
import { eventually } from "../world/eventually.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
comment: { sections: [changes, costs] }
`;

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: POLICY });
});
afterAll(() => world.ends());

const costing = (change: number) => ({
  before: "10",
  after: String(10 + change),
  change: String(change),
});

async function planned(pull: { readonly headSha: string }, change: number): Promise<void> {
  await world.ci.runs({ sha: pull.headSha, cost: costing(change), changes: [] });
  await world.settles();
}

const lastOf = (pull: ReturnType<World["opensPullRequest"]>): string => world.comments(pull).at(-1) ?? "";

describe("a pull request that is pushed again", () => {
  it("shows what the push did to its cost, and still does when it is evaluated again", async () => {
    const first = world.opensPullRequest({ branch: "cheaper" });
    await planned(first, 500);
    expect(lastOf(first)).not.toContain("Since the last push");
    world.github.push({ repository: REPOSITORY, branch: first.headRef, files: { "infra/more.tf": "#\n" } });
    await planned(world.github.pullRequest(first), 380);
    const since = `Since the last push (\`${first.headSha.slice(0, 8)}\`): **−$120.00** per month.`;
    expect(lastOf(first)).toContain(since);
    const [shown] = world.github.comments(first);
    expect(shown?.body).toContain("**−\u2060$120.00** per month"); // on a page the sign stays with its amount
    await planned(world.github.pullRequest(first), 380);
    expect(lastOf(first)).toContain(since);
  });

  it("has its sections in the policy's order, and what blocks in any case", async () => {
    const pull = world.opensPullRequest({ branch: "ordered" });
    await planned(pull, 500);
    const headings = [...lastOf(pull).matchAll(/^#### (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(["Why", "What changes", "Cost per month"]);
  });
});

describe("an error of ours", () => {
  const down = (path: RegExp) =>
    world.github.faults.add({
      kind: "status",
      status: 502,
      times: Number.POSITIVE_INFINITY,
      match: { path },
    });
  afterEach(() => world.github.faults.clear());

  /** GitHub answers nothing until we say of this head that we failed. */
  async function fails(pull: ReturnType<World["opensPullRequest"]>): Promise<void> {
    await eventually(async () => {
      const kept = await findEvaluation(world.bot.session.store.db, pull);
      expect(kept?.evaluation.pull.headSha).toBe(pull.headSha);
      expect(kept?.evaluation.situation).toEqual({ kind: "failed", cause: "own_error" });
      expect(kept?.evaluation.sections).toEqual(["changes", "costs"]); // as the policy last asked for it
    });
  }
  const pushes = (pull: { readonly headRef: string }) =>
    world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/fixed.tf": "#\n" } });
  const since = ({ headSha }: { readonly headSha: string }) =>
    `Since the last push (\`${headSha.slice(0, 8)}\`): **−$120.00** per month.`;

  it("takes nothing away from the head that it met, when it is pushed again", {
    timeout: 90_000,
  }, async () => {
    const first = world.opensPullRequest({ branch: "met-before" });
    await planned(first, 500);
    down(/graphql/);
    world.github.requestCheckAction({ checkRunId: world.checkOf(first).id, identifier: "recheck" });
    await fails(first);
    pushes(first);
    world.github.faults.clear();
    await planned(world.github.pullRequest(first), 380);
    expect(lastOf(first)).toContain(since(first));
  });

  it("on a new head leaves it compared with the one before", { timeout: 120_000 }, async () => {
    const first = world.opensPullRequest({ branch: "met-after" });
    await planned(first, 500);
    down(/check-runs/);
    pushes(first);
    await fails(world.github.pullRequest(first));
    world.github.faults.clear();
    await planned(world.github.pullRequest(first), 380);
    expect(lastOf(first)).toContain(since(first));
  });
});
