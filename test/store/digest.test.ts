import { expect, test } from "vitest";
import { computeDigest } from "../../src/store/digest.ts";

test("facts that a database returned with their keys in another order have the digest they had", () => {
  expect(computeDigest([{ deleted: 1, added: { b: 1, a: 2 } }])).toBe(
    computeDigest([{ added: { a: 2, b: 1 }, deleted: 1 }]),
  );
});

test("the order of a list and the place of a value change the digest", () => {
  const digests = [[1, 2], [2, 1], { a: 1, b: 2 }, { a: 2, b: 1 }, { a: { b: 1 } }, { b: { a: 1 } }].map(
    computeDigest,
  );
  expect(new Set(digests).size).toBe(digests.length);
});
