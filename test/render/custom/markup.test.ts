import fc from "fast-check";
import rehypeRaw from "rehype-raw";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { describe, expect, it } from "vitest";
import { hiddenIn, showsAmount, unwantedIn, unwantedInOutput } from "../../../src/render/custom/markup.ts";
import { markupValue } from "../../../src/render/custom/markup-value.ts";
import { cellName, name, visibleCellName, visibleName } from "../../../src/render/markup/escape.ts";
import { hostileName } from "../hostile.ts";

const html = (markdown: string): string =>
  String(
    unified()
      .use(remarkParse)
      .use(remarkGfm)
      .use(remarkRehype, { allowDangerousHtml: true })
      .use(rehypeRaw)
      .use(rehypeStringify)
      .processSync(markdown),
  ).replaceAll("<wbr>", "");

/** What stands in the page's first code element, as a reader sees it; and the page with that left out. */
function shown(markdown: string): { readonly text: string; readonly around: string } {
  const page = html(markdown);
  const [whole = "", text = ""] = /<code>([^<]*)<\/code>/.exec(page) ?? [];
  const read = text.replaceAll(
    /&(?:#x([0-9A-F]+);|(lt|gt|amp|quot);)/g,
    (_, hex: string | undefined, word: string) =>
      hex === undefined
        ? ({ lt: "<", gt: ">", amp: "&", quot: '"' }[word] ?? "")
        : String.fromCodePoint(Number.parseInt(hex, 16)),
  );
  return { text: read, around: page.replace(whole, "") };
}

describe("a value from outside in words that somebody else wrote", () => {
  const PLACES = [
    ["a line", (value: string) => `It is ${value} here`],
    ["a list", (value: string) => `- a\n- ${value}`],
    ["a heading", (value: string) => `#### ${value}`],
    ["the words of a link", (value: string) => `[see ${value} there](https://a.example)`],
    ["a table", (value: string) => `| a | b |\n|--|--|\n| ${value} | c |`],
    ["strong words", (value: string) => `**${value}**`],
    ["a summary", (value: string) => `<details>\n<summary>${value} more</summary>\n\nx\n\n</details>`],
    ["raw HTML", (value: string) => `<div>\n${value}\n</div>`],
  ] as const;

  it.each(PLACES)("renders as itself in %s", (_, place) => {
    const { around } = shown(place(markupValue(name("x"), false)));
    fc.assert(
      fc.property(hostileName, (text) => {
        const seen = shown(place(markupValue(name(text), false)));
        expect(seen.text).toBe(visibleName(text));
        expect(seen.around.replaceAll(/[\u2068\u2069]/g, "")).toBe(around);
        expect(shown(place(markupValue(cellName(text), true))).text).toBe(visibleCellName(text));
      }),
      { numRuns: 60 },
    );
  });

  it("cannot end the backticks, the address or the attribute that it is put into", () => {
    const skeleton = (page: string) =>
      page.replaceAll(/<code>[^<]*<\/code>|(?:href|title)="[^"]*"|&[^;]*;/g, "");
    fc.assert(
      fc.property(hostileName, (text) => {
        const value = markupValue(name(text), false);
        expect(html(`\`${value}\` x`)).toMatch(/^<p>[\u2068\u2069]?<code>[^<]*<\/code> x<\/p>$/);
        const link = html(`[x](https://a.example/${value}) y`);
        expect(skeleton(link)).not.toMatch(/<(?!\/?(?:p|a|code)\b)/);
      }),
      { numRuns: 60 },
    );
  });

  it("is left alone where it is a figure or a word of ours", () => {
    for (const text of ["+$1,204.00", "−5%", "21 Nov 2026, 14:05 UTC", "deleted"])
      expect(markupValue(text, true)).toBe(text);
  });
});

describe("what a partial writes out", () => {
  it.each([
    ["an open folded part", "<details>\n\nx", /has its <\/details>/],
    ["one that is closed first", "</details>\n<details>", /has its/],
    ["one that stands in", "  <details>\n\n</details>", /stand alone/],
    ["one within words", "x <details>\n\n</details>", /stand alone/],
    ["an open mark", "<sub>x", /<sub> must be closed/],
    ["marks in the wrong order", "</kbd>x<kbd>", /<kbd> must be closed/],
    ["a comment that loops put together", "<!-- x", /nobody sees/],
    ["a fence that loops put together", "```", /fence/],
    ["a heading that loops put together", "# x", /####/],
    ["a tag around a value", "<a href=x><code>&#64;</code>", /is HTML/],
    [
      "an image that a text of a helper puts into code",
      "<code>![ok](https://e.example/p.png)</code>",
      /is HTML/,
    ],
    ["code over several lines", "<code>\n\na\n\n</code>", /is HTML/],
    ["code with a sign that nobody sees", "<code>&#8238;</code>", /is HTML/],
  ])("is refused: %s", (_, text, told) => {
    expect(unwantedInOutput(text)).toMatch(told);
  });

  it("is taken with values, closed marks and folded parts in one another", () => {
    const text =
      "<details>\n<summary><code>&#64;a</code> <sub>x</sub> <sub>y</sub></summary>\n\n<details>\n\n</details>\n</details>";
    expect(unwantedInOutput(text)).toBeNull();
    expect(unwantedInOutput("")).toBeNull();
  });
});

describe("what could pass for something else", () => {
  it.each([
    ["a heading in lists of both kinds", "1. - # Passed", /begin it with ####/],
    ["a heading quoted in a list", "2) > ## Passed", /begin it with ####/],
    ["a formula as large as a page", "$\\Huge\\color{green}{\\text{Passed}}$", /formula/],
    ["a formula over two lines", "$x\n\\phantom{y}$", /formula/],
    ["a formula of its own", "$$x$$", /formula/],
    ["a formula in backticks", "$`x`$", /formula/],
    ["a reference to what turns the text around", "&#x202e;dessaP", /write what it stands for/],
    ["the same by its number", "&#8238;dessaP", /write what it stands for/],
    ["the same by a name", "&rlm;&ZeroWidthSpace;", /write what it stands for/],
    ["a definition, which is not shown", "[x]: https://e.example 'words'", /not shown/],
    ["one with a bracket in its name, in a list", "1. - [x\\]y]: /z", /not shown/],
    ["a film", "https://github.com/user-attachments/assets/0f1e-2d3c", /GitHub shows as an image or a film/],
    ["a note at the foot", "x [^1]\n\n[^1]: Passed", /not shown/],
  ])("is refused: %s", (_, text, told) => {
    expect(unwantedIn(text)?.message).toMatch(told);
    expect(unwantedInOutput(text)).toMatch(told);
  });

  it.each([
    "It costs $5, or $6 with the cache; see C:\\temp.",
    "R&amp;D &mdash; Q&A; see https://wiki.example/?a=1&b=2",
    "- [x] done\n- [ ] see [the page](https://wiki.example): now",
  ])("is none: %s", (text) => {
    expect(unwantedIn(text)).toBeNull();
  });
});

describe("an amount that must be shown", () => {
  const AMOUNT = "+$500.00";
  it.each([
    "Moved by **+$500.00**.",
    "+$500.00, +$5.00",
    "[why](https://wiki.example/a?b=c) +$500.00 (see [there](https://wiki.example))",
    "[+$500.00](https://wiki.example)",
    "<details>\n<summary>+$500.00 more</summary>\n\nx\n\n</details>",
    "<details>\n\nx\n\n</details>\n+$500.00",
  ])("is seen: %s", (text) => {
    expect(showsAmount(text, AMOUNT)).toBe(true);
  });

  it.each([
    ["in an address", "[no change](https://e.example/?+$500.00)"],
    ["in a pointed address", "[no change](<https://e.example/?a) +$500.00>)"],
    ["in a title", '[no change](/a "b) +$500.00")'],
    ["in a title on the next line", '[no change](/a\n"+$500.00")'],
    ["folded away", "<details>\n<summary>x</summary>\n\n+$500.00\n\n</details>"],
    ["in a second summary", "<details>\n<summary>x</summary>\n<summary>+$500.00</summary>\n\n</details>"],
    ["in a folded summary", "<details>\n\nx\n<details>\n<summary>+$500.00</summary>\n</details>\n</details>"],
    ["with more digits after it", "+$500.00000"],
    ["with more digits before it", "1+$500.00"],
    ["with a thousand times as much", "+$500.00,000"],
  ])("is not seen %s", (_, text) => {
    expect(showsAmount(text, AMOUNT)).toBe(false);
  });
});

describe("characters that nobody sees", () => {
  it("are found, and those that emoji need are not", () => {
    expect(hiddenIn("a\u202eb")).toBe(1);
    expect(hiddenIn("ab\0")).toBe(2);
    expect(hiddenIn("a\u200bb")).toBe(1);
    expect(hiddenIn("\ud800")).toBe(0);
    for (const hidden of ["\u00ad", "\u034f", "\u115f", "\u3164", "\u2800", "\u2028", "\ufe01", "\u{e0041}"])
      expect(hiddenIn(`a${hidden}`)).toBe(1);
    expect(hiddenIn("a\tb\n⚠️ 👩‍🚒 שלום")).toBeNull();
  });
});
