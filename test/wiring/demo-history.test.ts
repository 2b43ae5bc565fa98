import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../sandbox/sandbox.ts";
import { systemRandom } from "../../sandbox/state/random.ts";
import { readAuditLines, verifyAudit } from "../../src/store/audit/chain.ts";
import { listComparisons, sumMergedChanges } from "../../src/store/history/merged-changes.ts";
import { listBudgets, listEndingWaivers } from "../../src/store/history/policies.ts";
import { listTimeline } from "../../src/store/history/pull-history.ts";
import { listRuleStatistics } from "../../src/store/history/rule-outcomes.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { DemoClock } from "../../src/wiring/demo/demo-clock.ts";
import { type PastPull, playPast } from "../../src/wiring/demo/history/past-pulls.ts";
import { recordPast } from "../../src/wiring/demo/history/record-past.ts";
import { createChoices } from "../../src/wiring/demo/history/seeded-random.ts";
import { usualEngine } from "../world/engines.ts";
import { DOCUMENTS } from "../world/graphql-documents.ts";

const NOW = Date.UTC(2026, 10, 2);
const DAY_MS = 86_400_000;
const SPAN = { from: new Date(NOW - 200 * DAY_MS), to: new Date(NOW) };

async function plays(seed: number) {
  const clock = new DemoClock();
  const sandbox = await createSandbox({ clock, random: systemRandom, documents: DOCUMENTS });
  const owner = sandbox.createOwner({ login: "example", type: "organisation" });
  const choices = createChoices(seed);
  const pulls = playPast(sandbox, { owner: "example", clock, choices, nowMs: NOW });
  return { sandbox, choices, pulls, ownerId: owner.id, installationId: 7 };
}

const describePast = (pulls: readonly PastPull[]) =>
  pulls.map(({ title, pushes, ending }) => [title, ending.as, ending.atMs, pushes.map(({ cents }) => cents)]);

describe("the past of the demo's organisation", () => {
  let store: Database;
  let sandbox: Sandbox;
  let pulls: readonly PastPull[];
  let ids: readonly number[];
  beforeAll(async () => {
    store = await usualEngine().open();
    const played = await plays(1);
    ({ sandbox, pulls } = played);
    await recordPast({ db: store.db, nowMs: NOW, ...played }, pulls);
    ids = [...new Set(pulls.map(({ repository }) => repository.repositoryId))];
  });
  afterAll(async () => {
    await store.close();
    await sandbox.close();
  });

  it("is the same in each run", async () => {
    const again = await plays(1);
    expect(describePast(again.pulls)).toEqual(describePast(pulls));
    await again.sandbox.close();
  });

  it("has something to show for each question of the overview", async () => {
    const [rule] = await listRuleStatistics(store.db, ids, SPAN);
    expect(rule).toMatchObject({ rule: "monthly-increase", enforce: "block", repositories: 3, open: 0 });
    for (const count of [rule?.blocked, rule?.approved, rule?.changed, rule?.overridden, rule?.abandoned])
      expect(count).toBeGreaterThan(0);
    expect((await sumMergedChanges(store.db, ids, SPAN)).length).toBeGreaterThan(40);
    expect((await listComparisons(store.db, ids, { ...SPAN, limit: 100 })).length).toBeGreaterThan(40);
    expect(await listBudgets(store.db, ids)).toHaveLength(3);
    const soon = { fromMs: NOW, toMs: NOW + 30 * DAY_MS };
    expect(await listEndingWaivers(store.db, ids, soon)).toHaveLength(3);
  });

  it("is on GitHub as it is in the store: who merged which commit when", async () => {
    for (const { repository, number, title, ending, pushes } of pulls) {
      const key = { repositoryId: repository.repositoryId, number };
      const shown = sandbox.pullRequest(key);
      const last = pushes.at(-1)?.headSha;
      expect({ title: shown.title, headSha: shown.headSha, closedAt: shown.closedAt }).toEqual({
        ...{ title, headSha: last, closedAt: ending.atMs },
      });
      const timeline = await listTimeline(store.db, key, 10);
      expect(timeline.length).toBeGreaterThanOrEqual(pushes.length);
      expect(timeline.at(-1)?.headSha).toBe(last);
    }
  });

  it("has a chain of decisions that verifies", async () => {
    async function* lines() {
      const all = { repositoryId: null, fromMs: null, toMs: null };
      for await (const line of readAuditLines(store.db, all)) yield JSON.stringify(line);
    }
    const found = await verifyAudit(lines());
    expect(found).toMatchObject({ state: "whole" });
    expect("decisions" in found ? found.decisions : 0).toBeGreaterThan(130);
  });
});
