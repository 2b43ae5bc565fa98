import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonBounds } from "../../src/kernel/json-bounds.ts";

/** What the bounds count, of a value that is parsed. */
function measure(value: unknown): { depth: number; values: number } {
  if (typeof value !== "object" || value === null) return { depth: 0, values: 0 };
  const inside = Object.values(value).map(measure);
  return {
    depth: 1 + Math.max(0, ...inside.map(({ depth }) => depth)),
    values: Math.max(1, inside.length) + inside.reduce((sum, { values }) => sum + values, 0),
  };
}

const readInPieces = (text: string, limits: { depth: number; values: number }, size: number) => {
  const bytes = Buffer.from(text);
  const bounds = new JsonBounds(limits);
  let exceeded: "depth" | "values" | null = null;
  for (let at = 0; at < bytes.length; at += size) exceeded = bounds.read(bytes.subarray(at, at + size));
  return exceeded;
};

describe("the bounds of a JSON text", () => {
  it("are exceeded exactly where the value has more levels or values, in pieces of any size", () => {
    const tricky = fc.string({ unit: fc.constantFrom("[", "]", "{", "}", ",", '"', "\\", "a", "é", "😀") });
    const json = fc.jsonValue({ stringUnit: "grapheme", maxDepth: 6 });
    const value = fc.oneof(json, fc.array(fc.oneof(tricky, fc.dictionary(tricky, tricky))));
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 9 }), (given, size) => {
        const text = JSON.stringify(given);
        const { depth, values } = measure(JSON.parse(text));
        expect(readInPieces(text, { depth, values }, size)).toBeNull();
        if (depth > 0) expect(readInPieces(text, { depth: depth - 1, values }, size)).toBe("depth");
        if (values > 0) expect(readInPieces(text, { depth, values: values - 1 }, size)).toBe("values");
      }),
    );
  });

  it("stay exceeded after the brackets are closed", () => {
    const bounds = new JsonBounds({ depth: 2, values: 100 });
    expect(bounds.read(Buffer.from("[[["))).toBe("depth");
    expect(bounds.read(Buffer.from("]]]"))).toBe("depth");
  });
});
