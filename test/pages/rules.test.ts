import { expect, test } from "vitest";
import { savePolicy } from "../../src/store/history/write-evaluation.ts";
import type { PolicyAccess } from "../../src/web/page/page.ts";
import { performHere } from "../policy/perform-here.ts";
import { policy } from "../policy/policies.ts";
import { finding, passed } from "../render/evaluation-builder.ts";
import { createReader, servePages } from "./page-server.ts";
import { daysAgo, fetchAs, NOW_MS, readRows, readText } from "./page-text.ts";
import { closePull, evaluatePull, mergePull, openStoreWith, raise, type StoredPull } from "./stored-pulls.ts";

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
  const fixed = pull(2, { findings: [passed("growth")], push: 1, stages: [raise("1")] });
  await evaluatePull(db, fixed, daysAgo(16));
  await mergePull(db, fixed, daysAgo(15));
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
      prevented: "599.5",
      prevented_unknown: 0,
      prevented_hidden: 0,
      currency: "USD",
      overridden: 1,
      approved: 1,
      waived: 1,
      warned: 0,
      median_resolution_ms: 4 * 86_400_000,
      undecided: 0,
    },
  ]);
  const text = readText((await fetchAs(database, [1], "/r/acme/shop/rules")).body);
  expect(text).toContain("growth 5 4 $599.50 1 1 1 0 4 days 6");
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
    return [row?.["repositories"], row?.["blocked"], row?.["prevented_hidden"]];
  };
  await closePull(db, { ...pull, repositoryId: 2 }, daysAgo(4));
  expect(await read([1])).toEqual([1, 1, 0]);
  expect(await read([2])).toEqual([1, 1, 1]);
  expect(await read([1, 2])).toEqual([2, 2, 1]);
  expect(readText((await fetchAs(database, [2], "/r/acme/website/rules")).body)).toContain(
    "growth 1 1 not shown 0 0 0 0 1 day 1",
  );
  expect((await fetchAs(database, [1], "/r/acme/website/rules")).status).toBe(404);
  expect((await fetchAs(database, [], "/o/acme/rules?format=csv")).status).toBe(404);
});

const POLICY = `version: 1
rules:
  - id: first
    limit: { total: 9 USD }
  # - id: growth
  #   limit: { increase: 9999 USD }
  # the reason
  - limit: { increase: 500 USD }
    id: growth # with a note

    enforce: block
budgets: []
`;
const GROWTH = "/r/acme/shop/rules/growth";
const policies: PolicyAccess = {
  perform: performHere,
  readFiles: async () => ({
    branch: "main",
    repository: { state: "found", name: "acme/shop:.github/tollgate.yml", text: POLICY },
    organisation: {
      state: "found",
      name: "acme/.github:tollgate.yml",
      text: "rules:\n  - { id: secret-rule }\n",
    },
    organisationRepositoryId: 7,
  }),
};

test("a rule's page has its entry in the policy file, with its line and its explanation", async () => {
  const database = await openStore();
  const docs = "https://docs.example.com/growth";
  const place = { rule: "growth", file: "acme/payments:.github/tollgate.yml", line: 9, docs };
  const findings = [finding("growth"), finding("secret-rule")];
  await evaluatePull(database.db, { repositoryId: 1, number: 1, findings, rulePlaces: [place] }, daysAgo(5));
  const show = async (readable: readonly number[], path: string) =>
    (await fetch((await servePages(database, createReader(readable), NOW_MS, { policies })) + path)).text();
  const body = await show([1], GROWTH);
  expect(body).toContain(
    "<code>- limit: { increase: 500 USD }\n  id: growth # with a note\n\n  enforce: block</code>",
  );
  expect(body).toContain(`/acme/payments/blob/${"c".repeat(40)}/.github/tollgate.yml#L9"`);
  expect(body).toContain(`href="${docs}"`);
  expect(await show([1], "/r/acme/shop/rules/secret-rule")).not.toContain("{ id: secret-rule }");
  expect(await show([1, 7], "/r/acme/shop/rules/secret-rule")).toContain("- { id: secret-rule }");
});

test("a rule's page says how each violation ended, and its files have one row per currency", async () => {
  const database = await openStore();
  const { db } = database;
  const pull = (number: number, more: Partial<StoredPull> = {}): StoredPull => ({
    ...{
      repositoryId: 1,
      number,
      findings: [finding("growth")],
      stages: [raise("600.5"), raise("7", "eu", "EUR")],
    },
    ...more,
  });
  await evaluatePull(db, pull(1), daysAgo(20));
  await mergePull(db, pull(1), daysAgo(14));
  await evaluatePull(db, pull(2, { findings: [finding("growth", { enforce: "warn" })] }), daysAgo(12));
  await mergePull(db, pull(2), daysAgo(11));
  await evaluatePull(db, pull(3), daysAgo(10));
  await evaluatePull(db, pull(3, { findings: [passed("growth")], push: 1, stages: [] }), daysAgo(8));
  await evaluatePull(db, pull(4, { findings: [passed("growth")] }), daysAgo(8));
  const rows = await readRows(database, [1], `${GROWTH}?format=json`);
  const short = ({ number, resolution, change, currency, state }: Readonly<Record<string, unknown>>) =>
    [number, resolution, change, currency, state].join(" ");
  expect(rows.map(short)).toEqual([
    ...["3 changed 600.5 USD open", "3 changed 7 EUR open", "2 merged_with_warning 600.5 USD merged"],
    ...["2 merged_with_warning 7 EUR merged", "1 merged 600.5 USD merged", "1 merged 7 EUR merged"],
  ]);
  const text = readText((await fetchAs(database, [1], GROWTH)).body);
  expect(text).toContain("Change 3 acme/shop#3 Fixed +$600.50 and +€7.00 2 days 10 days ago");
  expect(text).toMatch(
    /Prevented a month – .*Violated 3 of 4 evaluated Blocked 2 Overridden 1 Warned 1 What/,
  );
});

test("a rule's page is there for readers only, for rules that were evaluated, and shows no hidden amount", async () => {
  const database = await openStore();
  const pull = { number: 1, findings: [finding("growth")], stages: [raise("777")] };
  await evaluatePull(database.db, { ...pull, repositoryId: 2 }, daysAgo(5));
  const { body } = await fetchAs(database, [2], "/r/acme/website/rules/growth");
  expect(readText(body)).toContain("Change 1 acme/website#1 Open not shown");
  expect(body).not.toContain("777");
  expect((await readRows(database, [2], "/o/acme/rules/growth?format=json"))[0]?.["change"]).toBeNull();
  for (const path of ["/r/acme/website/rules/growth", "/o/acme/rules/growth"])
    expect((await fetchAs(database, [1], path)).status).toBe(404);
  expect((await fetchAs(database, [2], "/r/acme/website/rules/other")).status).toBe(404);
});

test("a repository without evaluations says so in place of statistics", async () => {
  const database = await openStore();
  expect(readText((await fetchAs(database, [1], "/r/acme/shop/rules")).body)).toContain(
    "No rule was evaluated in this time.",
  );
});

test("a rule's limit is not shown where readers may not see figures: the file may be one that they cannot read", async () => {
  const database = await openStore();
  const { db } = database;
  const limits =
    "rules:\n  - { id: growth, limit: { increase: 4321 USD } }\n  - { id: kept, limit: { deletions: 12 } }\n";
  for (const repositoryId of [1, 2]) {
    await evaluatePull(db, { repositoryId, number: 1, findings: [finding("growth")] }, daysAgo(5));
    const policyBlobs = `blobs-${repositoryId}`;
    await savePolicy(db, { policyBlobs, policy: policy(limits) }, daysAgo(5));
    await db
      .updateTable("evaluations")
      .set({ policy_blobs: policyBlobs })
      .where("repository_id", "=", repositoryId)
      .execute();
  }
  const show = async (path: string) => readText((await fetchAs(database, [1, 2], path)).body);
  expect(await show("/r/acme/website/rules/growth")).toContain("acme/website main not shown blocks");
  expect(await show("/r/acme/website/rules/kept")).toContain("limit: { deletions: 12 }");
  const both = await show("/o/acme/rules/growth");
  expect(both).toContain("limit: { increase: 4321 USD }");
  expect(both).toContain("acme/website main not shown blocks");
});
