import fc from "fast-check";
import { expect, test } from "vitest";
import { shorten } from "../../src/kernel/shorten.ts";

test.each([
  ["fits", 4, "fits"],
  ["the limit is reached", 13, "the limit is…"],
  ["the limit is reached", 14, "the limit is…"],
  ["the limit is reached", 16, "the limit is…"],
  ["a averyveryverylongword", 12, "a averyvery…"],
  ["averyveryverylongword", 8, "averyve…"],
  ["no 😀😀", 5, "no…"],
  ["user:(sensitive value)@host", 16, "user:…"],
  ["user:(sensitive value)@host", 23, "user:(sensitive value)…"],
])("%j in %i characters is %j", (text, most, expected) => expect(shorten(text, most)).toBe(expected));

test("a shortened text is a beginning that ends with whole characters, and with a whole word within reason", () => {
  const text = fc
    .array(fc.stringMatching(/^[a-z]{1,5}😀?$/u), { maxLength: 20 })
    .map((words) => words.join(" "));
  fc.assert(
    fc.property(text, fc.integer({ min: 26, max: 80 }), (whole, most) => {
      const short = shorten(whole, most);
      expect(short.length).toBeLessThanOrEqual(most);
      expect(short.isWellFormed()).toBe(true);
      if (short === whole) return;
      const kept = short.slice(0, -1);
      expect(whole.startsWith(kept)).toBe(true);
      expect(whole.slice(kept.length)).toMatch(/^\s/);
    }),
  );
});
