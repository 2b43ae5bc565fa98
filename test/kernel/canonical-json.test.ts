import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson } from "../../src/kernel/canonical-json.ts";
import { decimal } from "../../src/kernel/money.ts";

/** The same value with the keys of each object in another order. */
function reverseKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reverseKeys);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reverseKeys(member)]),
  );
}

it("canonical JSON is JSON of the same value, and the same text in whatever order the keys are", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(reverseKeys(value))).toBe(text);
    }),
  );
});

it("canonical JSON has keys in the order of their code units, amounts as texts, and no members that are undefined", () => {
  const value = {
    b: decimal("1.50"),
    a: [{ z: 1, Z: undefined, "10": null }],
    "9": [undefined],
    ["__proto__"]: 1,
  };
  expect(canonicalJson(value)).toBe('{"9":[null],"__proto__":1,"a":[{"10":null,"z":1}],"b":"1.5"}');
});
