import { describe, expect, it } from "vitest";
import {
  countFacets,
  findRows,
  type IndexedRow,
  readIndex,
  writeIndex,
} from "../../src/platform-server/changes/snapshot-index.ts";

let placed = 0;
/** An added resource; each has a place of its own, so that it can be told from the others. */
const row = (name: string, over: Partial<IndexedRow> = {}): IndexedRow => ({
  ...{ page: 1, position: placed++, name, resource_address: `a.${name}` },
  ...{ change: "added", provider: "aws", type: "a", module: "root", isMoved: false },
  ...over,
});
const indexOf = (rows: readonly IndexedRow[], category: "planned_changes" | "outputs" = "planned_changes") =>
  readIndex(writeIndex(category, rows));
const ALL = { offset: 0, limit: 100 };

describe("the index of a snapshot", () => {
  it("sorts by change type, name and address by code units, and equal rows as they were uploaded", () => {
    const sorted = [
      row("x", { change: "deleted" }),
      row("B"),
      row("a", { resource_address: "y", position: 99 }),
      row("a", { resource_address: "z", page: 1 }),
      row("a", { resource_address: "z", page: 2, position: 0 }),
      row("😀"),
      row("\uff21"),
      row("a", { change: "changed" }),
      row("a", { change: null }),
    ];
    const index = indexOf(sorted.toReversed());
    const { total, ordinals } = findRows(index, ALL);
    expect([total, ordinals]).toEqual([9, [0, 1, 2, 3, 4, 5, 6, 7, 8]]);
    expect(ordinals.map((ordinal) => [index.pages[ordinal], index.positions[ordinal]])).toEqual(
      sorted.map(({ page, position }) => [page, position]),
    );
    expect(findRows(index, { offset: 2, limit: 3 })).toEqual({ total: 9, ordinals: [2, 3, 4] });
  });

  const NAMES = ["50%", "A.b", "a\\c", "b\tc", "ÄRGER_1", "ß", "İ"];
  it.each([
    ["", NAMES],
    ["%", ["50%"]],
    ["_", ["ÄRGER_1"]],
    [".B", ["A.b", "b\tc"]],
    ["ärger", ["ÄRGER_1"]],
    ["\\", ["a\\c"]],
    ["b c", ["b\tc"]],
    ["i̇", ["İ"]],
    ["SS", []],
    ["1\na", []],
  ])("finds %j in any case in names and addresses, and in no two of them together", (search, expected) => {
    const index = indexOf(NAMES.map((name) => row(name)));
    const { total, ordinals } = findRows(index, { ...ALL, search });
    expect([total, ordinals.map((ordinal) => NAMES[ordinal])]).toEqual([expected.length, expected]);
  });

  it("finds a name that its address does not hold, and moved rows alone where they are asked for", () => {
    const index = indexOf([row("web", { resource_address: "b" }), row("x", { isMoved: true })]);
    expect(findRows(index, { ...ALL, search: "we" }).ordinals).toEqual([0]);
    expect(findRows(index, { ...ALL, moved: true }).ordinals).toEqual([1]);
    expect(findRows(index, { ...ALL, moved: false }).total).toBe(2);
  });

  it("counts each dimension under the filters of the others, whatever its values are called", () => {
    const planned = indexOf([
      row("a", { module: "__proto__" }),
      row("b", { module: "constructor", type: "b", change: "deleted" }),
      row("c", { provider: "google", type: "b" }),
    ]);
    const outputs = indexOf([row("a", { provider: "", type: "", module: "", change: null })], "outputs");
    const count = (filter: object) => {
      const { category, provider, type, module, change } = countFacets([planned, outputs], filter);
      return [category, provider, type, module, change].map((counts) => Object.entries(counts).sort());
    };
    expect(count({})).toEqual([
      [
        ["outputs", 1],
        ["planned_changes", 3],
      ],
      [
        ["aws", 2],
        ["google", 1],
      ],
      [
        ["a", 1],
        ["b", 2],
      ],
      [
        ["__proto__", 1],
        ["constructor", 1],
        ["root", 1],
      ],
      [
        ["added", 2],
        ["deleted", 1],
      ],
    ]);
    expect(count({ type: ["b"], provider: ["aws"] })).toEqual([
      [["planned_changes", 1]],
      [
        ["aws", 1],
        ["google", 1],
      ],
      [
        ["a", 1],
        ["b", 1],
      ],
      [["constructor", 1]],
      [["deleted", 1]],
    ]);
    expect(count({ search: "A.A", category: ["planned_changes"] })[0]).toEqual([
      ["outputs", 1],
      ["planned_changes", 1],
    ]);
    expect(count({ module: ["none"] }).map((counts) => counts.length)).toEqual([0, 0, 0, 3, 0]);
  });
});
