import { afterAll, beforeAll, expect, it } from "vitest";
import type { SandboxPull } from "../../sandbox/state/records.ts";
import type { PullKey } from "../../src/kernel/ids.ts";
import { readBudgetUse } from "../../src/store/after-merge/budget-use.ts";
import { readAuditLines, verifyAudit } from "../../src/store/audit/chain.ts";
import { purgeOldData } from "../../src/wiring/maintenance.ts";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { CHEAP, EXPENSIVE, STRICT } from "../world/costs.ts";

const DAY_MS = 86_400_000;
const CHANGES = [{ address: "aws_db_instance.main", change: "deleted" as const }];

let world: SimulatedWorld;
let open: SandboxPull;
let merged: SandboxPull;
let closed: SandboxPull;
let executions: { superseded: string; open: string; merged: string };

const POLICY = `${STRICT}  - { id: few-deletions, limit: { deletions: 5 } }\n`;

/** Three pull requests that delete a resource: one stays open, one is merged, one is closed. */
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: POLICY });
  open = world.opensPullRequest();
  merged = world.opensPullRequest();
  closed = world.opensPullRequest();
  const run = ({ headSha: sha }: SandboxPull, cost: typeof CHEAP, bind: "ingest" | "status") =>
    world.ci.runs({ sha, cost, changes: CHANGES, bind });
  executions = {
    superseded: await run(open, CHEAP, "ingest"),
    open: await run(open, EXPENSIVE, "status"),
    merged: await run(merged, CHEAP, "ingest"),
  };
  await run(closed, CHEAP, "ingest");
  await world.settles();
  expect(world.gate(closed)).toBe("success");
  world.github.closePullRequest(closed);
  world.github.mergePullRequest(merged);
  await world.settles();
});
afterAll(() => world.ends());

const listStages = async (table: "platform_executions" | "platform_snapshots" | "platform_costs") => {
  const rows = await world.bot.session.store.db
    .selectFrom(table)
    .select("pipeline_execution_id as id")
    .execute();
  return new Set(rows.map(({ id }) => id));
};

const purges = (days: number, pause = () => Promise.resolve()) =>
  purgeOldData(world.bot.session.store.db, {
    retention: world.settings.operator.retention,
    nowMs: Date.now() + days * DAY_MS,
    pause,
  });

async function evaluatesAgain({ repositoryId, number }: PullKey) {
  world.github.requests.clear();
  await world.bot.session.queue.enqueue(`pull:${repositoryId}:${number}`);
  await world.settles();
  return world.github.requests
    .list()
    .filter(({ method, path }) => method !== "GET" && !path.endsWith("/graphql"));
}

const readState = async () => {
  const { db } = world.bot.session.store;
  const state = async (id: string) =>
    (
      await db
        .selectFrom("platform_snapshots")
        .select("state")
        .where("pipeline_execution_id", "=", id)
        .executeTakeFirst()
    )?.state;
  return { open: await state(executions.open), merged: await state(executions.merged) };
};

it("after a month the rows of a merged pull request are gone, and its costs are not", async () => {
  const comment = world.comment(open);
  expect(await purges(40)).toBeGreaterThan(0);
  expect(await readState()).toEqual({ open: "committed", merged: "removed" });
  const costs = await listStages("platform_costs");
  expect([...Object.values(executions).filter((id) => !costs.has(id))]).toEqual([]);
  expect(await evaluatesAgain(open)).toEqual([]);
  expect(world.comment(open)).toBe(comment);
});

it("a pull request that is reopened after its rows are gone needs a new plan to pass", async () => {
  world.github.reopenPullRequest(closed);
  await world.settles();
  expect(world.gate(closed)).toBe("in_progress"); // it tries to read the rows five times, then it fails
  await world.timePasses(120_000);
  await world.settles();
  expect(world.gate(closed)).not.toBe("success");
  await world.ci.runs({ sha: closed.headSha, cost: CHEAP, changes: CHANGES });
  await world.settles();
  expect(world.gate(closed)).toBe("success");
  world.github.closePullRequest(closed);
  await world.settles();
});

it("after 400 days nothing of the open pull request is gone, and an evaluation of it writes nothing", async () => {
  const [comment, check] = [world.comment(open), world.checkOf(open)];
  const merges = await readBudgetUse(world.bot.session.store.db, world.repositoryId, new Date(0));
  expect(await purges(500)).toBeGreaterThan(0);
  const kept = new Set([executions.superseded, executions.open]);
  expect(await listStages("platform_executions")).toEqual(kept);
  expect(await listStages("platform_costs")).toEqual(kept);
  expect(await listStages("platform_snapshots")).toEqual(kept);
  // Without the bot's own copies too: every fact is read from the platform again.
  await world.bot.session.store.db.deleteFrom("facts").execute();
  expect(await evaluatesAgain(open)).toEqual([]);
  expect([world.comment(open), world.checkOf(open)]).toEqual([comment, check]);
  expect(await readBudgetUse(world.bot.session.store.db, world.repositoryId, new Date(0))).toEqual(merges);
});

it("the chain of decisions is whole after every purge", async () => {
  async function* lines() {
    const filter = { repositoryId: null, fromMs: null, toMs: null };
    for await (const line of readAuditLines(world.bot.session.store.db, filter)) yield JSON.stringify(line);
  }
  const verified = await verifyAudit(lines());
  expect(verified).toMatchObject({ state: "whole" });
  expect(verified.state === "whole" && verified.decisions === verified.included).toBe(true);
});

it("an open pull request whose evaluation is lost keeps the executions of its commit", async () => {
  for (const table of ["evaluations", "bindings"] as const)
    await world.bot.session.store.db.deleteFrom(table).execute();
  await purges(500);
  expect(await listStages("platform_executions")).toEqual(new Set([executions.superseded]));
});
