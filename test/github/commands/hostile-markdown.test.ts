import fc from "fast-check";
import { expect, test } from "vitest";
import { readCommand, readReviewAmount } from "../../../src/github/commands/read-command.ts";
import { casesToTry } from "../../world/depth.ts";

const HELP = "/tollgate help";
/** Far more than a slow machine needs. */
const HANG_MS = 2_500;
const REVIEW = "up to 900 USD";

/** The least of three tries, in ms of this thread's processor time. */
function costMs(work: () => unknown): number {
  const tries = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...tries);
}

const fill = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

/** Marks of Markdown and HTML that nest, or that a reader may look for to the end of the text. */
const PARTS = [
  ...[">", "> ", ">\n", ">>>>>>>>>>\n", "- ", "1. ", "- - > ", "\t>", "\n\n", "  "],
  ...["* ", "*a ", "_a ", "**a *b ", "~~a", "$a", "[", "[a](", "![", "[^a]: ", "[a]: b\n", "\\", "😀*"],
  ...["`", "`a``b", "```\n", "<", "<a ", '<a b="', "<!-- ", "<div>", "<svg><p>", "<template>", "&"],
  ...["<table><tr><td>", "|a", "|a|b|\n|-|-|\n", "> |a|\n", "a@b.c ", "www.a.b "],
];

test.each([4_000, 65_536])("a comment of %i characters of quotes in quotes is answered at once", (length) => {
  const body = `${HELP}\n\n${fill(">", length - 20)}`;
  readCommand(body);
  expect(costMs(() => readCommand(body))).toBeLessThan(HANG_MS);
  expect(readCommand(body)).toEqual({ state: "malformed", problem: { kind: "too_long" } });
});

test("no nested comment or review blocks the thread that reads it", () => {
  const texts = fc.record({
    parts: fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 3 }),
    length: fc.constantFrom(1_000, 3_900, 65_536),
    first: fc.boolean(),
  });
  readCommand(`${HELP}\n\n> a`);
  fc.assert(
    fc.property(texts, ({ parts, length, first }) => {
      const text = fill(parts.join(""), length - 30);
      const around = (line: string) => (first ? `${line}\n\n${text}` : `${text}\n\n${line}`);
      expect(costMs(() => readCommand(around(HELP)))).toBeLessThan(HANG_MS);
      expect(costMs(() => readReviewAmount(around(REVIEW)))).toBeLessThan(HANG_MS);
    }),
    { numRuns: casesToTry({ usual: 8, deep: 150 }) },
  );
}, 120_000);

test("a reply that quotes a reply, in a list, is read", () => {
  const quoted = Array.from({ length: 30 }, (_, at) => `${"> ".repeat(1 + (at % 6))}line ${at}`).join("\n");
  expect(readCommand(`${quoted}\n\n- one\n  - two\n\n${HELP}`)).toEqual({
    state: "command",
    command: { verb: "help" },
  });
});
