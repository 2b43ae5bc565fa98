import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { type PullKey, parseSha, type Sha } from "../../src/kernel/ids.ts";
import { Retention } from "../../src/settings/operator.ts";
import { addBinding } from "../../src/store/bindings.ts";
import { endCheckTurn, takeCheckTurn } from "../../src/store/check-runs.ts";
import { enterLane } from "../../src/store/database/lanes.ts";
import { saveEvaluation } from "../../src/store/evaluations.ts";
import { saveFinalFacts } from "../../src/store/final-facts.ts";
import { storedApply } from "../../src/store/json/stored-values.ts";
import { saveMergeGroup } from "../../src/store/merge-groups.ts";
import { savePull } from "../../src/store/pulls.ts";
import type { Tables } from "../../src/store/tables/tables.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { purgeOldData } from "../../src/wiring/maintenance.ts";
import {
  evaluatedSituation,
  evaluation,
  finding,
  report,
  stage,
  tagLine,
} from "../render/evaluation-builder.ts";
import { usualEngines } from "../world/engines.ts";
import { Team } from "./history/team.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2028, 0, 1);
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS);
const retention = Retention.parse({});

const shaOf = ({ repositoryId, number }: PullKey): Sha => {
  const sha = parseSha(`${repositoryId}${number}`.padStart(40, "a"));
  if (sha === null) throw new RangeError("no commit id");
  return sha;
};

/** Executions that a pull request names in different places. */
const EXECUTIONS = ["counts", "superseded", "refused", "bound"] as const;

/** A pull request with an evaluation, a check, a binding and facts that were all written on one day. */
async function addPull(db: Database["db"], key: PullKey, pull: { state: "open" | "closed"; day: Date }) {
  const { state, day } = pull;
  const headSha = shaOf(key);
  const { repositoryId } = key;
  const id = (place: (typeof EXECUTIONS)[number]) => `${place}-${headSha}`;
  const project = { org: "acme", project: "shop" };
  const counting = stage("production", ["1", "2"], {
    executionId: id("counts"),
    superseded: [id("superseded")],
  });
  const refused = [{ ...project, executionId: id("refused"), reason: "not_granted" as const }];
  const made = evaluation({ pull: { ...key, headSha }, report: report([counting], { refused }) });
  await savePull(db, { ...key, headSha, mergeSha: null, baseRef: "main", state }, day);
  const fence = await enterLane(db, `pull:${repositoryId}:${key.number}`, day);
  await saveEvaluation(db, { evaluation: made, digest: headSha, policyBlobs: "" }, { fence, now: day });
  const slot = { repositoryId, headSha, checkName: "tollgate: main", baseRef: "main" };
  const turn = await takeCheckTurn(db, slot, { fence, now: day });
  if (turn === null) throw new Error("nobody else writes this check");
  const shown = { checkRunId: key.number, digest: "d", completed: true, annotations: null };
  await endCheckTurn(db, slot, { fence, turn, shown, isEmpty: false, now: day });
  const bound = { ...project, pipeline_execution_id: id("bound") };
  const head = { repository_id: repositoryId, head_sha: headSha, source: "notification" as const };
  await addBinding(db, { ...head, ...bound }, day);
  for (const place of EXECUTIONS) {
    const execution = { account: "acc", ...project, pipeline_execution_id: id(place) };
    await saveFinalFacts(db, { execution, stages: "s", facts: [] }, day);
  }
}

const TABLES = ["evaluations", "check_runs", "bindings", "facts", "merge_groups", "lanes", "pulls"] as const;

async function countRows(db: Database["db"]): Promise<Partial<Record<keyof Tables, number>>> {
  const counts: Partial<Record<keyof Tables, number>> = {};
  for (const table of TABLES) counts[table] = (await db.selectFrom(table).selectAll().execute()).length;
  return counts;
}

const withoutPause = { retention, nowMs: NOW, pause: () => Promise.resolve() };

describe.each(usualEngines())("retention on $name", ({ open }) => {
  test("deletes what belongs to pull requests closed long ago, and nothing of open ones", async () => {
    const { db, close } = await open();
    await addPull(db, { repositoryId: 1, number: 1 }, { state: "open", day: daysAgo(600) });
    for (let number = 2; number <= 26; number++)
      await addPull(db, { repositoryId: 1, number }, { state: "closed", day: daysAgo(500 - number) });
    const group = { repository_id: 1, head_ref: "q", base_ref: "main" };
    await saveMergeGroup(db, { ...group, head_sha: "c" }, daysAgo(500));
    await enterLane(db, "group:1:c", daysAgo(500));
    // Several pages of heads that were pushed over.
    await sql`insert into check_runs
      select 1, lpad(n::text, 40, 'f'), 'tollgate: main', n, 'd', true, 1, ${daysAgo(500)}::timestamptz
      from generate_series(1, 1200) as n`.execute(db);
    await purgeOldData(db, withoutPause);
    // The open pull request keeps everything; of the closed ones, the 21 newest evaluations stay for the trial of an edited policy.
    expect(await countRows(db)).toEqual({
      evaluations: 22,
      check_runs: 1,
      bindings: 1,
      facts: EXECUTIONS.length,
      merge_groups: 0,
      lanes: 26,
      pulls: 26,
    });
    const facts = await db.selectFrom("facts").select("pipeline_execution_id").execute();
    const headSha = shaOf({ repositoryId: 1, number: 1 });
    const ids = new Set(facts.map(({ pipeline_execution_id }) => pipeline_execution_id));
    expect(ids).toEqual(new Set(EXECUTIONS.map((place) => `${place}-${headSha}`)));
    expect(await purgeOldData(db, withoutPause)).toBe(0);
    await close();
  });

  test("keeps what a pull request closed in the last week rests on, and everything that is not old", async () => {
    const { db, close } = await open();
    await addPull(db, { repositoryId: 1, number: 1 }, { state: "open", day: daysAgo(90) });
    const key = { repositoryId: 1, number: 1, headSha: shaOf({ repositoryId: 1, number: 1 }) };
    await savePull(db, { ...key, mergeSha: null, baseRef: "main", state: "closed" }, daysAgo(6));
    await addPull(db, { repositoryId: 1, number: 2 }, { state: "closed", day: daysAgo(30) });
    const before = await countRows(db);
    expect(await purgeOldData(db, withoutPause)).toBe(0);
    expect(await countRows(db)).toEqual(before);
    await savePull(db, { ...key, mergeSha: null, baseRef: "main", state: "closed" }, daysAgo(8));
    expect(await purgeOldData(db, withoutPause)).toBe(EXECUTIONS.length); // the facts, older than 31 days
    expect(await countRows(db)).toEqual({ ...before, facts: EXECUTIONS.length });
    await close();
  });

  test("deletes earlier evaluations with everything that lists show of them, and what rules did to closed pull requests", async () => {
    const { db, close } = await open();
    const team = new Team(db);
    await team.owns(1, "shop");
    const blocked = evaluatedSituation("block", [finding("jump")]);
    const byTag = { key: "team", lines: [tagLine("untagged", "1")] };
    const made = { report: report([stage("production", ["1", "2"])], { byTag }), situation: blocked };
    for (const number of [1, 2]) {
      await team.pushes({ number, at: daysAgo(600), head: "a", made });
      await team.pushes({ number, at: daysAgo(500), head: "b", made });
      await team.pushes({ number, at: daysAgo(300), head: "c", made });
    }
    await team.ends(2, "merged", daysAgo(299));
    const lists = [
      ...(["past_evaluations", "evaluation_totals", "evaluation_stages", "evaluation_rules"] as const),
      "evaluation_tags" as const,
    ];
    const count = async () => {
      const found = lists.map((table) => db.selectFrom(table).select("evaluation_id").execute());
      return (await Promise.all(found)).map(({ length }) => length);
    };
    expect(await count()).toEqual([4, 6, 6, 6, 2]);
    expect(await purgeOldData(db, withoutPause)).toBe(2);
    expect(await count()).toEqual([2, 4, 4, 4, 2]);
    await db
      .updateTable("pulls")
      .set({ updated_at: daysAgo(500) })
      .execute();
    await db
      .updateTable("rule_outcomes")
      .set({ last_at: daysAgo(500) })
      .execute();
    expect(await purgeOldData(db, withoutPause)).toBe(1);
    const outcomes = await db.selectFrom("rule_outcomes").select("number").execute();
    expect(outcomes).toEqual([{ number: 1 }]);
    await close();
  });

  test("keeps the last accepted apply of a workspace, which no earlier merge may follow", async () => {
    const { db, close } = await open();
    await addPull(db, { repositoryId: 1, number: 1 }, { state: "closed", day: daysAgo(600) });
    const apply = { repository_id: 1, number: 1, base_ref: "main", workspace: "prod", actor: "job" };
    const details = storedApply.write({
      ...{ result: { kind: "within", cost: "compared" }, tolerance: null, pulls: [] },
    });
    const common = { ...apply, details, at: daysAgo(500), merged_at: daysAgo(501) };
    const made = [
      { sha: "1", stage: "a/b/prod", result: "within" },
      { sha: "2", stage: "a/b/prod", result: "within" },
      { sha: "3", stage: "a/b/prod", result: "within", merged_at: null },
      { sha: "4", stage: "a/b/prod", result: "exceeds" },
      { sha: "5", stage: "a/b/dev", result: "within" },
    ] as const;
    for (const one of made)
      await db
        .insertInto("applies")
        .values({ ...common, ...one })
        .execute();
    await purgeOldData(db, withoutPause);
    const kept = await db.selectFrom("applies").select("sha").orderBy("sha").execute();
    expect(kept.map(({ sha }) => sha)).toEqual(["2", "5"]);
    await close();
  });

  test("a purge that is ended between two statements is completed by the next one", async () => {
    const { db, close } = await open();
    for (let number = 1; number <= 25; number++)
      await addPull(db, { repositoryId: 1, number }, { state: "closed", day: daysAgo(500 - number) });
    let pauses = 0;
    const interrupted = (after: number) =>
      purgeOldData(db, {
        ...withoutPause,
        pause: () => (++pauses > after ? Promise.reject(new Error("killed")) : Promise.resolve()),
      });
    for (let after = 0; ; after++) {
      pauses = 0;
      const ended = await interrupted(after).then(
        () => true,
        () => false,
      );
      if (ended) break;
    }
    expect(await countRows(db)).toMatchObject({ evaluations: 21, check_runs: 0, bindings: 0, facts: 0 });
    await close();
  });
});
