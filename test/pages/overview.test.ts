import { expect, test } from "vitest";
import { type Decimal, decimal, sum } from "../../src/kernel/money.ts";
import type { TagReport } from "../../src/report/model/report.ts";
import { stage, tagLine, unknownStage } from "../render/evaluation-builder.ts";
import { fetchAs, minutesAgo, readRows, readText } from "./page-text.ts";
import { evaluatePull, openStoreWith, raise } from "./stored-pulls.ts";

const openStore = () =>
  openStoreWith(
    { id: 1, name: "acme/shop" },
    { id: 2, name: "acme/payments" },
    { id: 3, name: "acme/website", figures: false },
  );

test("two people with different repositories see different sums of the same organisation", async () => {
  const database = await openStore();
  await evaluatePull(database.db, { repositoryId: 1, number: 1, stages: [raise("100.25")] }, minutesAgo(9));
  await evaluatePull(database.db, { repositoryId: 2, number: 1, stages: [raise("900.50")] }, minutesAgo(8));
  const one = readText((await fetchAs(database, [1], "/o/acme")).body);
  expect(one).toContain("Sums over the 1 repository that you can read.");
  expect(one).toContain("+$100.25 a month");
  expect(one).not.toContain("900.50");
  expect(one).not.toContain("payments");
  const both = readText((await fetchAs(database, [1, 2], "/o/acme")).body);
  expect(both).toContain("Sums over the 2 repositories that you can read.");
  expect(both).toContain("Open pull requests 2 +$1,000.75 a month");
});

test("the sums of an overview are those that a reader adds up from its list of pull requests", async () => {
  const database = await openStore();
  const amounts = ["0.1", "0.2", "-7.45", "1303.04", "0.000001"];
  for (const [index, amount] of amounts.entries()) {
    const pull = { repositoryId: (index % 2) + 1, number: index, stages: [raise(amount)] };
    await evaluatePull(database.db, pull, minutesAgo(index));
  }
  const rows = await readRows(database, [1, 2], "/o/acme?format=json&table=pulls");
  const total: Decimal = sum(rows.map(({ change }) => decimal(String(change))));
  expect(total).toBe("1295.890001");
  const { body } = await fetchAs(database, [1, 2], "/o/acme");
  expect(readText(body)).toContain("Open pull requests 5 +$1,295.89 a month");
});

test("amounts in two currencies are never added", async () => {
  const database = await openStore();
  const stages = [raise("10"), raise("20", "eu", "EUR")];
  await evaluatePull(database.db, { repositoryId: 1, number: 1, stages }, minutesAgo(9));
  const text = readText((await fetchAs(database, [1], "/r/acme/shop")).body);
  expect(text).toContain("+€20.00 and +$10.00 a month");
  const rows = await readRows(database, [1], "/r/acme/shop?format=json");
  expect(rows.map(({ currency, change }) => [currency, change])).toEqual([
    ["EUR", "20"],
    ["USD", "10"],
  ]);
});

test("an unknown change counts as unknown and not as zero", async () => {
  const database = await openStore();
  const partly = [raise("10"), unknownStage("eu")];
  await evaluatePull(database.db, { repositoryId: 1, number: 1, stages: [raise("5")] }, minutesAgo(9));
  await evaluatePull(database.db, { repositoryId: 1, number: 2, stages: partly }, minutesAgo(8));
  const text = readText((await fetchAs(database, [1], "/r/acme/shop")).body);
  expect(text).toContain("Open pull requests 2 at least +$5.00 a month · 1 not fully known");
  const rows = await readRows(database, [1], "/r/acme/shop?format=json");
  expect(rows.map(({ number, change, cost }) => [number, change, cost])).toEqual([
    [2, null, "unknown"],
    [1, "5", "known"],
  ]);
});

test("of a public repository an overview shows counts and says that amounts are not shown", async () => {
  const database = await openStore();
  const hidden = { repositoryId: 3, number: 1, figures: false, stages: [raise("777.77")] };
  await evaluatePull(database.db, { repositoryId: 1, number: 1, stages: [raise("5")] }, minutesAgo(9));
  await evaluatePull(database.db, { ...hidden, verdict: "block" }, minutesAgo(8));
  const { body } = await fetchAs(database, [1, 3], "/o/acme");
  expect(readText(body)).toContain("Open pull requests 2 +$5.00 a month · 1 not shown");
  expect(readText(body)).toContain(
    "1 of them is public: its pull requests count, and its amounts are not shown.",
  );
  const files = await Promise.all(
    ["csv", "json"].map((format) => fetchAs(database, [1, 3], `/o/acme?format=${format}`)),
  );
  for (const text of [body, ...files.map((file) => file.body)]) expect(text).not.toContain("777");
});

test("filters select pull requests by verdict, stage, author, approver and text", async () => {
  const database = await openStore();
  const { db } = database;
  const pull = { repositoryId: 1, author: "hubot", title: "Second gateway" };
  await evaluatePull(db, { ...pull, number: 1, stages: [raise("5", "eu")], verdict: "block" }, minutesAgo(9));
  await evaluatePull(db, { ...pull, number: 2, author: "Ada", verdict: "approval" }, minutesAgo(8));
  await evaluatePull(db, { ...pull, number: 3, title: "100%_sure" }, minutesAgo(7));
  const select = async (query: string) =>
    (await readRows(database, [1], `/r/acme/shop?format=json&table=pulls&${query}`)).map(
      ({ number }) => number,
    );
  expect(await select("")).toEqual([3, 2, 1]);
  expect(await select("verdict=block")).toEqual([1]);
  expect(await select("verdict=nonsense")).toEqual([3, 2, 1]);
  expect(await select("stage=eu")).toEqual([1]);
  expect(await select("author=%40ada")).toEqual([2]);
  expect(await select("approver=acme/finops")).toEqual([2]);
  expect(await select("text=0%25_S")).toEqual([3]);
  expect(await select("text=%25")).toEqual([3]);
  expect(await select("text=%232")).toEqual([2]);
  const { body } = await fetchAs(database, [1], "/r/acme/shop?verdict=block");
  expect(body).toContain("Clear");
  expect(body).toContain('<option value="block" selected>');
  expect(readText(body)).toContain("Open pull requests 3"); // the tiles stay: they are the way to another verdict
});

test("open pull requests are grouped and filtered by tag, and the page says what its filters choose", async () => {
  const database = await openStore();
  const pull = (number: number, repositoryId: number, ...lines: readonly TagReport[]) =>
    evaluatePull(
      database.db,
      {
        ...{ repositoryId, number, stages: [raise("50")], byTag: { key: "team", lines } },
        figures: repositoryId !== 3,
      },
      minutesAgo(number),
    );
  const search = (change: string) => tagLine("value", change, { value: "search" });
  await pull(1, 1, search("30"), tagLine("untagged", "20"));
  await pull(2, 1, search("7"), tagLine("value", "43", { value: "<b>" }));
  await pull(3, 3, search("5555"));
  const text = readText((await fetchAs(database, [1, 3], "/o/acme")).body);
  expect(text).toContain("Open changes per team");
  expect(text).toContain("&lt;b&gt; 1 +$43.00");
  const rows = await readRows(database, [1, 3], "/o/acme?format=json&table=tags");
  expect(
    rows.map(({ tag, tag_kind, tag_key, pulls, change }) => [tag, tag_kind, tag_key, pulls, change]),
  ).toEqual([
    ["<b>", "value", "team", 1, "43"],
    ["search", "value", "team", 2, "37"],
    [null, "untagged", "team", 1, "20"],
  ]);
  const select = async (tag: string) =>
    (await readRows(database, [1, 3], `/o/acme?format=json&table=pulls&tag=${encodeURIComponent(tag)}`)).map(
      ({ number, tag_change, tags }) => [number, tag_change, tags],
    );
  expect(await select("search")).toEqual([
    [1, "30", "search, (untagged)"],
    [2, "7", "search, <b>"],
  ]);
  expect(await select("(untagged)")).toEqual([[1, "20", "search, (untagged)"]]);
  const filtered = (await fetchAs(database, [1, 3], "/o/acme?tag=search")).body;
  expect(filtered).toContain('name="tag" value="search"');
  expect(readText(filtered)).toContain(
    "The filters choose open pull requests; stage and author also what was merged. The other sections are of all.",
  );
  expect(readText(filtered)).toContain("Of which search");
  expect(readText(filtered)).toContain("Open pull requests 2 +$100.00 a month");
  expect(readText((await fetchAs(database, [3], "/r/acme/website")).body)).not.toContain("per team");
});

test("names from outside are text on an overview", async () => {
  const database = await openStore();
  const hostile = "</title><script>alert(1)</script>\u202Egpj";
  const pull = {
    repositoryId: 1,
    number: 1,
    title: hostile,
    author: hostile,
    team: "a&b",
    verdict: "approval",
  } as const;
  const stages = [stage(hostile, ["0", "5"])];
  await evaluatePull(database.db, { ...pull, stages }, minutesAgo(9));
  for (const path of [
    "/r/acme/shop",
    `/r/acme/shop?text=${encodeURIComponent(hostile.slice(0, 10))}`,
    "/o/acme",
  ]) {
    const { body } = await fetchAs(database, [1], path);
    expect(body).toContain("&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e}gpj");
    expect(body).not.toContain("<script");
    expect(body).toContain("a&amp;b");
  }
});

test("a long list has pages, and the order of its heading", async () => {
  const database = await openStore();
  for (let number = 1; number <= 30; number += 1)
    await evaluatePull(
      database.db,
      { repositoryId: 1, number, stages: [raise(String(number))] },
      minutesAgo(99 - number),
    );
  const second = readText(
    (await fetchAs(database, [1], "/r/acme/shop?pulls_page=2&pulls_sort=-change")).body,
  );
  expect(second).toContain("Page 2 of 2 · 30 rows");
  expect(second).toContain("acme/shop#5 ");
  expect(second).not.toContain("acme/shop#6 ");
  const beyond = readText((await fetchAs(database, [1], "/r/acme/shop?pulls_page=999999999")).body);
  expect(beyond).toContain("Page 2 of 2 · 30 rows");
  const rows = await readRows(database, [1], "/r/acme/shop?format=json&pulls_sort=change");
  expect(rows.slice(0, 2).map(({ number }) => number)).toEqual([1, 2]);
});

test("a repository without pull requests says what is missing", async () => {
  const database = await openStore();
  const text = readText((await fetchAs(database, [1], "/r/acme/shop")).body);
  expect(text).toContain("Open pull requests 0 no change of cost");
  expect(text).toContain("No open pull request matches.");
  expect(text).toContain("No open pull request raises the monthly cost.");
});
