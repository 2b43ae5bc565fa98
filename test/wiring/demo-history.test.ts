import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../sandbox/sandbox.ts";
import { systemRandom } from "../../sandbox/state/random.ts";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { toIsoDay } from "../../src/kernel/instant.ts";
import { readAuditLines, verifyAudit } from "../../src/store/audit/chain.ts";
import { listComparisons } from "../../src/store/history/merged-changes.ts";
import { sumMergedPulls } from "../../src/store/history/merged-pulls.ts";
import { listBudgets, listEndingWaivers } from "../../src/store/history/policies.ts";
import { findPullEvaluation, listTimeline } from "../../src/store/history/pull-history.ts";
import { readRuleStatistics } from "../../src/store/history/rule-outcomes.ts";
import { findPull } from "../../src/store/pulls.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { DemoClock, playHistory } from "../../src/wiring/demo/history.ts";
import { usualEngine } from "../world/engines.ts";
import { DOCUMENTS } from "../world/graphql-documents.ts";

const NOW = Date.now();
const SPAN = { from: new Date(NOW - 200 * DAY_MS), to: new Date(NOW) };

describe("the recorded history of the demo's organisation", () => {
  let store: Database;
  let sandbox: Sandbox;
  let ids: readonly number[];
  beforeAll(async () => {
    store = await usualEngine().open();
    const clock = new DemoClock();
    sandbox = await createSandbox({ clock, random: systemRandom, documents: DOCUMENTS });
    const owner = sandbox.createOwner({ login: "example", type: "organisation" });
    await playHistory(sandbox, clock, "example")(store.db, { ownerId: owner.id, installationId: 7 });
    const rows = await store.db.selectFrom("repositories").select("repository_id").execute();
    ids = rows.map(({ repository_id }) => repository_id);
  });
  afterAll(async () => {
    await store.close();
    await sandbox.close();
  });

  it("has something to show for each question of the overview", async () => {
    const {
      rules: [rule],
    } = await readRuleStatistics(store.db, { repositoryIds: ids, span: SPAN });
    expect(rule).toMatchObject({ rule: "monthly-increase", enforce: "block", repositories: 3, open: 0 });
    for (const count of [rule?.blocked, rule?.approved, rule?.overridden]) expect(count).toBeGreaterThan(0);
    expect((await sumMergedPulls(store.db, { repositoryIds: ids, span: SPAN })).length).toBeGreaterThan(40);
    expect((await listComparisons(store.db, ids, { ...SPAN, limit: 100 })).length).toBeGreaterThan(40);
    const budgets = await listBudgets(store.db, ids, { day: toIsoDay(Date.now()), yearStart: "01-01" });
    expect(budgets.map(({ period }) => period?.unit).toSorted()).toEqual([
      ...["quarter", "quarter", "quarter"],
      ...[undefined, undefined, undefined],
    ]);
    const soon = { fromMs: NOW, toMs: NOW + 30 * DAY_MS };
    expect(await listEndingWaivers(store.db, ids, soon)).toHaveLength(3);
  });

  it("is on GitHub as it is in the store, and every evaluation can be read", async () => {
    for (const repositoryId of ids)
      for (let number = 1; number <= 60; number++) {
        const key = { repositoryId, number };
        const shown = sandbox.pullRequest(key);
        const stored = await findPull(store.db, key);
        expect(stored).toMatchObject({ title: shown.title, head_sha: shown.headSha, state: "closed" });
        const timeline = await listTimeline(store.db, key, 10);
        expect(timeline.at(-1)?.headSha).toBe(shown.headSha);
        for (const { evaluationId } of timeline)
          expect(await findPullEvaluation(store.db, key, evaluationId)).not.toBeNull();
      }
  });

  it("has a chain of decisions that verifies", async () => {
    async function* lines() {
      const all = { repositoryId: null, fromMs: null, toMs: null };
      for await (const line of readAuditLines(store.db, all)) yield JSON.stringify(line);
    }
    const found = await verifyAudit(lines());
    expect(found).toMatchObject({ state: "whole" });
    expect("decisions" in found ? found.decisions : 0).toBeGreaterThan(400);
  });
});
