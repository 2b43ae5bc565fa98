import { describe, expect, it } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import { createWeeklyReports } from "../../src/notifications/weekly-report.ts";
import type { TargetRules } from "../../src/policy/notifications/pull-notices.ts";
import { saveInstallation } from "../../src/store/installations.ts";
import { storedNotification } from "../../src/store/json/stored-values.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { closePull, evaluatePull, mergePull, openStoreWith, raise } from "../pages/stored-pulls.ts";

/** A Monday, before the digest. */
const MONDAY = Date.UTC(2026, 10, 23, 7);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const target = (own: Partial<TargetRules> = {}): TargetRules => ({
  ...{ name: "finops", digest: "weekly", offBy: decimal("20"), above: null },
  ...{ on: new Set(), owners: new Set(), repositories: new Set(), teams: new Set() },
  ...own,
});

/** A process; the time is now. */
function createProcess({ db }: Database, targets: readonly TargetRules[], nowMs: () => number) {
  const enqueued: string[] = [];
  const report = createWeeklyReports({
    ...{ db, targets, fiscalYearStarts: "01-01" },
    clock: { now: nowMs, monotonicMs: nowMs },
    queue: { enqueueNotifications: async (name) => void enqueued.push(name) },
  });
  return { report, enqueued };
}

async function listReports({ db }: Database) {
  const rows = await db.selectFrom("notifications").selectAll().orderBy("notification_id").execute();
  return rows.map(({ target: name, due_at, is_digest, notification }) => {
    const report = storedNotification.require(notification, "of a test");
    return { name, due: due_at.getTime(), is_digest, report };
  });
}

async function openWeek(): Promise<Database> {
  const store = await openStoreWith(
    { id: 1, name: "acme/shop" },
    { id: 2, name: "acme/public", figures: false },
  );
  const { db } = store;
  await saveInstallation(
    db,
    { installation_id: 1, owner_id: 1, owner_login: "acme", repository_selection: "all", suspended: false },
    new Date(MONDAY),
  );
  const last = new Date(MONDAY - 4 * DAY);
  await mergePull(db, { repositoryId: 1, number: 1, stages: [raise("40"), raise("-10", "staging")] }, last);
  await mergePull(db, { repositoryId: 2, number: 1, stages: [raise("5000")] }, last);
  await mergePull(db, { repositoryId: 1, number: 2, stages: [raise("7")] }, new Date(MONDAY - 9 * DAY));
  await evaluatePull(db, { repositoryId: 1, number: 3, verdict: "block", stages: [raise("300")] }, last);
  await evaluatePull(db, { repositoryId: 1, number: 4, verdict: "approval", stages: [raise("900")] }, last);
  await evaluatePull(db, { repositoryId: 1, number: 5, verdict: "block", stages: [raise("250")] }, last);
  await closePull(db, { repositoryId: 1, number: 5 }, last);
  for (const repository_id of [1, 2])
    await db
      .insertInto("merge_comparisons")
      .values({
        ...{ repository_id, number: 2, currency: "USD", before: "1000", estimated: "1007", actual: "1014" },
        ...{ days: 2, compared: 1, workspaces: 1, compared_at: last },
      })
      .execute();
  return store;
}

describe("the weekly report", () => {
  it("says of the last week what was merged, blocked and prevented, who waits longest, and nothing hidden", async () => {
    const store = await openWeek();
    await createProcess(store, [target()], () => MONDAY).report();
    expect(await listReports(store)).toEqual([
      {
        ...{ name: "finops", due: MONDAY + HOUR, is_digest: true },
        report: {
          ...{ event: "weekly-report", owner: "acme", from: "2026-11-16", to: "2026-11-22" },
          merged: { pulls: 2, changes: [{ currency: "USD", change: "30", isPartial: false }] },
          ...{ blocked: 1, waiting: 1, hidden: 1 },
          longest: { approver: "acme/finops", pulls: 1, since: "2026-11-19" },
          prevented: { amounts: [{ amount: "250", currency: "USD" }], isPartial: false },
          budgets: [],
          estimates: [
            {
              ...{ repository: "acme/shop", number: 2, percent: "100" },
              estimated: { amount: "7", currency: "USD" },
              actual: { amount: "14", currency: "USD" },
            },
          ],
        },
      },
    ]);
  });

  it("is stored once a week for each target, by however many processes, and at no other time", async () => {
    const store = await openWeek();
    let nowMs = MONDAY - 8 * HOUR; // Sunday
    const now = () => nowMs;
    const targets = [target(), target({ name: "daily", digest: "daily" }), target({ name: "other" })];
    const processes = [1, 2, 3].map(() => createProcess(store, targets, now));
    const all = async () => {
      for (const { report } of processes) await report();
      return (await listReports(store)).map(({ name, report }) => [name, "from" in report && report.from]);
    };
    expect(await all()).toEqual([]);
    nowMs = MONDAY;
    const first = [
      ["finops", "2026-11-16"],
      ["other", "2026-11-16"],
    ];
    expect(await all()).toEqual(first);
    nowMs = MONDAY + 3 * HOUR;
    await createProcess(store, targets, now).report(); // a restart
    expect(await all()).toEqual(first);
    nowMs = MONDAY + 2 * DAY;
    await createProcess(store, [target({ name: "late" })], now).report();
    expect(await all()).toEqual(first);
    nowMs = MONDAY + 7 * DAY;
    expect(await all()).toEqual([...first, ["finops", "2026-11-23"], ["other", "2026-11-23"]]);
  });

  it("is about the repositories that the target covers", async () => {
    const store = await openWeek();
    const other = target({ name: "stranger", owners: new Set([99]) });
    const hidden = target({ name: "public", repositories: new Set([2]) });
    const { report, enqueued } = createProcess(store, [other, hidden], () => MONDAY);
    await report();
    expect(await listReports(store)).toMatchObject([
      {
        name: "public",
        report: {
          merged: { pulls: 1, changes: [] },
          ...{ blocked: 0, waiting: 0, longest: null, hidden: 1 },
          prevented: { amounts: [] },
        },
      },
    ]);
    expect(enqueued).toEqual(["stranger", "public"]);
  });
});
