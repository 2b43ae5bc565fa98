import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { evaluatePull, joins } from "../world/conversation.ts";
import { CHEAP } from "../world/costs.ts";
import { decisions } from "../world/decisions.ts";
import { REPOSITORY } from "../world/places.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
override: { users: [ivan] }
`;

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: POLICY });
  joins(world);
});
afterAll(() => world.ends());
afterEach(() => world.github.deliveries.clearFaults());

type Pull = ReturnType<SimulatedWorld["opensPullRequest"]>;

async function merges(pull: Pull, by = "olga") {
  world.github.mergePullRequest(pull, by);
  await world.settles();
  return decisions(world, pull, "merge");
}

/** How a merged pull request got through, as lists have it. */
const readMerged = async ({ repositoryId, number }: Pick<Pull, "repositoryId" | "number">) => {
  const { db } = world.bot.session.store;
  const row = await db
    .selectFrom("merged_pulls")
    .selectAll()
    .where("repository_id", "=", repositoryId)
    .where("number", "=", number)
    .executeTakeFirstOrThrow();
  const parts = await db
    .selectFrom("merged_parts as part")
    .innerJoin("merged_items as item", "item.item_id", "part.item_id")
    .select(["item.part", "item.name", "item.kind", "item.detail", "item.currency", "part.change"])
    .where("part.repository_id", "=", repositoryId)
    .where("part.number", "=", number)
    .orderBy("part.position")
    .execute();
  const of = (part: string) => parts.filter((one) => one.part === part);
  return { ...row, totals: of("total"), tags: of("tag") };
};

describe("a merge is recorded", () => {
  it("over a failing check: who merged, the check, and what was open", async () => {
    const { pull } = await evaluatePull(world);
    const [merge, ...more] = await merges(world.github.pullRequest(pull));
    expect(more).toEqual([]);
    expect(await readMerged(pull)).toMatchObject({
      ...{ way: "over_check", verdict: "block", cost: "known", merged_by_login: "olga", consents: [] },
      totals: [{ name: "acme-admin", currency: "USD", change: "500", kind: "over_check" }],
    });
    expect(merge).toMatchObject({
      kind: "merge",
      headSha: pull.headSha,
      baseRef: "main",
      mergeSha: world.github.pullRequest(pull).mergeCommitSha,
      mergedBy: { login: "olga" },
      checkName: "tollgate: main",
      check: "failure",
      situation: "evaluated",
      open: [
        {
          rule: "monthly-increase",
          outcome: "violated",
          subject: null,
          amount: { amount: "500", currency: "USD" },
          limit: { amount: "100", currency: "USD" },
        },
      ],
    });
  });

  it("while executions were awaited", async () => {
    const { pull } = await evaluatePull(world, { status: null });
    expect(await merges(world.github.pullRequest(pull))).toMatchObject([{ check: "in_progress", open: [] }]);
  });

  it("once, although its delivery comes twice and the pull request is evaluated again", async () => {
    const { pull } = await evaluatePull(world);
    await merges(world.github.pullRequest(pull));
    world.github.addLabel(pull, { label: "again" });
    await world.settles();
    expect(await decisions(world, pull, "merge")).toHaveLength(1);
  });

  it("of a head that never got a check, when it was pushed and merged at once", async () => {
    const { pull } = await evaluatePull(world, { cost: CHEAP });
    const { headRef } = world.github.pullRequest(pull);
    world.github.deliveries.drop({ event: "pull_request" });
    world.github.deliveries.drop({ event: "push" });
    const files = { "infra/more.tf": "# late" };
    const { after } = world.github.push({ repository: REPOSITORY, branch: headRef, files });
    world.github.deliveries.clearFaults();
    const [merge] = await merges(world.github.pullRequest(pull));
    expect(merge).toMatchObject({ headSha: after, check: "missing", situation: null, open: [] });
    const unread = { way: "over_check", verdict: null, cost: "unknown", totals: [] };
    expect(await readMerged(pull)).toMatchObject(unread);
  });

  it("when a merge queue merged it", async () => {
    const { pull } = await evaluatePull(world);
    const group = world.github.addToMergeQueue([pull]);
    await world.settles();
    world.github.destroyMergeGroup(group.id, "merged");
    await world.settles();
    expect(await decisions(world, pull, "merge")).toMatchObject([{ check: "failure" }]);
  });
});

describe("a merge is not recorded", () => {
  it("where the check passed, or was overridden", async () => {
    const cheap = await evaluatePull(world, { cost: CHEAP });
    expect(await merges(world.github.pullRequest(cheap.pull))).toEqual([]);
    expect(await readMerged(cheap.pull)).toMatchObject({ way: "passed", verdict: "pass" });
    const overridden = await evaluatePull(world);
    await overridden.says("ivan", `/tollgate override ${overridden.pull.headSha} the site is down`);
    expect(overridden.gate()).toBe("success");
    expect(await merges(world.github.pullRequest(overridden.pull))).toEqual([]);
    const consents = [{ login: "ivan", upTo: null }];
    expect(await readMerged(overridden.pull)).toMatchObject({
      way: "overridden",
      verdict: "block",
      consents,
    });
  });

  it("where there was no policy, though the merge brings one", async () => {
    world.github.push({ repository: REPOSITORY, branch: "free", files: { ".github/tollgate.yml": null } });
    const pull = world.opensPullRequest({ base: "free", files: { ".github/tollgate.yml": POLICY } });
    await world.settles();
    expect(await merges(pull)).toEqual([]);
    expect(await readMerged(pull)).toMatchObject({ way: "no_check", verdict: null });
  });

  it("where approvals let the check pass: by whom, and up to which amount", async () => {
    const policy = `${POLICY}report: { by_tag: team }\n`.replace(
      "USD } }",
      "USD }, approve: { users: [grace] } }",
    );
    const files = { ".github/tollgate.yml": policy };
    world.github.push({ repository: REPOSITORY, branch: "approving", files });
    const approved = await evaluatePull(world, {}, { base: "approving" });
    await approved.signs("grace", "up to 550 USD agreed");
    expect(await merges(world.github.pullRequest(approved.pull))).toEqual([]);
    expect(await readMerged(approved.pull)).toMatchObject({
      ...{ way: "approved", verdict: "pass", cost: "known" },
      consents: [{ login: "grace", upTo: { amount: "550", currency: "USD" } }],
      tags: [{ detail: "team", kind: "unattributed", change: "500" }],
    });
  });

  it("where the pull request is closed without a merge", async () => {
    const { pull } = await evaluatePull(world);
    world.github.closePullRequest(pull);
    await world.settles();
    expect(await decisions(world, pull, "merge")).toEqual([]);
  });
});
