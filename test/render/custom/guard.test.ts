import { describe, expect, it } from "vitest";
import { CHANGES, CONTEXT, SAVINGS } from "../../../src/render/custom/fields.ts";
import { guard } from "../../../src/render/custom/guard.ts";

const problems = (text: string, fields = CHANGES): readonly string[] =>
  guard(text, fields).map(({ line, column, message }) => `${line}:${column} ${message}`);

describe("a partial that is refused", () => {
  it.each<readonly [what: string, text: string, told: readonly [place: string, words: RegExp]]>([
    ["includes another template", "a\n {{> headline}}", ["2:2", /cannot be included/]],
    ["includes one by a computed name", "{{> (lookup . 'x')}}", ["1:1", /cannot be included/]],
    ["includes a block", "{{#> layout}}x{{/layout}}", ["1:1", /cannot be included/]],
    [
      "defines an inline partial that could call itself",
      "{{#*inline 'a'}}{{> a}}{{/inline}}",
      ["1:1", /decorators/],
    ],
    ["has a decorator", "{{* activate}}", ["1:1", /decorators/]],
    ["reaches for the root", "{{@root.known}}", ["1:3", /@root\.known is not available/]],
    ["loops over the root, to multiply", "{{#each @root.open}}x{{/each}}", ["1:9", /right here/]],
    [
      "loops over what is further out, to multiply",
      "{{#each open}}{{#each ../folded}}x{{/each}}{{/each}}",
      ["1:23", /right here/],
    ],
    ["looks for a constructor", "{{constructor}}", ["1:3", /no field constructor/]],
    ["looks for a prototype", "{{__proto__.polluted}}", ["1:3", /no field __proto__/]],
    ["looks up what it likes", "{{lookup this 'constructor'}}", ["1:1", /no helper lookup/]],
    ["looks it up in an argument", "{{#if (lookup this 'x')}}x{{/if}}", ["1:7", /no helper lookup/]],
    ["changes what names mean", "{{#with open}}x{{/with}}", ["1:1", /no block with/]],
    ["writes to the log", "{{log 'x'}}", ["1:1", /no helper log/]],
    ["calls an inner helper", "{{#blockHelperMissing open}}x{{/blockHelperMissing}}", ["1:1", /no block/]],
    ["calls another inner helper", "{{helperMissing}}", ["1:3", /no field helperMissing/]],
    ["gives names to fields", "{{#each open as |row|}}{{row.resource}}{{/each}}", ["1:1", /names after as/]],
    ["gives named values", "{{number more style='x'}}", ["1:1", /names with =/]],
    ["has a raw block", "{{{{raw}}}}{{x}}{{{{/raw}}}}", ["1:1", /no block raw/]],
    ["leaves a block open", "{{#if known}}x", ["1:1", /opened and not closed/]],
    ["leaves a tag open", "a\n{{known", ["2:1", /a tag cannot be read/]],
    ["closes another block", "{{#if known}}\n{{/each}}", ["1:4", /if doesn't match each/]],
    ["prints a list", "{{open}}", ["1:3", /no single value; write {{#each open}}/]],
    ["loops over a value", "{{#each more}}x{{/each}}", ["1:9", /no list/]],
    ["gives a helper too little", "{{plural more 'a'}}", ["1:1", /takes a number and two words/]],
    ["looks too far out", "{{#each open}}{{../../known}}{{/each}}", ["1:17", /further out/]],
    ["begins a hidden comment", "x <!-- y -->", ["1:3", /Handlebars has {{!-- comments --}}/]],
    ["has an image", "![x](https://e.example/{{more}}.png)", ["1:1", /an image can show anything/]],
    ["has HTML that loads something", "<img src=x>", ["1:1", /^<img is HTML/]],
    ["has a script", "a <script>x</script>", ["1:3", /is HTML/]],
    ["has a heading like the verdict's", "x\n\n### ✅ Passed\n", ["3:1", /begin it with ####/]],
    ["has one in a list", "- 1. # Passed\n", ["1:1", /begin it with ####/]],
    ["underlines a heading", "Passed\n---\n", ["2:1", /makes a heading/]],
    ["opens a fence that swallows the rest", "```\n", ["1:1", /fence/]],
    ["opens the other fence", "> ~~~~\n", ["1:3", /fence/]],
    [
      "mentions a team",
      "ask @acme/finops",
      ["1:5", /^@acme\/finops would notify people; write the name without @/],
    ],
    ["mentions a person in emphasis", "_@ada_", ["1:2", /would notify/]],
    ["mentions a person behind a backslash", "\\@ada", ["1:2", /would notify/]],
    ["mentions a person behind a value", "{{more}}@ada", ["1:9", /would notify/]],
  ])("%s", (_, text, [place, told]) => {
    const [first = "", ...more] = problems(text);
    expect(more).toEqual([]);
    expect(first.startsWith(`${place} `)).toBe(true);
    expect(first.slice(place.length + 1)).toMatch(told);
  });

  it("nests loops, blocks or helpers too deeply, or is too long to compile soon", () => {
    const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
    expect(problems(nested("{{#if known}}", "{{/if}}", 11))).toEqual([
      expect.stringMatching(/deeper than 10/),
    ]);
    expect(problems(nested("{{#if known}}", "{{/if}}", 10))).toEqual([]);
    expect(problems(`{{#if ${nested("(any ", ")", 12).replace(" )", " known)")}}}x{{/if}}`)).toEqual([
      expect.stringMatching(/deeper than 10/),
    ]);
    expect(problems("{{more}}".repeat(501))).toEqual([
      "1:1 has 501 tags, and 500 are allowed; make it shorter",
    ]);
    expect(problems(nested("{{#if known}}", "{{/if}}", 240))).toHaveLength(1);
  });

  it("is looked through within a loop over what is not there", () => {
    expect(
      problems("{{#each opn}}{{resource}}{{#each x}}{{../y}}{{> z}}{{../../knwon}}{{/each}}{{/each}}"),
    ).toEqual([
      "1:9 there is no field opn here; did you mean open?",
      "1:45 other templates cannot be included; write the words here",
      "1:54 there is no field knwon here; did you mean known?",
    ]);
  });

  it("is told everything at once, with what was meant", () => {
    expect(
      problems("{{knwon}}\n{{#each opn}}x{{/each}}\n{{#eech open}}x{{/eech}}\n{{plurl more 'a' 'b'}}"),
    ).toEqual([
      "1:3 there is no field knwon here; did you mean known?",
      "2:9 there is no field opn here; did you mean open?",
      "3:1 there is no block eech; did you mean each?",
      "4:1 there is no helper plurl; did you mean plural?",
    ]);
    expect(
      problems("{{#each groups}}{{totl}}{{#each lines}}{{../total}}{{amont}}{{/each}}{{/each}}", SAVINGS),
    ).toEqual([
      "1:19 there is no field totl here; did you mean total?",
      "1:54 there is no field amont here; did you mean amount?",
    ]);
  });
});

describe("a partial that is allowed", () => {
  it.each([
    [
      "plain words and links",
      "Ask [us](https://wiki.example/x) or finops@acme.example, see <https://a.example>.\n\n#### More\n\n***\n",
    ],
    [
      "loops, tests and helpers",
      "{{#each open}}{{#if @first}}- {{/if}}{{@index}} {{resource}}{{#unless @last}}, {{/unless}}{{../more}}{{else}}none{{/each}}",
    ],
    [
      "tests of lists and of several values",
      "{{#if (any open folded (eq more 3))}}{{number more}} {{plural more 'x' 'y'}}{{else if known}}{{~known~}}{{/if}}",
    ],
    [
      "a folded part",
      "<details>\n<summary>{{foldedCount}} more</summary>\n\n{{#each folded}}\n- {{resource}}\n{{/each}}\n\n</details>",
    ],
    ["comments of Handlebars", "{{!-- <!-- ``` {{x}} --}}{{! ### }}words<br>a < b <3"],
    ["a list with a value first", "- {{more}}\n- {{more}}\n"],
  ])("%s", (_, text) => {
    expect(problems(text)).toEqual([]);
  });

  it("fields of things, and lists in them", () => {
    const text = "{{#if anomalies}}{{anomalies.count}}{{#each anomalies.items}}{{resource}}{{/each}}{{/if}}";
    expect(problems(text, CONTEXT)).toEqual([]);
    expect(problems("{{#each done}}{{this}}{{/each}}", SAVINGS)).toEqual([]);
  });
});
