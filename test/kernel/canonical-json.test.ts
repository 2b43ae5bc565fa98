import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson } from "../../src/kernel/canonical-json.ts";
import { decimal } from "../../src/kernel/money.ts";

it("canonical JSON is JSON of the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
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
