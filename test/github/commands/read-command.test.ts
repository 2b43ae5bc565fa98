import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { readCommand, readReviewAmount, splitReason } from "../../../src/github/commands/read-command.ts";
import { casesToTry } from "../../world/depth.ts";

const SHA = "0123456789".repeat(4);
const none = { state: "none" };
const HELP = { state: "command", command: { verb: "help" } };

describe("a command is plain text at the start of a line", () => {
  it.each([
    ["alone", "/tollgate help"],
    ["in any case", "/Tollgate HELP"],
    ["with blanks around", "  /tollgate   help  "],
    ["with carriage returns", "Hello\r\n\r\n/tollgate help\r\n"],
    ["with blanks that do not break, as some keyboards type them", "/tollgate\u00a0help\u00a0"],
    ["in the middle of a paragraph", "Hello\n/tollgate help\nand thanks"],
    ["after a hidden remark", "Hello <!-- x --> you\n/tollgate help"],
    ["after a folded part", "<details>\n\nlong\n\n</details>\n\n/tollgate help"],
    ["after a screenshot", '<img width="9" alt="a b" src="https://github.com/x">\n\n/tollgate help'],
    ["after code about money and shells", "`$$` and ~~gone~~\n\n```\necho $$\n```\n\n/tollgate help"],
    ["after an amount with a dollar sign", "It costs ~$5 a month\n/tollgate help"],
  ])("%s", (_, body) => {
    expect(readCommand(body)).toEqual(HELP);
  });

  it.each([
    ["nothing", ""],
    ["a quote", "> /tollgate help"],
    ["a quote that goes on without its mark", "> hello\n/tollgate help"],
    ["a quote in a list", "- > /tollgate help"],
    ["a list", "- x\n  /tollgate help"],
    ["a fence", "```\n/tollgate help\n```"],
    ["a fence that never ends", "~~~\n/tollgate help"],
    ["an indented block", "Text\n\n    /tollgate help"],
    ["inline code", "`\n/tollgate help\n`"],
    ["emphasis", "*a\n/tollgate help*"],
    ["a heading", "/tollgate help\n==="],
    ["a folded part", "<details>\n\n/tollgate help\n\n</details>"],
    ["a folded part that never ends", "<details><summary>x</summary>\n\n/tollgate help"],
    ["a folded part inside a line", "see <details>\n/tollgate help\n</details>"],
    ["a hidden remark", "<!--\n/tollgate help\n-->"],
    ["a hidden remark with a gap", "<!-- a\n\n/tollgate help\n\n-->"],
    ["a hidden remark inside a line", "a <!--\n/tollgate help\n--> b"],
    ["an element of HTML", "<div hidden>\n\n/tollgate help\n\n</div>"],
    ["a link", "[\n/tollgate help](https://example.com)"],
    ["an escape", "\\/tollgate help"],
    ["an entity", "&#47;tollgate help"],
    ["the middle of a line", "please /tollgate help"],
    ["another word", "/tollgatehelp\n/tollgate-help\n//tollgate help"],
    ["a Cyrillic o in the name", "/t\u043ellgate help"],
    ["a Cyrillic letter in the word", `/tollgate \u0430pprove ${SHA} fine`],
    ["a quote that a blank which does not break goes on", "> hello\n\u00a0\n/tollgate help"],
    ["a zero-width blank in the name", "/toll\u200bgate help"],
    ["a zero-width blank before it", "\u200b/tollgate help"],
    ["a hidden title of a link", "[//]: # (x\n/tollgate help)"],
    ["a footnote", "a[^1]\n\n[^1]: x\n    /tollgate help"],
    ["a script", "<script>\n/tollgate help\n</script>"],
    ["a template", "<template>\n\n/tollgate help\n\n</template>"],
    ["a task", "- [ ] x\n/tollgate help"],
    ["crossed out", "~~a\n/tollgate help~~"],
    ["a table", "/tollgate help | x\n--- | ---\n"],
  ])("not %s", (_, body) => {
    expect(readCommand(body)).toEqual(none);
  });
});

const MONEY = "0.01 USD";
const LEAP_DAY_END = Date.UTC(2028, 2, 1);

describe("a command that GitHub may show as a part of something else", () => {
  const command = `/tollgate approve ${SHA} up to ${MONEY} fine`;

  it.each([
    ["between marks that cross out", `~~\n${command}\n~~`],
    ["between marks that cross out paragraphs", `~~\n\n${command}\n\n~~`],
    ["in a formula of one line", `$a\n${command}\nb$`],
    ["in a block of formulas", `$$\n${command}\n$$`],
    ["in a block of formulas with gaps", `$$\n\n${command}\n\n$$`],
    ["behind an attribute that never ends", `<div title="\n\n${command}`],
    ["in an attribute over paragraphs", `<img alt="\n\n${command}\n\n">`],
    ["in an attribute without quotes", `<img alt=\n\n${command}\n\n>`],
    ["in a tag that is still open", `<a\n\n${command}\n\n>`],
    ["behind an instruction that HTML ends earlier", `<?x > <div title="?>\n\n${command}\n\n">`],
    ["behind a declaration that HTML ends later", `<!X "\n\n${command}\n\n">`],
    ["folded by what GitHub's filter of tags lets through", `<xmp><details></xmp>\n\n${command}`],
    ["behind an element that takes text as it is", `<title><details></title>\n\n${command}`],
    ["in an element of another language", `<svg>\n\n${command}\n\n</svg>`],
    ["in a table of HTML without cells", `<table>\n\n${command}\n\n</table>`],
    ["with a hidden amount", `/tollgate approve ${SHA} <!-- up to 900 USD --> fine`],
    ["with an amount that is crossed out", `/tollgate approve ${SHA} ~~up to 900 USD~~ fine`],
    ["with a reason that is crossed out inside emphasis", `/tollgate approve ${SHA} *a ~~b~~*`],
    ["with an image as its reason", `/tollgate approve ${SHA} ![ok](https://example.com/x.png)`],
  ])("is not followed: %s", (_, body) => {
    expect(readCommand(body).state).not.toBe("command");
  });

  it("is answered, because its author may have meant it", () => {
    expect(readCommand(`$$\n${command}\n$$`)).toEqual({ state: "malformed", problem: { kind: "not_plain" } });
  });
});

/** What encloses a text, as GitHub shows it, and what does not. */
const ENCLOSING: readonly (readonly [string, string])[] = [
  ["> ", ""],
  ["- ", ""],
  ["1. ", ""],
  ["```math\n", "\n```"],
  ["```\n", "\n```"],
  ["~~a\n", "\nb~~"],
  ["~~\n", "\n~~"],
  ["**a\n", "\nb**"],
  ["*a\n", "*"],
  ["`a\n", "\nb`"],
  ["$`a\n", "\nb`$"],
  ["$a\n", "\nb$"],
  ["$$\n", "\n$$"],
  ["$$\n\n", "\n\n$$"],
  ["[a\n", "](https://example.com)"],
  ["![a\n", "](https://example.com)"],
  ["> [!NOTE]\n> ", ""],
  ["a[^1]\n\n[^1]: b\n", ""],
  ["| a |\n| - |\n", ""],
  ["", "\n==="],
  ["", "\n---"],
  ["<!--\n\n", "\n\n-->"],
  ["<details><summary>a</summary>\n\n", "\n\n</details>"],
  ["<details>\n\n", ""],
  ["<del>\n\n", "\n\n</del>"],
  ["a <s>\n", ""],
  ["<div>\n", "\n</div>"],
  ['<p title="\n\n', ""],
  ["<p title='\n\n", "\n\n'>"],
  ['<img alt="a"b="\n\n', '\n\n">'],
  ["<textarea>\n\n", "\n\n</textarea>"],
];
const OPEN: readonly (readonly [string, string])[] = [
  ["", ""],
  ["hello\n", "\nbye"],
  ["hello\n\n", "\n\nbye"],
  ["> a\n\n", "\n\n> b"],
  ["- a\n\nb\n\n", "\n\n- c"],
  ["```\na\n```\n", "\n```\nb\n```"],
  ["**a**\n", "\n*b*"],
  ["`a`\n", "\n`b`"],
  ["# a\n", "\n# b"],
  ["<details><summary>a</summary>\n\nb\n\n</details>\n\n", "\n\n<details>"],
  ["<!-- a -->\n\n", "\n\n<!-- b"],
];

const wrapped = (wrappers: readonly (readonly [string, string])[], body: string): string =>
  wrappers.reduce((inner, [before, after]) => `${before}${inner}${after}`, body);

test("a command counts only as a line of its own, whatever surrounds it", () => {
  const command = `/tollgate approve ${SHA} fine`;
  const around = fc.array(fc.constantFrom(...OPEN), { maxLength: 3 });
  fc.assert(
    fc.property(around, fc.option(fc.constantFrom(...ENCLOSING), { nil: null }), (open, enclosing) => {
      const said = readCommand(wrapped(open, command)).state;
      const shown = enclosing === null ? null : wrapped([enclosing, ["\n\n", "\n\n"], ...open], command);
      expect(said).toBe("command");
      if (shown !== null) expect(readCommand(shown).state).not.toBe("command");
    }),
    { numRuns: casesToTry({ usual: 40, deep: 500 }) },
  );
});

test("a second command invalidates both, and a quoted one does not count", () => {
  expect(readCommand("/tollgate help\r\n/tollgate recheck")).toEqual({
    state: "malformed",
    problem: { kind: "several", count: 2 },
  });
  expect(readCommand("> /tollgate recheck\n\n/tollgate help")).toEqual(HELP);
});

describe("approve", () => {
  const approve = (words: string) => readCommand(`/tollgate approve ${words}`);
  const given = (parts: object) => ({ state: "command", command: { verb: "approve", sha: SHA, ...parts } });
  const wrong = (problem: object) => ({ state: "malformed", problem });

  it.each([
    [`${SHA} load test`, given({ upTo: null, rules: null, reason: "load test" })],
    [
      `${SHA.toUpperCase()} up to 900 USD load test`,
      given({ upTo: { amount: "900", currency: "USD" }, rules: [], reason: "load test" }),
    ],
    [
      `\`${SHA}\` monthly-increase, \`deletions\` UP TO 900.50 eur *because* we   can`,
      given({
        upTo: { amount: "900.5", currency: "EUR" },
        rules: ["monthly-increase", "deletions"],
        reason: "*because* we   can",
      }),
    ],
    [
      `${SHA} up to 9 USD until we pay up to 5 USD`,
      given({ upTo: { amount: "9", currency: "USD" }, rules: [], reason: "until we pay up to 5 USD" }),
    ],
    ["", wrong({ kind: "sha", verb: "approve", found: "" })],
    ["`0123456789ab` fine", wrong({ kind: "sha", verb: "approve", found: "0123456789ab" })],
    ["HEAD fine", wrong({ kind: "sha", verb: "approve", found: "HEAD" })],
    ["0123456789\u0430b fine", wrong({ kind: "sha", verb: "approve", found: "0123456789\u0430b" })],
    [SHA, wrong({ kind: "reason" })],
    [`${SHA} up to 900 USD`, wrong({ kind: "reason" })],
    [`${SHA} up to 900 USD   `, wrong({ kind: "reason" })],
    [`${SHA} \u200b`, wrong({ kind: "reason" })],
    [`${SHA} \u00a0\u2060`, wrong({ kind: "reason" })],
    [`${SHA} up to 900 USD \u200b\ufe0f`, wrong({ kind: "reason" })],
    [`${SHA} 👍`, given({ upTo: null, rules: null, reason: "👍" })],
    [
      `${SHA}\u00a0up to 900\u00a0USD fine`,
      given({ upTo: { amount: "900", currency: "USD" }, rules: [], reason: "fine" }),
    ],
    [`${SHA}\u2028up to 9 USD fine`, { state: "malformed", problem: { kind: "unknown_verb", found: "" } }],
    [
      `${SHA} up to 900 USD, because of the load test`,
      given({ upTo: { amount: "900", currency: "USD" }, rules: [], reason: "because of the load test" }),
    ],
    [`${SHA} up to900 EURO fine`, wrong({ kind: "amount", found: "900 EURO" })],
    [`${SHA} up to 900 USD/year fine`, wrong({ kind: "amount", found: "900 USD/year" })],
    [`${SHA} **up to** 900 USD fine`, wrong({ kind: "amount", found: "** 900" })],
    [
      `${SHA} the setup to test it, and a catchup tour`,
      given({ upTo: null, rules: null, reason: "the setup to test it, and a catchup tour" }),
    ],
    [
      `${SHA} we scale up to meet the demand`,
      given({ upTo: null, rules: null, reason: "we scale up to meet the demand" }),
    ],
    [
      `${SHA} this scales up to 3 instances`,
      given({ upTo: null, rules: null, reason: "this scales up to 3 instances" }),
    ],
    [
      `${SHA} monthly-increase up to 900 uds fine`,
      given({ upTo: { amount: "900", currency: "UDS" }, rules: ["monthly-increase"], reason: "fine" }),
    ],
    [`${SHA} growth up to $900 fine`, wrong({ kind: "amount", found: "$900 fine" })],
    [`${SHA} growth up to nine hundred USD fine`, wrong({ kind: "amount", found: "nine hundred" })],
    [`${SHA} up to meet the demand`, wrong({ kind: "amount", found: "meet the" })],
    [`${SHA} up to 900`, wrong({ kind: "amount", found: "900" })],
    [`${SHA} up to $900 fine`, wrong({ kind: "amount", found: "$900 fine" })],
    [`${SHA} up to 1,000 USD fine`, wrong({ kind: "amount", found: "1,000 USD" })],
    [`${SHA} up to -5 USD fine`, wrong({ kind: "amount", found: "-5 USD" })],
    [
      `${SHA} growth up to 900 USD until 2028-02-29, load test`,
      given({
        upTo: { amount: "900", currency: "USD" },
        untilMs: LEAP_DAY_END,
        rules: ["growth"],
        reason: "load test",
      }),
    ],
    [
      `${SHA} load test Until: 2028-02-29`,
      given({ upTo: null, untilMs: LEAP_DAY_END, rules: null, reason: "load test" }),
    ],
    [
      `${SHA} until \`2028-02-29\` fine`,
      given({ upTo: null, untilMs: LEAP_DAY_END, rules: null, reason: "fine" }),
    ],
    [
      `${SHA} fine until (2028-02-29)`,
      given({ upTo: null, untilMs: LEAP_DAY_END, rules: null, reason: "fine" }),
    ],
    [`${SHA} fine until **31 March**`, wrong({ kind: "until", found: "31" })],
    [`${SHA} frozen-until-2028 fine`, given({ upTo: null, rules: null, reason: "frozen-until-2028 fine" })],
    [`${SHA} fine until #17 is in`, given({ upTo: null, rules: null, reason: "fine until #17 is in" })],
    [`${SHA} fine until we know`, given({ upTo: null, rules: null, reason: "fine until we know" })],
    [`${SHA} until 2028-02-29`, wrong({ kind: "reason" })],
    [`${SHA} until 2027-02-29 fine`, wrong({ kind: "until", found: "2027-02-29" })],
    [`${SHA} until 31.03.2027 fine`, wrong({ kind: "until", found: "31.03.2027" })],
    [`${SHA} until 2027-03-31 or until 2027-04-30`, wrong({ kind: "until", found: "2027-03-31 2027-04-30" })],
    [`${SHA} up to 1e3 USD fine`, wrong({ kind: "amount", found: "1e3 USD" })],
    [`${SHA} up to ٣ USD fine`, wrong({ kind: "amount", found: "٣ USD" })],
  ])("%s", (words, expected) => {
    expect(approve(words)).toEqual(expected);
  });
});

test.each([
  "up to: 900 USD",
  "upto 900 USD",
  "up\u00a0to 900 USD",
  "Up-to 900usd,",
  "up to USD 900",
  "up\u200bto 900 USD:",
])("%j bounds the approval in a comment and in a review", (limit) => {
  const upTo = { amount: "900", currency: "USD" };
  const command = { verb: "approve", sha: SHA, upTo, rules: [], reason: "because of the load test" };
  const read = readCommand(`/tollgate approve ${SHA} ${limit} because of the load test`);
  expect(read).toEqual({ state: "command", command });
  expect(readReviewAmount(`Fine.\n${limit} because of the load test`)).toEqual(upTo);
});

test("no approval is read that names a commit by anything but 40 or 64 hex digits", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0123456789abcdefABCDEF"), maxLength: 80 });
  fc.assert(
    fc.property(digits, fc.constantFrom("", "`"), (id, mark) => {
      const read = readCommand(`/tollgate approve ${mark}${id}${mark} up to 900 USD load test`);
      expect(read.state === "command").toBe(id.length === 40 || id.length === 64);
    }),
    {
      numRuns: casesToTry({ usual: 50, deep: 1_000 }),
      examples: [
        ["0".repeat(40), ""],
        ["0".repeat(64), "`"],
        ["0".repeat(12), ""],
      ],
    },
  );
});

test.each([
  ["/tollgate", { kind: "unknown_verb", found: "" }],
  ["/tollgate aprove x", { kind: "unknown_verb", found: "aprove" }],
  ["/tollgate merge", { kind: "unknown_verb", found: "merge" }],
  ["/tollgate recheck now", { kind: "extra_words", verb: "recheck", found: "now" }],
  ["/tollgate explain a b", { kind: "extra_words", verb: "explain", found: "a b" }],
  [`${"x".repeat(4_000)}\n/tollgate help`, { kind: "too_long" }],
  [`${">".repeat(3_900)}\n\n/tollgate help`, { kind: "too_long" }],
])("%.30s is malformed, and the problem is named", (body, problem) => {
  expect(readCommand(body)).toEqual({ state: "malformed", problem });
});

test("explain is read with its rule, revoke without its reason", () => {
  expect(readCommand("/tollgate explain `no-deletes`")).toEqual({
    state: "command",
    command: { verb: "explain", rule: "no-deletes" },
  });
  expect(readCommand("/tollgate revoke I was wrong")).toEqual({
    state: "command",
    command: { verb: "revoke" },
  });
});

test("enclosed text is never a command, whatever surrounds it", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "\n", "`", "*", ">", "-", "<", " ", "|", "[", "]"),
    maxLength: 30,
  });
  fc.assert(
    fc.property(text, (around) => {
      const fenced = `${around}\n\n<details>\n\n/tollgate approve ${SHA} x\n\n</details>\n`;
      const read = readCommand(fenced);
      expect(read).toEqual(none);
    }),
    { numRuns: casesToTry({ usual: 25, deep: 300 }) },
  );
});

test("a rule name followed by invisible text has no reason", () => {
  expect(splitReason("monthly-increase \u200b", (name) => name === "monthly-increase")).toEqual({
    rules: ["monthly-increase"],
    reason: "",
  });
});

test.each([
  ["LGTM", null],
  ["Fine with me\nup to 900 USD", { amount: "900", currency: "USD" }],
  ["up to 900 usd, but not more", { amount: "900", currency: "USD" }],
  ["I would pay up to 900 USD", "unclear"],
  ["- up to 900 USD", "unclear"],
  ["We scale up to meet the demand", null],
  ["This scales up to 3 instances", null],
  ["It scales up to 10x, and up to 64 GB", null],
  ["We scale up to meet the SLA in 2027", null],
  ["Up-to-date, LGTM", null],
  ["Up to date with AWS as of 2026", null],
  ["Brings the provider up to v5.3", null],
  ["It grows up to 3 instances, so fine up to 900", "unclear"],
  ["Up-to-date, up to 900 USD", "unclear"],
  ["I would pay up to 900.", "unclear"],
  ["I would pay up to 900 for the load test", "unclear"],
  ["Fine up to 900 LGTM", "unclear"],
  ["Fine up to about 900 a month", "unclear"],
  ["Fine up to 1 000 usd", "unclear"],
  ["Fine up to **900**", "unclear"],
  ["Fine up to 900k", "unclear"],
  ["Fine up to 900€", "unclear"],
  ["Fine up to nine hundred dollars", "unclear"],
  ["Fine up to 3 instances or 900 USD", "unclear"],
  ["up to 3 instances", "unclear"],
  ["up to 900", "unclear"],
  ["up to 900 USD\nup to 5 USD", "unclear"],
  ["> up to 900 USD\n\nFine", null],
  ["Fine\n```\nup to 900 USD\n```", null],
  ["<!--\nup to 900 USD\n-->", null],
  ["~~\nup to 900 USD\n~~", "unclear"],
  ["$$\nup to 900 USD\n$$", "unclear"],
  ["up to <!-- 5 USD --> 900 USD", "unclear"],
])("a review that says %j", (body, amount) => {
  const read = readReviewAmount(body);
  expect(read !== null && "unclear" in read ? "unclear" : read).toEqual(amount);
});

describe("override", () => {
  const wrong = (problem: object) => ({ state: "malformed", problem });
  it.each([
    [
      `${SHA} the site is down`,
      { state: "command", command: { verb: "override", sha: SHA, reason: "the site is down" } },
    ],
    [
      `\`${SHA}\` up to 5 USD`,
      { state: "command", command: { verb: "override", sha: SHA, reason: "up to 5 USD" } },
    ],
    ["", wrong({ kind: "sha", verb: "override", found: "" })],
    ["0123456789ab down", wrong({ kind: "sha", verb: "override", found: "0123456789ab" })],
    ["the site is down", wrong({ kind: "sha", verb: "override", found: "the" })],
    [SHA, wrong({ kind: "reason" })],
    [`${SHA} \u200b`, wrong({ kind: "reason" })],
  ])("%s", (words, read) => {
    expect(readCommand(`/tollgate override ${words}`)).toEqual(read);
  });
});
