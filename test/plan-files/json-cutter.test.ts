import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CutterChoice, JsonCutter, type PathStep } from "../../src/plan-files/text/json-cutter.ts";

/** Cuts a text that arrives in pieces of `size` characters; containers are entered down to `depth`. */
function cut(text: string, depth: number, size = text.length) {
  const taken: [string, unknown][] = [];
  const cutter = new JsonCutter({
    choose: (path): CutterChoice => (path.length < depth ? "enter" : "capture"),
    take: (path, value) => taken.push([path.join("/"), JSON.parse(value)]),
  });
  for (let at = 0; at < text.length; at += Math.max(1, size))
    cutter.write(text.slice(at, at + Math.max(1, size)));
  cutter.end();
  return { taken, after: cutter.after };
}

/** What lies in a value at exactly the depth, or above it where there is nothing to enter. */
function leaves(value: unknown, depth: number, path: readonly PathStep[] = []): [string, unknown][] {
  if (depth === 0 || typeof value !== "object" || value === null) return [[path.join("/"), value]];
  return Object.entries(value).flatMap(([key, one]) => leaves(one, depth - 1, [...path, key]));
}

describe("cutting a JSON document into pieces", () => {
  test("hands out the values that JSON.parse finds, however the text arrives", () => {
    const sizes = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 0, max: 3 }), sizes, (text, depth, size) => {
        expect(cut(text, depth, size).taken).toEqual(leaves(JSON.parse(text), depth));
      }),
    );
  });

  test("is not confused by any layout", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("\t", "  ", "\r\n "), (value, space) => {
        const text = `\n ${JSON.stringify(value, null, space)} \n`;
        expect(cut(text, 2, 7).taken).toEqual(leaves(JSON.parse(text), 2));
      }),
    );
  });

  test("stops at lists and objects that lie thousands of levels deep, wherever they are", () => {
    const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    for (const [levels, depth] of [
      [1_000, 0],
      [990, 5],
      [990, 2_000],
    ] as const) {
      expect(() => cut(deep(levels), depth, 64)).not.toThrow();
      expect(() => cut(`[${deep(2_001)}`, depth, 64)).toThrow(expect.objectContaining({ kind: "too_deep" }));
    }
  });

  test("says that a document is cut off, wherever it is", () => {
    const text = JSON.stringify({ a: ['x\\"', { b: null }], c: 'q"}]', d: -1.5e3 });
    for (let end = 1; end < text.length; end += 1) {
      expect(() => cut(text.slice(0, end), 2, 3)).toThrow(expect.objectContaining({ kind: "cut_off" }));
    }
    expect(() => cut("  \n ", 2)).toThrow(expect.objectContaining({ kind: "empty" }));
  });

  test.each([
    ['{"a":1,}', 1],
    ['{\n"a" 1}', 2],
    ['{\n\n"a":1 "b":2}', 3],
    ["[1 2]", 1],
    ["[1,\n,2]", 2],
    ["{a:1}", 1],
    ['{"a":\n\n\ntrue1}', 4],
    ["nonsense", 1],
    ['{"a":01}', 1],
    ["[1}", 1],
  ])("refuses %j and knows the line", (text, line) => {
    expect(() => cut(text, 2)).toThrow(expect.objectContaining({ kind: "syntax", line }));
    expect(() => cut(text, 2, 1)).toThrow(expect.objectContaining({ kind: "syntax", line }));
  });

  test("returns what follows the document, with the line where the document ended", () => {
    expect(cut('{\n"a":1\n}\n\nINFO done', 1, 2).after).toEqual({ text: "\n\nINFO done", line: 3 });
  });

  test("passes over what nobody asked for without keeping it", () => {
    const cutter = new JsonCutter({
      choose: (path) => (path.length === 0 ? "enter" : path[0] === "wanted" ? "capture" : "skip"),
      take: (path, text) => expect([path, text]).toEqual([["wanted"], "7"]),
    });
    cutter.write('{"huge":{"x":["');
    for (let count = 0; count < 1000; count += 1) cutter.write('}]\\"');
    cutter.write('"]},"wanted":7}');
    cutter.end();
    expect.assertions(1);
  });
});
