import fc from "fast-check";
import { expect, it } from "vitest";
import { AttributeNames } from "../../src/platform-server/changes/element-detail.ts";

/** As the marks on attributes are defined: part by part. */
const isWithin = (name: string, whole: string): boolean =>
  name === whole || name.startsWith(`${whole}.`) || name.startsWith(`${whole}[`);

const name = fc
  .array(fc.constantFrom("a", "b", "-", ".", "[0]", "[", "\u{1F600}", "~"), { maxLength: 5 })
  .map((parts) => parts.join(""));

it("names cover what lies within them, and meet what lies within them or around them", () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 8 }), name, (names, asked) => {
      const found = new AttributeNames(names);
      const isCovered = names.some((one) => isWithin(asked, one));
      expect(found.cover(asked)).toBe(isCovered);
      expect(found.meet(asked)).toBe(isCovered || names.some((one) => isWithin(one, asked)));
    }),
    { numRuns: 3_000 },
  );
});

it.each(["a\0b", "a\u0001b"])(
  "a character that cannot be told from a separator is taken for one, so that its value is withheld",
  (odd) => {
    expect(new AttributeNames(["a"]).cover(odd)).toBe(true);
  },
);
