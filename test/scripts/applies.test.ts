import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { computePlanDigests, parsePlanDigests } from "../../src/evaluate/plan-digests.ts";
import { decimal } from "../../src/kernel/money.ts";
import type { WorkspacePlan } from "../../src/policy/model/apply.ts";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { CHEAP, STRICT } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

let world: SimulatedWorld;
const digest = { kind: "slack", url: "http://127.0.0.1:1/x", digest: "daily" };
beforeAll(async () => {
  world = await createSimulatedWorld({
    policy: STRICT,
    operator: () => ({ notifications: { targets: [{ name: "ops", on: ["apply-refused"], ...digest }] } }),
  });
});
afterAll(() => world.ends());

type Pull = ReturnType<SimulatedWorld["opensPullRequest"]>;

/** Opens a pull request that adds a thing to a workspace, and runs its pipeline. */
async function plans(address: string, workspace: string): Promise<Pull> {
  const pull = world.opensPullRequest();
  const changes = [{ address, change: "added" as const }];
  await world.ci.runs({ sha: pull.headSha, workspace, cost: CHEAP, changes });
  await world.settles();
  return pull;
}

const planOf = (workspace: string, addresses: readonly string[], change = "10"): WorkspacePlan => ({
  workspace,
  isComplete: true,
  cost: {
    ...{ state: "known", currency: "USD", before: decimal("10") },
    ...{ after: decimal(String(10 + Number(change))), change: decimal(change) },
  },
  changes: addresses.map((address) => ({ address, action: "added", before: null, after: null })),
});

async function verifies(sha: string | null, plan: WorkspacePlan) {
  const answer = await world.fetch(`${world.bot.url}/api/v1/applies`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await world.ci.token({ purpose: "import" })}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ repository: REPOSITORY, sha, plan }),
  });
  return answer.json();
}

const mergeShaOf = (pull: Pull): string | null => world.github.pullRequest(pull).mergeCommitSha;

describe("the apply gate of a running Tollgate", () => {
  it("accepts the apply of a merge at once, although no delivery has told of the merge yet", async () => {
    const pull = await plans("aws_thing.one", "early");
    world.github.deliveries.drop({ event: "pull_request" });
    world.github.mergePullRequest(pull, "ci");
    world.github.deliveries.clearFaults();
    expect(await verifies(mergeShaOf(pull), planOf("early", ["aws_thing.one"]))).toMatchObject({
      result: { kind: "within", cost: "compared" },
      pulls: [pull.number],
    });
  });

  it.each(["squash", "rebase"] as const)(
    "accepts the apply of a %s, at its last commit alone",
    async (method) => {
      const { headRef: branch, ...pull } = world.github.pullRequest(world.opensPullRequest());
      const { after } = world.github.push({
        repository: REPOSITORY,
        branch,
        files: { "infra/two.tf": "# two\n" },
      });
      await world.settles();
      const changes = [{ address: "aws_thing.one", change: "added" as const }];
      await world.ci.runs({ sha: after, workspace: method, cost: CHEAP, changes });
      await world.settles();
      const { mergeCommitSha } = world.github.mergePullRequest(pull, "ci", method);
      await world.settles();
      expect(await verifies(mergeCommitSha, planOf(method, ["aws_thing.one"]))).toMatchObject({
        result: { kind: "within", cost: "compared" },
        pulls: [pull.number],
      });
      expect(await verifies(after, planOf(method, ["aws_thing.one"]))).toMatchObject({
        result: { kind: "undecided" },
      });
    },
  );

  it("accepts what GitHub showed as passed, although a crash came before the store knew it", async () => {
    const pull = await plans("aws_thing.one", "crashed");
    const { db } = world.bot.session.store;
    await db.updateTable("evaluations").set({ settled: false }).where("number", "=", pull.number).execute();
    world.github.mergePullRequest(pull, "ci");
    await world.settles();
    expect(await verifies(mergeShaOf(pull), planOf("crashed", ["aws_thing.one"]))).toMatchObject({
      result: { kind: "within" },
    });
  });

  it("refuses more than was evaluated, notifies its target once, and shows it on the page", async () => {
    const pull = await plans("aws_thing.one", "shown");
    world.github.mergePullRequest(pull, "ci");
    await world.settles();
    const tooMuch = planOf("shown", ["aws_thing.one", "aws_thing.two"], "70");
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await verifies(mergeShaOf(pull), tooMuch)).toMatchObject({ result: { kind: "exceeds" } });
      const partial = { ...planOf("shown", []), isComplete: false }; // of which nothing is known
      expect(await verifies(mergeShaOf(pull), partial)).toMatchObject({ result: { kind: "undecided" } });
      await world.settles();
    }
    const { db } = world.bot.session.store;
    const stored = await db.selectFrom("notifications").select("notification").execute();
    expect(stored.map(({ notification }) => notification)).toMatchObject([
      {
        value: {
          ...{ event: "apply-refused", workspace: "shown", more: 0 },
          differences: [{ address: "aws_thing.two" }, { found: "70", allowed: "10" }],
        },
      },
    ]);
    const visitor = await world.signsIn("ci");
    const page = await (await visitor.opens(`/r/${REPOSITORY}/pull/${pull.number}`)).text();
    expect(page).toMatch(
      /Applies.*Refused.*aws_thing\.two: created; evaluated: no change; cost per month: \+70 USD/s,
    );
  });

  it("accepts what a merge queue merged together, at the queue's last commit", async () => {
    const old = await plans("aws_thing.old", "queued");
    world.github.mergePullRequest(old, "ci");
    await world.settles();
    await verifies(mergeShaOf(old), planOf("queued", ["aws_thing.old"]));
    const pulls = [await plans("aws_thing.one", "queued"), await plans("aws_thing.two", "other")];
    const group = world.github.addToMergeQueue(pulls);
    await world.settles();
    world.github.destroyMergeGroup(group.id, "merged");
    await world.settles();
    const [first, last] = pulls;
    const sha = last === undefined ? null : mergeShaOf(last);
    expect(await verifies(sha, planOf("queued", ["aws_thing.one"]))).toMatchObject({
      result: { kind: "within" },
      pulls: [first?.number],
    });
  });
});

describe("the check of a pull request that passes", () => {
  const read = (own: SimulatedWorld, pull: Pull) => parsePlanDigests(own.checkOf(pull).output.text ?? "");
  const planned = planOf("stated", ["aws_thing.one"]);

  it("states the digests of its plan", async () => {
    const pull = await plans("aws_thing.one", "stated");
    expect(read(world, pull)).toEqual([computePlanDigests(planned)]);
  });
});
