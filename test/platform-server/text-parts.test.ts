import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { digestText, splitText } from "../../src/platform-server/area/text-parts.ts";

const LENGTH = 256 * 1024;
const encode = (texts: readonly string[]) => Buffer.concat(texts.map((text) => Buffer.from(text)));

it("parts of a text are the text again, in characters and in UTF-8, whatever is at their edges", async () => {
  const edge = fc.string({ unit: "binary", maxLength: 4 });
  const text = fc
    .tuple(fc.integer({ min: 0, max: 3 }), fc.array(edge, { minLength: 3, maxLength: 3 }))
    .map(([parts, edges]) =>
      edges.map((one) => `${"x".repeat(Math.max(0, LENGTH * parts - 2))}${one}`).join(""),
    );
  await fc.assert(
    fc.asyncProperty(
      text.filter((one) => one.isWellFormed()),
      async (whole) => {
        const parts = splitText(whole);
        expect(parts.join("")).toBe(whole);
        expect(encode(parts).equals(Buffer.from(whole))).toBe(true);
        expect(parts.every((part) => part.length <= LENGTH)).toBe(true);
        expect(await digestText(parts)).toBe(createHash("sha256").update(whole).digest("hex"));
      },
    ),
    { numRuns: 50 },
  );
});

it.each(["", "a", "x".repeat(LENGTH)])("a short text is one part", (text) => {
  expect(splitText(text)).toEqual([text]);
});
