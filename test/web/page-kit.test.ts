import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { getShippedFile } from "../../src/package/shipped-files.ts";
import { formatOwnerPath, formatPullPath, readAddress } from "../../src/web/page/address.ts";
import { renderChart } from "../../src/web/page/chart.ts";
import { html, renderTime } from "../../src/web/page/html.ts";
import {
  type Column,
  createSlicedTable,
  exportRows,
  readFormat,
  readPageNumber,
} from "../../src/web/page/table.ts";

interface Row {
  readonly name: string;
  readonly cost: string | null;
}
const columns: readonly Column<Row>[] = [
  { key: "name", label: "Name", cell: ({ name }) => ({ text: name }), value: ({ name }) => name },
  {
    key: "cost",
    label: "Cost",
    numeric: true,
    sortable: true,
    cell: ({ cost }) => ({ text: cost ?? "unknown" }),
    value: ({ cost }) => cost,
  },
];
const rows = [
  { name: '=HYPERLINK("http://example.com")', cost: "-12.500" },
  { name: "b,c", cost: null },
];

test("a chart has the colours of the page and nothing that the content policy refuses", async () => {
  const chart = await renderChart({
    labels: ['<b>"a"</b>', "b"],
    series: [{ name: "cost", kind: "steps", values: [1, null] }],
    formatAxis: (value) => `$${value}`,
    description: 'The cost of "a" & b',
  });
  const svg = String(chart);
  expect(svg).toContain("var(--data-blue-color-emphasis)");
  expect(svg).toContain('aria-label="The cost of &quot;a&quot; &amp; b"');
  expect(svg).not.toMatch(/style|<b>|script/);
});

test("a file for spreadsheets has the exact values, and no name in it is a formula", async () => {
  const text = await exportRows({ columns, rows, file: "costs" }, "csv").text();
  expect(text).toBe(`name,cost\n"'=HYPERLINK(""http://example.com"")",-12.500\n"b,c",\n`);
  expect(await exportRows({ columns, rows, file: "costs" }, "json").json()).toEqual(rows);
});

test("a file of many rows is made in slices, and other work goes between them", async () => {
  const many = Array.from({ length: 1_001 }, (_, row) => ({ name: `row ${row}`, cost: `${row}.5` }));
  const read = async (format: "csv" | "json") => {
    const parts: string[] = [];
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const { body } = exportRows({ columns, rows: many, file: "costs" }, format);
    for await (const part of body ?? []) parts.push(Buffer.from(part).toString());
    clearImmediate(timer);
    const counts = parts.map((part) => part.match(/row \d+/g)?.length ?? 0);
    expect(Math.max(...counts)).toBeLessThanOrEqual(25); // some milliseconds of work, far below 50
    expect(turns).toBeGreaterThanOrEqual(parts.length - 1);
    return parts.join("");
  };
  expect(await read("json")).toBe(`${JSON.stringify(many, null, 2)}\n`);
  const lines = many.map(({ name, cost }) => `${name},${cost}\n`).join("");
  expect(await read("csv")).toBe(`\uFEFFname,cost\n${lines}`);
});

test("a heading sorts the other way round when it is chosen again, from the first page on", async () => {
  const table = createSlicedTable({
    ...{ name: "", caption: "Costs", columns, empty: "none" },
    read: async () => ({ rows, total: 250 }),
  });
  const listLinks = async (query: Readonly<Record<string, string>>) => {
    const text = String(await table.render({ path: "/r/acme/shop", query }));
    return [...text.matchAll(/<(?:th|a)\b[^>]*>/g)].map(([tag]) => tag.replaceAll("&amp;", "&"));
  };
  const first = await listLinks({ page: "3", team: "finops" });
  expect(first[0]).toBe('<th scope="col">');
  expect(first[2]).toBe('<a href="/r/acme/shop?team=finops&sort=-cost">');
  expect(first).toContain('<a rel="prev" href="/r/acme/shop?page=2&team=finops">');
  const again = await listLinks({ sort: "-cost", team: "finops" });
  expect(again[1]).toBe('<th scope="col" class="numeric" aria-sort="descending">');
  expect(again[2]).toBe('<a href="/r/acme/shop?sort=cost&team=finops">');
  expect((await listLinks({ sort: "name" })).join("")).not.toContain("aria-sort");
});

test("texts of pages are escaped with their hidden characters shown, also in lists, and HTML is inserted as it is", () => {
  const hostile = '<b title="\u202E">&';
  const shown = "&lt;b title=&quot;\\u{202e}&quot;&gt;&amp;";
  expect(
    String(html`<p title="${hostile}">${[hostile, html`<i>${hostile}</i>`]}${null}${false}${0}</p>`),
  ).toBe(`<p title="${shown}">${shown}<i>${shown}</i>0</p>`);
});

test("a browser understands the whole stylesheet", async () => {
  const text = readFileSync(getShippedFile("templates/pages/page.css"), "utf8");
  const { warnings } = await transform(text, { loader: "css" });
  expect(warnings.map((warning) => `${warning.location?.line}: ${warning.text}`)).toEqual([]);
});

test("the colours and icons of Primer are those that pages use today", () => {
  const files = ["templates/pages/tokens.css", "src/web/page/icons.json"].map(getShippedFile);
  const before = files.map((file) => readFileSync(file, "utf8"));
  execFileSync(process.execPath, ["scripts/make-page-assets.ts"]);
  expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(before);
});

test("an address keeps its filters, and names from outside stay one part of a path", () => {
  expect(readAddress("https://tollgate.example.com/r/a/b?team=x&team=y&empty=")).toEqual({
    path: "/r/a/b",
    query: { team: "x" },
  });
  expect(formatPullPath("acme/a b?#", 7)).toBe("/r/acme/a%20b%3F%23/pull/7");
  expect(formatOwnerPath("../x")).toBe("/o/..%2Fx");
  expect([undefined, "0", "2", "1e9", "-1"].map(readPageNumber)).toEqual([1, 1, 2, 1, 1]);
  expect(["csv", "xml", undefined].map(readFormat)).toEqual(["csv", null, null]);
});

test("a time has its age", () => {
  const ms = Date.UTC(2026, 10, 21, 14, 5);
  expect(String(renderTime(ms, ms + 7_200_000))).toBe(
    '<time datetime="2026-11-21T14:05:00.000Z" title="21 Nov 2026, 14:05 UTC">2 hours ago</time>',
  );
  expect(String(renderTime(ms, ms))).toContain(">just now<");
});

test("hidden characters are shown in a page's texts, and the value of a form's field is sent back as it was", () => {
  const text = '"\u26a0\ufe0f" & <b>';
  const escaped = "&quot;\u26a0\ufe0f&quot; &amp; &lt;b&gt;";
  expect(String(html`<p title="${text}">${text}</p>`)).not.toContain("\ufe0f");
  for (const field of [
    html`<textarea rows="2">
${text}</textarea>`,
    html`<input name="a" value="${text}">`,
    html`<option value="${text}">a</option>`,
  ])
    expect(String(field)).toContain(escaped);
});
