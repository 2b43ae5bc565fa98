import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Decimal, decimal, plus, sum, ZERO } from "../../src/kernel/money.ts";
import type { Evaluation } from "../../src/policy/model/evaluation.ts";
import type { StageReport } from "../../src/report/model/report.ts";
import { casesToTry } from "../world/depth.ts";
import { evaluation, module, moduleCost, readAmount, report, resource, stage } from "./evaluation-builder.ts";
import { NOTE, picos, read, shown, stagesAddUp } from "./exact-sums.ts";
import { parse, tables } from "./markdown.ts";
import { comment } from "./renderer.ts";

const driven = (e: Evaluation): string[][] =>
  tables(parse(comment(e))).find(([head]) => head?.[1] === "Module" || head?.[1] === "Resource type") ?? [];

/** Stages as `workspace → module → change`; each starts from 100,000. */
function stages(costs: Readonly<Record<string, Readonly<Record<string, string>>>>): readonly StageReport[] {
  return Object.entries(costs).map(([workspace, own]) => {
    const change = sum(Object.values(own).map(decimal));
    return stage(workspace, ["100000", plus(decimal("100000"), change)], {
      modules: Object.entries(own).map(([path, amount]) => moduleCost(path, amount)),
    });
  });
}

/** The report of these stages with its modules rolled up over them. */
function across(costs: Readonly<Record<string, Readonly<Record<string, string>>>>): Evaluation {
  const all = stages(costs);
  const sums = new Map<string, Decimal>();
  for (const { module: path, change } of all.flatMap(({ modules }) => modules ?? []))
    sums.set(path, plus(sums.get(path) ?? ZERO, change ?? ZERO));
  return evaluation({
    report: report(all, { modules: [...sums].map(([path, change]) => module(path, change)) }),
  });
}

interface Level {
  readonly amounts: readonly Decimal[];
  readonly depth: number;
}

const levels = (table: readonly string[][]): readonly Level[] =>
  table.slice(1).map(([change = "", label = "", ...cells]) => ({
    amounts: [change, ...cells].map((text) => readAmount(text) ?? ZERO),
    depth: label.includes("└") ? label.split("\u2003").length : 0,
  }));

/** Whether every line is the sum of the lines one step further in, in each column, and the first column that of the others. */
function addsUp(lines: readonly Level[], columns: boolean): boolean {
  return lines.every((line, index) => {
    if (columns && sum(line.amounts.slice(1)) !== line.amounts[0]) return false;
    const end = lines.findIndex((other, at) => at > index && other.depth <= line.depth);
    const inside = lines
      .slice(index + 1, end < 0 ? undefined : end)
      .filter(({ depth }) => depth === line.depth + 1);
    return (
      inside.length === 0 ||
      line.amounts.every(
        (amount, column) => sum(inside.map(({ amounts }) => amounts[column] ?? ZERO)) === amount,
      )
    );
  });
}

describe("modules as a tree", () => {
  it("show what is inside what, and what a module changes by itself", () => {
    const table = driven(
      across({ production: { web: "5", "web.db": "20", "web.db.replica": "7", root: "-3", "a.b.c": "1" } }),
    );
    expect(table).toEqual([
      ["Change", "Module"],
      ["+$32.00", "web"],
      ["+$27.00", "└\u00a0web.db"],
      ["+$7.00", "\u2003└\u00a0web.db.replica"],
      ["+$20.00", "\u2003└\u00a0web.db itself"],
      ["+$5.00", "└\u00a0web itself"],
      ["−$3.00", "root"],
      ["+$1.00", "a.b.c"],
    ]);
  });

  it("sum what lies deeper, what is too much, and what belongs to no module", () => {
    const deep = driven(
      across({
        production: { "a.b.c.d.e": "1", "a.b.c.d.f": "2", "a.b.c.x": "4", "a.b.y": "8", "a.z": "16" },
      }),
    );
    expect(deep.flatMap(([, label]) => (label?.includes(".d") ? [label] : []))).toEqual([]);
    const wide = driven(
      across({
        production: Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`m${i}`, `${14 - i}`])),
      }),
    );
    expect(wide.at(-1)).toEqual(["+$10.00", "4 others"]);
    const [only] = stages({ production: { web: "5", db: "2" } });
    const untied = evaluation({
      report: report(
        only === undefined ? [] : [{ ...only, change: decimal("9"), after: decimal("100009") }],
        {
          modules: [
            module("web", "5"),
            module("db", "2"),
            module("unattributed", "2", { unattributed: true }),
          ],
        },
      ),
    });
    expect(driven(untied).at(-1)).toEqual(["+$2.00", "not tied to a module"]);
  });

  it("have a column per stage where several change: gains and losses do not cancel out", () => {
    const table = driven(across({ production: { web: "50", db: "1" }, dev: { web: "-50" }, idle: {} }));
    expect(table).toEqual([
      ["Change", "Module", "production", "dev"],
      ["$0.00", "web", "+$50.00", "−$50.00"],
      ["+$1.00", "db", "+$1.00", "0"],
    ]);
  });

  it("stay readable across forty stages: the largest by name, the rest together", () => {
    const forty = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`s${i}`, { web: `${i + 1}`, db: "1" }]),
    );
    const [head, web] = driven(across(forty));
    expect(head).toEqual(["Change", "Module", "s39", "s38", "s37", "37 others"]);
    expect(web).toEqual(["+$820.00", "web", "+$40.00", "+$39.00", "+$38.00", "+$703.00"]);
  });

  it("are replaced by resource types where no module is stated", () => {
    const types = (a: string, b: string) => ({
      modules: null,
      types: [
        { type: "aws_instance", before: null, after: null, change: decimal(a), percent: null },
        { type: "aws_lb", before: null, after: null, change: decimal(b), percent: null },
      ],
    });
    const all = [stage("prod", ["0", "9"], types("6", "2")), stage("dev", ["0", "3"], types("1", "2"))];
    expect(driven(evaluation({ report: report(all) }))).toEqual([
      ["Change", "Resource type", "prod", "dev"],
      ["+$7.00", "aws_instance", "+$6.00", "+$1.00"],
      ["+$4.00", "aws_lb", "+$2.00", "+$2.00"],
      ["+$1.00", "not tied to a resource", "+$1.00", "0"],
    ]);
  });

  it("are not laid across stages where one of them is not known", () => {
    const known = stages({ production: { web: "5", db: "2" }, staging: { web: "1" } });
    const doubtful = known.map((one, index) => (index === 1 ? { ...one, change: null, after: null } : one));
    const table = driven(
      evaluation({ report: report(doubtful, { modules: [module("web", "5"), module("db", "2")] }) }),
    );
    expect(table[0]).toEqual(["Change", "Module"]);
    expect(table.at(-1)).toEqual(["unknown", "not tied to a module"]);
  });

  it("read as their exact sums, rounded once, and a note says where these do not add up", () => {
    const path = fc
      .array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 5 })
      .map((steps) => steps.join("."));
    const amount = fc.tuple(fc.integer({ min: -(10 ** 7), max: 10 ** 7 }), fc.integer({ min: 0, max: 7 }));
    const costs = fc.dictionary(
      path,
      amount.map(([n, places]) => (n / 10 ** places).toFixed(places)),
      { minKeys: 1, maxKeys: 25 },
    );
    fc.assert(
      fc.property(fc.array(costs, { minLength: 1, maxLength: 7 }), (all) => {
        const text = comment(across(Object.fromEntries(all.map((own, index) => [`s${index}`, own]))));
        const [stageTable = [], table = []] = tables(parse(text));
        const parts = table
          .slice(1)
          .map(([own = "", label = ""]) => ({ own, label: label.split("\u00a0").at(-1) ?? "" }));
        for (const { own, label } of parts.filter((part) => /^[a-d.]+$/.test(part.label))) {
          const inside = all
            .flatMap(Object.entries<string>)
            .filter(([at]) => `${at}.`.startsWith(`${label}.`));
          expect(own).toBe(
            shown(
              inside.reduce((whole, [, cost]) => whole + picos(cost), 0n),
              "+",
            ),
          );
        }
        const sums = all.map((own) => Object.values(own).reduce((whole, cost) => whole + picos(cost), 0n));
        const total = sums.reduce((whole, own) => whole + own, 0n);
        const named = (table[0] ?? [])
          .slice(2)
          .map((label) => (/^s\d$/.test(label) ? (sums[Number(label[1])] ?? 0n) : null));
        const rest = named.reduce<bigint>((left, own) => left - (own ?? 0n), total);
        const totals = [total, ...named.map((own) => own ?? rest)].map((own) => read(shown(own, "+")));
        const lines = levels(table);
        const outer = lines.filter(({ depth }) => depth === 0).map(({ amounts }) => amounts.map(picos));
        const outerAddsUp = totals.every(
          (own, column) => outer.reduce((whole, cells) => whole + (cells[column] ?? 0n), 0n) === own,
        );
        const adds =
          (lines.length === 0 || outerAddsUp) && addsUp(lines, totals.length > 1) && stagesAddUp(stageTable);
        expect(text.includes(NOTE)).toBe(!adds);
      }),
      { numRuns: casesToTry({ usual: 8, deep: 100 }) },
    );
  });
});

describe("resources", () => {
  it("show what happens to each, and which are usage-based", () => {
    const text = comment(
      evaluation({
        report: report([stage("s", ["0", "9"])], {
          resources: [
            resource("a.b", "5", {
              action: "replaced",
              changedAttributes: ["ami"],
            }),
            resource("c.d", "3", { action: "added", changedAttributes: ["everything"], usageBased: true }),
            resource("e.f", "1"),
          ],
        }),
      }),
    );
    expect(text).toContain("| +$5.00 | **replaced** `a.b` |");
    expect(text).toContain("| +$3.00 | created `c.d`, plus usage |");
    expect(text).toContain("| +$1.00 | `e.f` |");
    expect(text).toContain("1 resource is also paid by usage, which is not in the estimate: `c.d`.");
  });

  it("are only counted where nobody names what is paid by usage", () => {
    const usage = { before: 3, after: 3, introduced: 0, deleted: 0 };
    const text = comment(evaluation({ report: report([stage("s", ["0", "9"])], { usage, usageBased: [] }) }));
    expect(text).toContain("3 resources are also paid by usage, which is not in the estimate.");
  });
});

describe("how past changes of modules came out", () => {
  const changes = { web: "4", db: "-3", queue: "2", cache: "1", idle: "0.5" };
  const range = (name: string, low: string, high: string, currency = "USD") => {
    return { module: name, currency, low: decimal(low), high: decimal(high), compared: 1200 };
  };
  const moduleRanges = [
    ...[
      range("cache", "1", "2"),
      range("db", "-5", "20"),
      range("web", "0", "0"),
      range("queue", "-7", "-1"),
    ],
    range("idle", "0", "9", "EUR"),
  ];
  const ranges = (pull: Partial<Evaluation["pull"]>) => {
    const { report: made } = across({ prod: changes });
    const text = comment(evaluation({ pull, report: { ...made, moduleRanges } }));
    return text.match(/^Of .* came out between .*$/gm) ?? [];
  };

  it("is said of the three largest changes, each in its own currency", () => {
    expect(ranges({})).toEqual([
      "Of 1,200 compared changes of `web`, most came out between 0% and 0% against the estimate.",
      "Of 1,200 compared changes of `db`, most came out between \u22125% and +20% against the estimate.",
      "Of 1,200 compared changes of `queue`, most came out between \u22127% and \u22121% against the estimate.",
    ]);
  });

  it("is not said where readers may not see figures", () => {
    expect(ranges({ figures: false })).toEqual([]);
  });
});
