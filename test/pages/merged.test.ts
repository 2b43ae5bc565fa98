import { describe, expect, test } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import { readMergedQuery, toMergedFilter } from "../../src/web/pages/merged/filter.ts";
import { tagLine, unknownStage } from "../render/evaluation-builder.ts";
import { createReader, servePages } from "./page-server.ts";
import { daysAgo, fetchAs, NOW_MS, readRows, readText } from "./page-text.ts";
import { mergePull, openStoreWith, raise } from "./stored-pulls.ts";

const usd = (amount: string) => ({ amount: decimal(amount), currency: "USD" });
const team = (...names: readonly string[]) => ({
  key: "team",
  lines: names.map((name) => tagLine("value", "40", { value: name })),
});

/** Merged in the quarter before 25 March 2026: three pull requests of a private repository, and one of a public one. */
async function openMerged() {
  const store = await openStoreWith(
    { id: 1, name: "acme/shop" },
    { id: 2, name: "acme/website", figures: false },
  );
  const { db } = store;
  const merge = (
    number: number,
    change: string,
    given: Parameters<typeof mergePull>[3] = {},
    days = number,
  ) =>
    mergePull(
      db,
      {
        ...{ repositoryId: 1, number, title: `Change ${number}`, author: number === 1 ? "ada" : "Bob" },
        ...{ byTag: number === 3 ? team("search") : team("payments", "search") },
        stages: [raise(change), raise("1.5", "staging")],
      },
      daysAgo(days),
      given,
    );
  const { kind: _, value: __, ...line } = tagLine("value", "590");
  const database = { ...line, module: "web.db", unattributed: false };
  const grace = { id: 7, login: "grace", upTo: usd("900") };
  await merge(1, "600", {
    way: "approved",
    consents: [grace],
    modules: [database],
    mergedBy: { id: 8, login: "heidi" },
  });
  await merge(2, "-20", { way: "warned", verdict: "warn" });
  await merge(3, "50", { way: "over_check", verdict: "block" });
  await merge(4, "77", {}, 200);
  await mergePull(
    db,
    { repositoryId: 2, number: 9, author: "ada", stages: [raise("4242", "secret")], byTag: team("ghosts") },
    daysAgo(0.5),
    { way: "approved", consents: [{ ...grace, upTo: usd("5151") }] },
  );
  return store;
}

const PATH = "/o/acme/merged?format=json&period=this-quarter";

test("merged pull requests say for whom, by whom and how they got through; hidden ones without amounts", async () => {
  const rows = await readRows(await openMerged(), [1, 2], PATH);
  expect(rows.map(({ number }) => number)).toEqual([9, 1, 2, 3]);
  expect(rows[0]).toMatchObject({
    ...{ repository: "acme/website", author: "ada", how: "approved", approved_by: "grace", up_to: "" },
    ...{ change: null, currency: null, cost: "hidden", teams: "", stages: "", modules: "" },
  });
  expect(rows[1]).toMatchObject({
    ...{
      repository: "acme/shop",
      title: "Change 1",
      author: "ada",
      teams: "payments, search",
      verdict: "pass",
    },
    ...{ change: "601.5", currency: "USD", cost: "known", stages: "prod, staging", how: "approved" },
    ...{ approved_by: "grace", up_to: "900 USD", merged_by: "heidi", merged_at: daysAgo(1).toISOString() },
  });
});

test("sums by team, author, stage and module count hidden pull requests and add no amount of them", async () => {
  const database = await openMerged();
  const table = (name: string) => readRows(database, [1, 2], `${PATH}&table=${name}`);
  expect(await table("teams")).toEqual([
    {
      tag: "search",
      tag_kind: "value",
      tag_key: "team",
      pulls: 3,
      change: "120",
      unknown: 0,
      currency: "USD",
    },
    {
      tag: "payments",
      tag_kind: "value",
      tag_key: "team",
      pulls: 2,
      change: "80",
      unknown: 0,
      currency: "USD",
    },
  ]);
  expect(await table("authors")).toEqual([
    { author: "ada", pulls: 2, change: "601.5", unknown: 0, currency: "USD", hidden: 1 },
    { author: "Bob", pulls: 2, change: "33", unknown: 0, currency: "USD", hidden: 0 },
  ]);
  expect(await table("modules")).toEqual([
    { module: "web.db", repository: "shop", pulls: 1, change: "590", unknown: 0, currency: "USD" },
  ]);
  const stages = await table("stages");
  expect(stages.map(({ stage, change }) => `${stage} ${change}`)).toEqual(["prod 630", "staging 4.5"]);
  for (const name of ["pulls", "modules", "weeks", "teams"])
    expect(JSON.stringify(await table(name))).not.toMatch(/4242|5151|secret|ghosts/);
});

test.each([
  ["author=ADA", [9, 1]],
  ["author=%25", []],
  ["author=a_a", []],
  ["merged_by=heidi", [1]],
  ["how=approved", [9, 1]],
  ["text=%233", [3]],
  ["text=%25", []],
  ["verdict=block", [3]],
  ["stage=staging", [1, 2, 3]],
  ["stage=secret", []],
  ["stage=stag%25", []],
  ["tag=payments", [1, 2]],
  ["tag=ghosts", []],
  ["module=%27%20or%201=1--", []],
  ["module=web.db", [1]],
  ["author=%00", []],
  ["change_at_least=50", [1, 3]],
  ["change_at_least=-100", [1, 2, 3]],
  ["change_at_least=50%20EUR", []],
  ["change_at_least=601.5%20USD", [1]],
  ["repository=WEBSITE", [9]],
  ["repository=website&change_at_least=-9999", []],
  ["period=last-quarter", []],
  ["period=365", [9, 1, 2, 3, 4]],
  ["from=2026-03-22&to=2026-03-23&period=", [2, 3]],
  ["author=bob&tag=search&how=warned", [2]],
] as const)("the filter %s finds %j", async (query, numbers) => {
  const rows = await readRows(
    await openMerged(),
    [1, 2],
    `${PATH}&${query}`.replace(/&period=this-quarter(?=.*period)/, ""),
  );
  expect(rows.map(({ number }) => number)).toEqual(numbers);
});

test("what a section cannot filter, and what no filter finds, is said there", async () => {
  const database = await openMerged();
  const { body } = await fetchAs(database, [1, 2], "/o/acme/merged?tag=payments&stage=prod");
  const text = readText(body);
  expect(text).toContain("Pull requests whose amounts are not shown match no filter by stage and team.");
  expect(text).toContain("Amounts are of whole pull requests that change team payments and stage prod;");
});

test("filters that cannot be read are named and not applied", async () => {
  const database = await openMerged();
  const query =
    "period=fortnight&how=magic&change_at_least=lots&from=2026-03-20&to=2026-03-01&repository=nowhere";
  const { status, body } = await fetchAs(database, [1, 2], `/o/acme/merged?${query}`);
  expect(status).toBe(200);
  expect(readText(body)).toContain(
    "not applied, on this page and in its files: Period, How it got through, Change at least, From, To and Repository",
  );
  expect(readText(body)).toContain("Merged pull requests 4");
});

test("an unknown change is counted and named, and never zero", async () => {
  const database = await openStoreWith({ id: 1, name: "acme/shop" });
  const stages = [raise("10"), unknownStage("staging")];
  await mergePull(database.db, { repositoryId: 1, number: 1, stages }, daysAgo(1));
  await mergePull(database.db, { repositoryId: 1, number: 2, stages: [unknownStage("prod")] }, daysAgo(2));
  const text = readText((await fetchAs(database, [1], "/r/acme/shop/merged")).body);
  expect(text).toContain("Merged pull requests 2 at least +$10.00 a month · 2 not fully known");
  expect(text).toContain("at least +$10.00 not fully known");
  expect(text).toContain("The change of 2 of these pull requests is not fully known");
});

test("readers without figures see verdicts, people and counts; others see nothing at all", async () => {
  const database = await openMerged();
  const { body } = await fetchAs(database, [2], "/r/acme/website/merged?sort=-change");
  const text = readText(body);
  expect(text).toContain("This repository is public: its amounts are not shown.");
  expect(text).toContain("Approved 1 amounts not shown");
  expect(text).toContain("by grace");
  expect(body).not.toMatch(/4242|4,242|5151|5,151|secret|\$/);
  expect((await fetchAs(database, [2], "/r/acme/shop/merged")).status).toBe(404);
  expect((await fetchAs(database, [3], "/o/acme/merged")).status).toBe(404);
  const rows = await readRows(database, [2], `${PATH}&pulls_sort=-change`);
  expect(rows.map(({ number }) => number)).toEqual([9]);
});

test("quarters and fiscal years follow the operator's file", async () => {
  const url = await servePages(await openMerged(), createReader([1]), NOW_MS, { fiscalYearStarts: "03-24" });
  const read = async (period: string) => {
    const rows = await (await fetch(`${url}${PATH.replace("this-quarter", period)}`)).json();
    return (rows as { number: number }[]).map(({ number }) => number); // a table's file
  };
  expect(await read("this-quarter")).toEqual([1]);
  expect(await read("last-quarter")).toEqual([2, 3]);
  expect(await read("last-year")).toEqual([2, 3, 4]);
});

describe("the time of a query", () => {
  const span = (query: Readonly<Record<string, string>>, fiscalYearStarts = "02-01") => {
    const deps = { clock: { now: () => NOW_MS, monotonicMs: () => 0 }, fiscalYearStarts };
    const { from, to } = toMergedFilter(readMergedQuery(query).filters, [], deps).span;
    return `${from.toISOString().slice(0, 10)} until ${to.toISOString().slice(0, 10)}`;
  };

  test.each([
    [{}, "2026-02-01 until 2026-05-01"],
    [{ period: "last-quarter" }, "2025-11-01 until 2026-02-01"],
    [{ period: "this-year" }, "2026-02-01 until 2027-02-01"],
    [{ period: "last-year" }, "2025-02-01 until 2026-02-01"],
    [{ period: "30" }, "2026-02-23 until 2026-03-25"],
    [{ from: "2026-01-05" }, "2026-01-05 until 2026-03-26"],
    [{ to: "2026-01-05" }, "1970-01-01 until 2026-01-06"],
    [{ from: "2026-01-05", to: "2026-01-05", period: "30" }, "2026-01-05 until 2026-01-06"],
    [{ from: "2026-02-30" }, "2026-02-01 until 2026-05-01"],
    [{ from: "0001-01-01" }, "2026-02-01 until 2026-05-01"],
  ] as const)("%j is %s", (query, expected) => {
    expect(span(query)).toBe(expected);
  });
});
