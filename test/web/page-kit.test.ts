import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { getShippedFile } from "../../src/package/shipped-files.ts";
import { formatOwnerPath, formatPullPath, readAddress } from "../../src/web/page/address.ts";
import { renderChart } from "../../src/web/page/chart.ts";
import {
  buildTableView,
  type Column,
  exportTable,
  readFormat,
  readOrder,
  readPageNumber,
} from "../../src/web/page/table.ts";
import { buildTimeView } from "../../src/web/page/times.ts";

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
  const svg = await renderChart({
    labels: ['<b>"a"</b>', "b"],
    series: [{ name: "cost", kind: "steps", values: [1, null] }],
    formatAxis: (value) => `$${value}`,
    description: 'The cost of "a" & b',
  });
  expect(svg).toContain("var(--data-blue-color-emphasis)");
  expect(svg).toContain('aria-label="The cost of &quot;a&quot; &amp; b"');
  expect(svg).not.toMatch(/style|<b>|script/);
});

test("a file for spreadsheets has the exact values, and no name in it is a formula", async () => {
  const text = await exportTable({ columns, rows, name: "costs" }, "csv").text();
  expect(text).toBe(`name,cost\n"'=HYPERLINK(""http://example.com"")",-12.500\n"b,c",\n`);
  expect(await exportTable({ columns, rows, name: "costs" }, "json").json()).toEqual(rows);
});

test("a heading sorts the other way round when it is chosen again, from the first page on", () => {
  const address = { path: "/r/acme/shop", query: { page: "3", team: "finops" } };
  const table = {
    caption: "Costs",
    columns,
    rows,
    total: 250,
    page: 3,
    pageSize: 100,
    empty: "none",
    address,
  };
  const first = buildTableView({ ...table, order: null });
  expect(first.columns.map(({ href }) => href)).toEqual([null, "/r/acme/shop?team=finops&sort=-cost"]);
  expect(first.pages?.previous).toBe("/r/acme/shop?page=2&team=finops");
  const again = buildTableView({ ...table, order: readOrder("-cost", columns) });
  expect(again.columns[1]).toMatchObject({
    sorted: "descending",
    href: "/r/acme/shop?team=finops&sort=cost",
  });
  expect(readOrder("name", columns)).toBeNull();
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
  expect(buildTimeView(ms, ms + 7_200_000)).toEqual({
    iso: "2026-11-21T14:05:00.000Z",
    text: "21 Nov 2026, 14:05 UTC",
    ago: "2 hours ago",
  });
  expect(buildTimeView(ms, ms).ago).toBe("just now");
});
