import { expect, test } from "vitest";
import { finding, passed } from "../render/evaluation-builder.ts";
import { daysAgo, fetchAs, readRows, readText } from "./page-text.ts";
import { evaluatePull, mergePull, openStoreWith, raise, type StoredPull } from "./stored-pulls.ts";

const openStore = () =>
  openStoreWith({ id: 1, name: "acme/shop" }, { id: 2, name: "acme/website", figures: false });

const RULES = "/r/acme/shop/rules?format=json";
const approve = { groups: [{ teams: ["finops"], users: [], permission: null, count: 1 }], reviews: true };

test("a rule's statistics count what happened to pull requests, not evaluations", async () => {
  const database = await openStore();
  const { db } = database;
  const pull = (number: number, more: Partial<StoredPull> = {}): StoredPull => ({
    repositoryId: 1,
    number,
    stages: [raise("600.5")],
    ...more,
  });
  const blocked = { verdict: "block", findings: [finding("growth", { approve })] } as const;
  const waiver = { owner: "ada", reason: "load test", untilMs: daysAgo(-9).getTime() };
  // 1: blocked, pushed to twice, then approved after two days
  await evaluatePull(db, pull(1, blocked), daysAgo(20));
  await evaluatePull(db, pull(1, { ...blocked, push: 1 }), daysAgo(19));
  const approved = { findings: [finding("growth", { approve, approved: true })], push: 1 };
  await evaluatePull(db, pull(1, approved), daysAgo(18));
  // 2: blocked, fixed after four days
  await evaluatePull(db, pull(2, blocked), daysAgo(20));
  await evaluatePull(
    db,
    pull(2, { findings: [passed("growth")], push: 1, stages: [raise("1")] }),
    daysAgo(16),
  );
  // 3: merged although it was blocked, on the sixth day; 4: waived; 5: blocked still; 6: passed
  await evaluatePull(db, pull(3, blocked), daysAgo(20));
  await mergePull(db, pull(3), daysAgo(14));
  await evaluatePull(db, pull(4, { findings: [finding("growth", { waiver })] }), daysAgo(10));
  await evaluatePull(db, pull(5, blocked), daysAgo(5));
  await evaluatePull(db, pull(6, { findings: [passed("growth")] }), daysAgo(4));
  expect(await readRows(database, [1], RULES)).toEqual([
    {
      rule: "growth",
      enforce: "block",
      pulls: 6,
      evaluations: 9,
      violated: 5,
      blocked: 4,
      undecided: 0,
      approved: 1,
      waived: 1,
      overridden: 1,
      median_resolution_ms: 4 * 86_400_000,
      concerned: "2402 USD",
    },
  ]);
  const text = readText((await fetchAs(database, [1], "/r/acme/shop/rules")).body);
  expect(text).toContain("growth 6 4 1 1 1 4 days +$2,402.00");
});

test("a rule's statistics are those of the chosen period", async () => {
  const database = await openStore();
  const pull = { repositoryId: 1, findings: [passed("growth")] };
  for (const [number, days] of [10, 60, 200, 400].entries())
    await evaluatePull(database.db, { ...pull, number: number + 1 }, daysAgo(days));
  const count = async (query: string) => (await readRows(database, [1], RULES + query))[0]?.["pulls"];
  expect(await Promise.all(["", "&period=30", "&period=365", "&period=1"].map(count))).toEqual([2, 1, 3, 2]);
});

test("rules that nothing violates and rules that are mostly overridden are marked, with advice", async () => {
  const database = await openStore();
  const { db } = database;
  for (let number = 1; number <= 20; number += 1) {
    const isBlocked = number <= 4;
    const growth = isBlocked ? finding("growth") : passed("growth");
    const pull = { repositoryId: 1, number, findings: [passed("idle"), growth] };
    await evaluatePull(db, { ...pull, verdict: isBlocked ? "block" : "pass" }, daysAgo(5));
    if (number <= 3) await mergePull(db, pull, daysAgo(4));
  }
  const text = readText((await fetchAs(database, [1], "/r/acme/shop/rules")).body);
  expect(text).toContain(
    "Mostly overridden growth Merged anyway on 3 of the 4 pull requests that it blocked:",
  );
  expect(text).toContain("Never violated idle None of 20 pull requests violated it:");
});

test("an organisation's rules are those of the repositories that the reader can read, without hidden amounts", async () => {
  const database = await openStore();
  const { db } = database;
  const pull = { number: 1, verdict: "block", findings: [finding("growth")] } as const;
  await evaluatePull(db, { ...pull, repositoryId: 1, stages: [raise("600")] }, daysAgo(5));
  await evaluatePull(db, { ...pull, repositoryId: 2, stages: [raise("777")], figures: false }, daysAgo(5));
  const read = async (readable: readonly number[]) => {
    const [row] = await readRows(database, readable, "/o/acme/rules?format=json");
    return [row?.["repositories"], row?.["blocked"], row?.["concerned"]];
  };
  expect(await read([1])).toEqual([1, 1, "600 USD"]);
  expect(await read([2])).toEqual([1, 1, ""]);
  expect(await read([1, 2])).toEqual([2, 2, "600 USD"]);
  expect(readText((await fetchAs(database, [2], "/r/acme/website/rules")).body)).toContain(
    "growth 1 1 0 0 0 – –",
  );
  expect((await fetchAs(database, [1], "/r/acme/website/rules")).status).toBe(404);
  expect((await fetchAs(database, [], "/o/acme/rules?format=csv")).status).toBe(404);
});

test("a rule links to its line in the policy file of the newest evaluation", async () => {
  const database = await openStore();
  const pull = { repositoryId: 1, number: 1, findings: [passed("growth"), passed("<b>")] };
  await evaluatePull(
    database.db,
    { ...pull, rulePlaces: [{ rule: "growth", file: "acme/payments:.github/tollgate.yml", line: 7 }] },
    daysAgo(5),
  );
  const { body } = await fetchAs(database, [1], "/r/acme/shop/rules");
  expect(body).toContain(`/acme/payments/blob/${"c".repeat(40)}/.github/tollgate.yml#L7"`);
  expect(body).toContain("<code>&lt;b&gt;</code>");
});

test("a repository without evaluations says so in place of statistics", async () => {
  const database = await openStore();
  expect(readText((await fetchAs(database, [1], "/r/acme/shop/rules")).body)).toContain(
    "No rule was evaluated in this time.",
  );
});
