import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatCellName,
  formatName,
  formatSentence,
  formatVisibleCellName,
  formatVisibleName,
  formatVisibleSentence,
  parseLinkTarget,
} from "../../src/render/escape.ts";
import { casesToTry } from "../world/depth.ts";
import { hostileName } from "./hostile.ts";
import { active, codes, parse, tables, textOf, words } from "./markdown.ts";

describe("a name", () => {
  it.each([
    ["aws_instance.web", "aws_instance.web"],
    ['module.a["x y"].b[0]', 'module.a["x y"].b[0]'],
    ["", '""'],
    [" a  b ", "\\u{20}a \\u{20}b\\u{20}"],
    ["a\u202eb", "a\\u{202e}b"],
    ["a\u200bb\0", "a\\u{200b}b\\u{0}"],
    ["\ud800x", "\\u{d800}x"],
    ["e\u0301\u0301\u0301\u0301", "e\u0301\u0301\u0301\\u{301}"],
    ["\u0301a", "\\u{301}a"],
    ["tab\tline\n", "tab\\u{9}line\\u{a}"],
    ["größe-日本", "größe-日本"],
  ])("%j is shown as %s", (given, seen) => expect(formatVisibleName(given)).toBe(seen));

  it("that is very long is shortened in the middle, says by how much, and stays another one", () => {
    const shortened = /^x{120}…\(\+64820 #[0-9a-f]{4}\)…x{60}$/;
    expect(formatVisibleName("x".repeat(65_000))).toMatch(shortened);
    expect(formatVisibleName("😀".repeat(180))).toMatch(/^(😀){60}…\(\+90 #[0-9a-f]{4}\)…(😀){30}$/u);
    expect(formatVisibleName("x".repeat(180))).toBe("x".repeat(180));
    expect(formatVisibleCellName("x".repeat(97))).toMatch(/^x{60}…\(\+1 #[0-9a-f]{4}\)…x{36}$/);
    const alike = ["a", "b", "c"].map((middle) =>
      formatVisibleName("x".repeat(150) + middle + "x".repeat(150)),
    );
    expect(new Set(alike).size).toBe(3);
  });

  it("renders as itself and does nothing, in a line and in a cell", {
    timeout: 120_000,
  }, () => {
    fc.assert(
      fc.property(fc.array(hostileName, { minLength: 50, maxLength: 50 }), (names) => {
        const line = (text: string): string => `- before ${formatName(text)} after`;
        const cell = (text: string): string => `| before ${formatCellName(text)} | +$5.00 |`;
        const root = parse([...names.map(line), "", "| a | b |", "|:--|--:|", ...names.map(cell)].join("\n"));
        expect(active(root, null)).toEqual([]);
        expect(codes(root)).toEqual([...names.map(formatVisibleName), ...names.map(formatVisibleCellName)]);
        expect(words(root)).toBe(`${"before  after".repeat(50)}ab${"before +$5.00".repeat(50)}`);
        expect(tables(root)[0]?.map(({ length }) => length)).toEqual(Array(51).fill(2));
      }),
      { numRuns: casesToTry({ usual: 8, deep: 200 }) },
    );
  });

  it("is at most 200 characters wide, and no half of a character", () => {
    fc.assert(
      fc.property(hostileName, (text) => {
        const seen = formatVisibleName(text);
        expect(seen.length).toBeLessThanOrEqual(200);
        expect(seen.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe("a sentence from outside", () => {
  it.each([
    ['expected a number above 0, found "5k"', true],
    ["Give the App read access, then try again.", true],
    ["see www.evil.example", false],
    ["fixed in 0123abc4567", false],
    ["as of GH-12", false],
    ["thanks @octocat", false],
    ["look: <b>", false],
    ["1. begin", false],
    ["a  b", false],
    ["smile :tada:", false],
    ["a://b", false],
    ["$5 to $6", false],
    ["the key check_names, and/or a_b", true],
    ["_it_ acts", false],
    ["it _acts_ here", false],
    [`${"<b> ".repeat(200)}!`, false],
  ])("%j is plain words: %s", (text, plain) => {
    const root = parse(`- it says: ${formatSentence(text)}`);
    expect([textOf(root), codes(root).length === 0]).toEqual([
      `it says: ${formatVisibleSentence(text)}`,
      plain,
    ]);
    expect(active(root, null)).toEqual([]);
  });

  it("does nothing, whatever it is", () => {
    fc.assert(
      fc.property(hostileName, (text) => {
        expect(active(parse(`- it says: ${formatSentence(text)} and\n- no more`), null)).toEqual([]);
      }),
      { numRuns: casesToTry({ usual: 80, deep: 2_000 }) },
    );
  });
});

describe("a link", () => {
  it.each([
    ["https://tollgate.example/acme/7", "https://tollgate.example/acme/7"],
    ["http://127.0.0.1:3000/x", "http://127.0.0.1:3000/x"],
    ["https://tollgate.example/a(b)c|d`e", "https://tollgate.example/a%28b%29c%7Cd%60e"],
    ["http://tollgate.example/", null],
    ["javascript:alert(1)", null],
    ["https://user:pass@tollgate.example/", null],
    ["//tollgate.example/", null],
    [`https://tollgate.example/${"x".repeat(5_000)}`, null],
  ])("to %s points to %s", (url, target) => {
    expect(parseLinkTarget(url)).toBe(target);
    if (target !== null) expect(active(parse(`[words](${target})`), target)).toEqual([]);
  });
});
