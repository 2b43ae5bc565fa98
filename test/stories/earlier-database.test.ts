import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { formatLaneKey } from "../../src/queue/lane-key.ts";
import { listApprovalsInForce } from "../../src/store/approvals/approvals.ts";
import { listLapsedApprovals } from "../../src/store/approvals/lapsed-approvals.ts";
import { readAuditLines } from "../../src/store/audit/audit-export.ts";
import { verifyAudit } from "../../src/store/audit/audit-verify.ts";
import { findEvaluation } from "../../src/store/evaluations.ts";
import { listOpenPulls } from "../../src/store/history/open-pulls.ts";
import { listTimeline } from "../../src/store/history/pull-timeline.ts";
import { type RestoredWorld, restoreWorld } from "../world/earlier/restore-world.ts";
import { emptyPostgres } from "../world/engines.ts";
import type { World } from "../world/world.ts";

const DUMP = "f8cd0dd";
/** The pull requests of the recorded story that matter by themselves. */
const BLOCKED = 2;
const APPROVED = 3;
const LAPSED = 4;
const REVOKED = 5;
const REVIEWED = 6;
const LATE = 25;
const server = inject("postgresUrl");
const ENGINES = server === null ? ["embedded"] : ["embedded", "postgres"];

// Each evaluates 24 pull requests, some of them twice.
describe.each(ENGINES)("a database that an earlier version wrote, on %s", (engine) => {
  const directory = mkdtempSync(join(tmpdir(), "tollgate-earlier-"));
  let restored: RestoredWorld;
  let world: World;
  beforeAll(async () => {
    const databaseUrl = engine === "postgres" && server !== null ? await emptyPostgres(server) : null;
    restored = await restoreWorld(DUMP, { databaseUrl, dataDirectory: directory });
    world = restored.world;
  }, 240_000);
  afterAll(async () => {
    await world.ends();
    rmSync(directory, { recursive: true, force: true });
  });

  const key = (number: number) => ({ repositoryId: world.repositoryId, number });
  const db = () => world.bot.session.store.db;
  const evaluationOf = async (number: number) => {
    const found = await findEvaluation(db(), key(number));
    if (found === null) throw new Error(`#${number} has no evaluation`);
    return found.evaluation;
  };
  const unchanged = () => restored.openPulls.filter((number) => number !== BLOCKED && number !== LATE);

  it("has its waiting deliveries processed", async () => {
    expect(world.gate(world.github.pullRequest(key(LATE)))).toBe("in_progress");
    const waiting = await sql`select 1 from commands where state = 'waiting'`.execute(db());
    expect(waiting.rows).toEqual([]);
    expect(world.comments(key(BLOCKED))).toHaveLength(2);
  });

  it("retains approvals in force, lapsed and revoked ones as they were", async () => {
    const inForce = async (number: number) =>
      (await listApprovalsInForce(db(), key(number))).map(({ approval }) =>
        approval.covered.map(({ rule }) => rule),
      );
    expect(await inForce(APPROVED)).toEqual([["monthly-increase", "no-jump"]]);
    expect(await inForce(REVIEWED)).toEqual([["no-deletes"]]);
    expect(await inForce(LAPSED)).toEqual([]);
    expect(await inForce(REVOKED)).toEqual([]);
    expect((await listLapsedApprovals(db(), key(LAPSED))).map(({ why }) => why)).toEqual([
      { kind: "over_amount", rule: "monthly-increase" },
    ]);
  });

  /** What lists show of the newest evaluations, beside what these evaluations say themselves. */
  async function compareLists(): Promise<void> {
    const page = { sort: "opened", direction: "asc", limit: 100, offset: 0 } as const;
    const { pulls } = await listOpenPulls(db(), { repositoryIds: [world.repositoryId] }, page);
    expect(pulls.map(({ number }) => number)).toEqual(expect.arrayContaining([...unchanged()]));
    for (const { number, totals } of pulls) {
      const { report, pull, situation } = await evaluationOf(number);
      const known = report.totals.map(({ percent: _, because: __, usage: ___, ...costs }) => costs);
      expect({ number, totals }).toEqual({ number, totals: pull.figures ? known : [] });
      const [newest] = (await listTimeline(db(), key(number), 1)) ?? [];
      const verdict = "verdict" in situation ? (situation.verdict?.kind ?? null) : null;
      expect({ number, ...newest }).toMatchObject({ number, situation: situation.kind, verdict });
    }
  }

  it("lists its evaluations with their verdicts and totals", compareLists);

  it("evaluates every pull request to what it was evaluated to before", async () => {
    const before = new Map<number, Awaited<ReturnType<typeof evaluationOf>>>();
    for (const number of unchanged()) before.set(number, await evaluationOf(number));
    await evaluateAgain(unchanged());
    for (const [number, was] of before) {
      const { report, situation, check, approvals } = await evaluationOf(number);
      expect({ number, report, situation, check, approvals }).toEqual({
        number,
        report: was.report,
        situation: was.situation,
        check: was.check,
        approvals: was.approvals,
      });
    }
  }, 240_000);

  it("lists every evaluation as before when it was repeated", compareLists);

  it("comes to the decisions that the earlier version recorded", async () => {
    for (const number of unchanged()) {
      const { check, situation } = await evaluationOf(number);
      const { decision, findings } = await restored.recordedVerdict(number);
      expect({ number, decision: check.status === "completed" ? check.conclusion : check.status }).toEqual({
        number,
        decision,
      });
      const now = "verdict" in situation ? (situation.verdict?.findings ?? []) : [];
      expect(now.map(({ rule, outcome, subject }) => ({ rule, outcome, subject }))).toEqual(findings);
    }
  });

  it("has one report on each pull request still, and writes nothing when it evaluates once more", async () => {
    for (const number of unchanged())
      expect({ number, ids: restored.commentIds(number) }).toEqual({
        number,
        ids: restored.commentsBefore.get(number),
      });
    // An edit of the policy is tried on other pull requests whose readers are known to see figures: now all are.
    await evaluateAgain(unchanged());
    world.github.requests.clear();
    await evaluateAgain(unchanged());
    const writes = world.github.requests
      .list()
      .filter(
        ({ method, path, operation }) =>
          (method !== "GET" && path !== "/graphql" && !path.includes("access_tokens")) ||
          operation?.startsWith("mutation"),
      );
    expect(writes).toEqual([]);
  }, 240_000);

  it("has a chain of decisions that verifies, the earlier ones and the new ones", async () => {
    const lines: string[] = [];
    const all = { repositoryId: null, fromMs: null, toMs: null };
    for await (const line of readAuditLines(db(), all)) lines.push(JSON.stringify(line));
    const found = await verifyAudit(each(lines));
    expect(found).toMatchObject({ state: "whole", decisions: lines.length - 1, included: lines.length - 1 });
    expect(lines.length - 1).toBeGreaterThan(restored.recordedDecisions);
  });

  async function evaluateAgain(numbers: readonly number[]): Promise<void> {
    for (const number of numbers)
      await world.bot.session.queue.enqueue(formatLaneKey({ kind: "pull", ...key(number) }));
    await world.settles();
  }
});

async function* each(lines: readonly string[]) {
  yield* lines;
}
