import fc from "fast-check";
import { expect, test } from "vitest";
import { computeDigest } from "../../src/evaluate/comment-content.ts";

const withKeysReversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withKeysReversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, withKeysReversed(member)]),
  );
};

test("facts that a database returned with their keys in another order have the digest they had", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (facts) => {
      expect(computeDigest([withKeysReversed(facts)])).toBe(computeDigest([facts]));
    }),
  );
  expect(computeDigest([{ deleted: 1, added: 2 }])).toBe(computeDigest([{ added: 2, deleted: 1 }]));
});

test("the order of a list and the place of a value change the digest", () => {
  const digests = [[1, 2], [2, 1], { a: 1, b: 2 }, { a: 2, b: 1 }, { a: { b: 1 } }, { b: { a: 1 } }].map(
    computeDigest,
  );
  expect(new Set(digests).size).toBe(digests.length);
});
