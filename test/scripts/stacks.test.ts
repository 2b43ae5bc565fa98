import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { joins } from "../world/conversation.ts";
import { CHEAP, EXPENSIVE } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

/** Databases are limited, and other files are not. */
const POLICY = `version: 1
rules:
  - { id: databases, limit: { increase: 100 USD }, scope: { paths: ["infra/db/**"] } }
`;
const CHECK = "tollgate: main";

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: POLICY });
  joins(world);
  const requiredChecks = [{ context: CHECK, appId: world.appId }];
  world.github.protectBranch({ repository: REPOSITORY, branch: "main", requiredChecks });
});
afterAll(() => world.ends());
afterEach(() => world.github.faults.clear());

type Pull = ReturnType<SimulatedWorld["opensPullRequest"]>;
let made = 0;
/** Pull requests on top of each other, lowest first, each with these files; the lowest targets main. */
function opensChain(...levels: readonly Readonly<Record<string, string>>[]): readonly Pull[] {
  made += 1;
  const pulls: Pull[] = [];
  for (const [index, files] of levels.entries()) {
    const base = pulls.at(-1)?.headRef;
    pulls.push(
      world.opensPullRequest({
        files,
        branch: `stack-${made}-${index}`,
        ...(base !== undefined && { base }),
      }),
    );
  }
  return pulls;
}
const database = () => ({ [`infra/db/${made}.tf`]: "# a database\n" });
const words = (text = "words") => ({ [`docs/${made}-${text}.md`]: `${text}\n` });
const plans = async (pull: Pull, cost: typeof CHEAP) => {
  const { headSha: sha } = pull;
  await world.ci.runs({ sha, workspace: `of-${pull.number}`, cost, changes: [] });
  await world.settles();
};
const policyOfMain = async (text: string) => {
  world.github.push({ repository: REPOSITORY, branch: "main", files: { ".github/tollgate.yml": text } });
  await world.settles();
};
const stacks = async (pulls: readonly Pull[]) => {
  world.github.createStack(pulls);
  await world.settles();
};
/** Two in a stack, the lower one with a database of this cost, the upper one with words. */
async function opensPair(cost: typeof CHEAP): Promise<readonly [Pull, Pull]> {
  const [lower, upper] = opensChain(database(), words());
  if (lower === undefined || upper === undefined) throw new Error("two were opened");
  await stacks([lower, upper]);
  await plans(lower, cost);
  return [lower, upper];
}
const summary = (pull: Pull) => world.checkOf(world.github.pullRequest(pull)).output.summary;

describe("a pull request above another one in a stack", () => {
  it("does not open the trunk for its head by a success that was about its own part alone", async () => {
    const [lower, upper] = await opensPair(EXPENSIVE);
    await plans(upper, CHEAP);
    expect([world.gate(lower), world.gate(upper)]).toEqual(["failure", "failure"]);
    world.github.deliveries.hold({});
    const { headRef: head } = upper;
    const real = world.github.openPullRequest({ repository: REPOSITORY, head, base: "main", title: "Real" });
    const { allowed } = world.github.mergeability(real);
    await world.github.deliveries.release();
    await world.settles();
    expect(allowed).toBe(false);
    expect(world.gate(upper)).toBe("failure");
    world.github.closePullRequest(real);
    await world.settles();
  });

  it("has the trunk's check about all that it brings, says what it includes, and merges with what is below", async () => {
    const [lower, upper] = await opensPair(CHEAP);
    await plans(upper, CHEAP);
    expect([world.gate(upper), world.gate(upper, `tollgate: ${lower.headRef}`)]).toEqual(["success", null]);
    expect(world.comment(upper)).toContain(`Includes #${lower.number} below it`);
    expect(world.github.mergeability(upper).allowed).toBe(true);
    world.github.mergePullRequest(upper);
    await world.settles();
    expect(world.github.pullRequest(lower).mergedAt).not.toBeNull();
    const over = await world.bot.session.store.db
      .selectFrom("decisions")
      .select("record")
      .where("number", "in", [lower.number, upper.number])
      .execute();
    expect(over.filter(({ record }) => JSON.stringify(record).includes('"kind":"merge"'))).toEqual([]);
  });

  it("is evaluated by the rules of paths that only those below it change", async () => {
    const [lower, upper] = await opensPair(CHEAP);
    await plans(upper, EXPENSIVE);
    expect([world.gate(lower), world.gate(upper)]).toEqual(["success", "failure"]);
    expect(summary(upper)).toContain("databases");
  });

  it("waits for those below it, and follows each of their verdicts", async () => {
    const [lower, middle, upper] = opensChain(database(), words("a"), words("b"));
    if (lower === undefined || middle === undefined || upper === undefined) throw new Error("three");
    await stacks([lower, middle, upper]);
    await plans(middle, CHEAP);
    await plans(upper, CHEAP);
    const gates = () => [lower, middle, upper].map((pull) => world.gate(pull));
    expect(gates()).toEqual(["in_progress", "in_progress", "in_progress"]);
    await plans(lower, CHEAP);
    expect(gates()).toEqual(["success", "success", "success"]);
    await plans(lower, EXPENSIVE);
    expect(gates()).toEqual(["failure", "failure", "failure"]);
    expect(summary(upper)).toContain(`#${lower.number}: its check does not pass`);
    await plans(lower, CHEAP);
    expect(gates()).toEqual(["success", "success", "success"]);
  });

  it("does not pass while a lower head moved on without it", async () => {
    const [lower, upper] = await opensPair(CHEAP);
    await plans(upper, CHEAP);
    expect(world.gate(upper)).toBe("success");
    const { after } = world.github.push({
      repository: REPOSITORY,
      branch: lower.headRef,
      files: words("new"),
    });
    await world.settles();
    await plans(world.github.pullRequest(lower), CHEAP);
    expect(world.gate(world.github.pullRequest(lower))).toBe("success");
    expect(world.gate(upper)).toBe("failure");
    expect(summary(upper)).toContain(`#${lower.number}: this head does not contain its present head`);
    world.github.forcePush({ repository: REPOSITORY, branch: upper.headRef, files: words("b"), onto: after });
    await world.settles();
    const rebased = world.github.pullRequest(upper);
    await plans(rebased, CHEAP);
    expect(world.gate(rebased)).toBe("success");
  });

  it("does not pass by a verdict on an earlier head below it", async () => {
    const [lower, upper] = await opensPair(CHEAP);
    await plans(upper, CHEAP);
    world.github.deliveries.drop({});
    const { headRef: branch } = lower;
    const { after: onto } = world.github.push({ repository: REPOSITORY, branch, files: words("unheard") });
    world.github.deliveries.clearFaults();
    world.github.forcePush({ repository: REPOSITORY, branch: upper.headRef, files: words(), onto });
    await world.settles();
    await plans(world.github.pullRequest(upper), CHEAP);
    expect(world.gate(world.github.pullRequest(upper))).not.toBe("success");
  });

  it("shows an edit of the policy that is below it", async () => {
    const files = { ".github/tollgate.yml": POLICY.replace("100 USD", "5 USD") };
    const [lower, upper] = opensChain(files, words());
    if (lower === undefined || upper === undefined) throw new Error("two were opened");
    await stacks([lower, upper]);
    await plans(upper, CHEAP);
    expect(world.comment(upper)).toContain("databases");
    expect(world.comment(upper)).toContain("edits the policy");
  });

  it("is not approved by those who wrote what is below it", async () => {
    const approvable = POLICY.replace(/ }\n$/, ", approve: { teams: [finops] } }\n");
    await policyOfMain(approvable);
    const [lower, upper] = opensChain(database(), words());
    if (lower === undefined || upper === undefined) throw new Error("two were opened");
    world.github.push({ repository: REPOSITORY, branch: lower.headRef, files: database(), by: "grace" });
    const { after: onto } = world.github.push({
      repository: REPOSITORY,
      branch: lower.headRef,
      files: { [`infra/db/${made}.tf`]: "# grace's\n" },
      by: "grace",
    });
    world.github.forcePush({ repository: REPOSITORY, branch: upper.headRef, files: words(), onto });
    await stacks([lower, upper]);
    const [below, above] = [world.github.pullRequest(lower), world.github.pullRequest(upper)];
    await plans(below, EXPENSIVE);
    await plans(above, EXPENSIVE);
    const approves = async (pull: Pull, by: string) => {
      await world.timePasses(1_100);
      world.github.addComment(pull, { by, body: `/tollgate approve ${pull.headSha} up to 600 USD needed` });
      await world.settles();
    };
    await approves(below, "heidi");
    await approves(above, "grace");
    expect([world.gate(below), world.gate(above)]).toEqual(["success", "action_required"]);
    await approves(above, "heidi");
    expect(world.gate(above)).toBe("success");
    await policyOfMain(POLICY);
  });

  it("changes its check with its stack", async () => {
    const [lower, upper] = opensChain(database(), words());
    if (lower === undefined || upper === undefined) throw new Error("two were opened");
    await plans(lower, CHEAP);
    await plans(upper, CHEAP);
    const gates = () => [world.gate(upper), world.gate(upper, `tollgate: ${lower.headRef}`)];
    expect(gates()).toEqual([null, "success"]);
    world.github.requests.clear();
    world.github.editPullRequest(upper, { title: "Other words" });
    await world.settles();
    expect(world.github.requests.list()).toEqual([]);
    await stacks([lower, upper]);
    expect(gates()).toEqual(["success", "failure"]);
    world.github.unstack(upper);
    await world.settles();
    expect(gates()).toEqual(["failure", "success"]);
  });

  it("is none on a server that knows no stacks, and never passes where GitHub does not show the stack", async () => {
    const [lower, upper] = await opensPair(CHEAP);
    const match = { path: /\/stacks\?/ };
    world.github.faults.add({ kind: "status", status: 500, times: 1_000, match });
    await world.ci.runs({ sha: upper.headSha, cost: CHEAP, changes: [] });
    await world.goesOn(60_000);
    expect(world.gate(upper)).not.toBe("success");
    world.github.faults.clear();
    world.github.faults.add({ kind: "status", status: 404, times: 1_000, match });
    await world.timePasses(60 * 60_000);
    await world.bot.sweep();
    await world.settles();
    expect(world.gate(upper)).not.toBe("success");
    expect(world.gate(lower)).toBe("success");
  });
});

describe("a merge group with a stack", () => {
  it("passes when all of it passes, counts what includes the others once, and fails nothing behind it", async () => {
    const [lower, upper] = await opensPair({ before: "10", after: "70", change: "60" });
    await plans(upper, { before: "10", after: "80", change: "70" });
    const other = world.opensPullRequest({ files: words("other") });
    await world.settles();
    const group = world.github.addToMergeQueue([lower, upper]);
    const behind = world.github.addToMergeQueue([other]);
    await world.settles();
    expect([world.gate(group), world.gate(behind)]).toEqual(["success", "success"]);
    world.github.destroyMergeGroup(behind.id, "dequeued");
    world.github.destroyMergeGroup(group.id, "dequeued");
    await world.settles();
  });

  it("fails when a pull request of it does not pass", async () => {
    const [lower, upper] = await opensPair(EXPENSIVE);
    await plans(upper, CHEAP);
    const group = world.github.addToMergeQueue([lower, upper]);
    await world.settles();
    expect(world.gate(group)).toBe("failure");
    world.github.destroyMergeGroup(group.id, "dequeued");
    await world.settles();
  });
});

it("a merge group passes on a plan that is older than a merge of the same resource where the planned head contains what was merged", async () => {
  const [lower, chained] = opensChain(database(), words());
  if (lower === undefined || chained === undefined) throw new Error("two were opened");
  const { headRef: head } = chained;
  const upper = world.github.openPullRequest({ repository: REPOSITORY, head, base: "main", title: "Both" });
  const [change, workspace] = ["changed", `of-${lower.number}`] as const;
  const changes = [{ address: "aws_a.x", change }];
  for (const { headSha: sha } of [lower, upper])
    await world.ci.runs({ sha, workspace, cost: CHEAP, changes, executionId: `${workspace}-${sha}` });
  await world.settles();
  const first = world.github.addToMergeQueue([lower]);
  await world.settles();
  world.github.destroyMergeGroup(first.id, "merged");
  await world.settles();
  const second = world.github.addToMergeQueue([upper]);
  await world.settles();
  expect(world.gate(second)).toBe("success");
  world.github.destroyMergeGroup(second.id, "dequeued");
});
