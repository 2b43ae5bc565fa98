import type { Element, RootContent as HastContent, Nodes as HastNodes, Root as HastRoot } from "hast";
import type { Root as MarkdownRoot, Nodes, Paragraph, Root } from "mdast";
import rehypeRaw from "rehype-raw";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { parseSha, type Sha } from "../../kernel/ids.ts";
import { parseDayEnd } from "../../kernel/instant.ts";
import { type Money, parseDecimal } from "../../kernel/money.ts";

/** Longest comment that is read as a command, in characters. A longer one is answered with a request to shorten it. */
const MAX_LENGTH = 4_000;

/** A line that begins with our word, as it is typed. Some keyboards make a blank that does not break, which is none to Markdown. */
const COMMAND_LINE = /^[ \t]*\/tollgate(?=[ \t\u00a0]|$)/i;

/** Whether anything in the text looks like a command at all: cheap, and true for commands that are only quoted, too. */
export const hasCommandMention = (body: string): boolean =>
  splitLines(body).some((line) => COMMAND_LINE.test(line));

/** What a comment asks us for. Pure: it tells nothing about who asks, and whether they may. */
export function readCommand(body: string): ParsedCommand {
  if (!hasCommandMention(body)) return NONE;
  if (body.length > MAX_LENGTH) return malformed({ kind: "too_long" });
  const lines = extractPlainLines(body, COMMAND_LINE);
  if (lines === "too_deep") return malformed({ kind: "too_long" });
  if (lines === "not_plain") return malformed({ kind: "not_plain" });
  const [line] = lines;
  if (line === undefined) return NONE;
  if (lines.length > 1) return malformed({ kind: "several", count: lines.length });
  return readLine(line);
}

const NONE: ParsedCommand = { state: "none" };
const malformed = (problem: CommandProblem): ParsedCommand => ({ state: "malformed", problem });
const command = (read: Command): ParsedCommand => ({ state: "command", command: read });

const LINE = /^\/tollgate(?:[ \t]+(\S+))?(?:[ \t]+(.*))?$/i;

function readLine(line: string): ParsedCommand {
  const [, word = "", rest = ""] = LINE.exec(line) ?? [];
  if (!/^[\x20-\x7e]*$/.test(word)) return NONE; // letters of other alphabets that look alike
  const verb = VERBS.find((known) => known === word.toLowerCase());
  if (verb === undefined) return malformed({ kind: "unknown_verb", found: word });
  return READERS[verb](rest.trim());
}

const createBareReader =
  (verb: "help" | "recheck" | "revoke") =>
  (rest: string): ParsedCommand =>
    rest === "" ? command({ verb }) : malformed({ kind: "extra_words", verb, found: rest });

const READERS: Readonly<Record<Verb, (rest: string) => ParsedCommand>> = {
  help: createBareReader("help"),
  recheck: createBareReader("recheck"),
  // A person who revokes an approval may add a reason; it is not read.
  revoke: () => command({ verb: "revoke" }),
  explain: (rest) =>
    /\s/.test(rest)
      ? malformed({ kind: "extra_words", verb: "explain", found: rest })
      : command({ verb: "explain", rule: rest === "" ? null : removeBackticks(rest) }),
  approve: readApprove,
  override: readOverride,
};

/** "up to" however it is typed. */
const UP_TO = String.raw`(?<![\p{L}\p{N}])up[\p{Z}\p{Cf}\t-]*to(?!\p{L})`;
/** With what comes before and after it. */
const AROUND_UP_TO = new RegExp(String.raw`^(.*?)${UP_TO}[\p{Z}\p{Cf}\t:]*(.*)$`, "iu");
/** `900 USD` or `USD 900` as whole words: no sign, no separators, and no unit behind it. */
const AMOUNT =
  /^(?:(\d{1,15}(?:\.\d{1,12})?)[ \t]*([a-z]{3})|([a-z]{3})[ \t]*(\d{1,15}(?:\.\d{1,12})?))[,;:.]?(?:[ \t]+(.*))?$/i;
/** Every "up to", and how many characters behind it may be about its amount. */
const EVERY_UP_TO = new RegExp(UP_TO, "giu");
const MAX_DISTANCE = 80;
/** Signs, names and numerals of money; codes of currencies are compared with those that exist. */
const MONEY_WORD =
  /\p{Sc}|(?<!\p{L})(?:dollars?|bucks?|euros?|pounds?|quid|francs?|cents?|yen|yuan|rupees?|hundred|thousand|million|grand)(?!\p{L})/iu;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
/** A number that follows at once, perhaps after "about" or a mark, and the word that follows it. */
const NUMBER =
  /^(?:[^\p{L}\p{N}<]|<[^<>]*>|<(?![^<>]*>)|(?:about|around|roughly|approx|approximately|circa|ca|some|say|max|maximum|a|an|of)(?!\p{L})){0,20}\p{N}(?:[.,'’_\p{Z}]?\p{N})*(?:(?:k|m|mio|bn)(?!\p{L}))?[\p{Z}\p{Cf}\t-]*(\p{L}+)?/iu;
/** Words that may follow an amount of money without its currency; one of three letters may be a code. Any other word is what is counted: "3 instances". */
const AFTER_AMOUNT = new Set(
  (
    "a about acceptable additional after agreed altogether always an annually approved as at b be because before by cool could " +
    "daily do does during each e every extra fine from good great have here i if in is it lgtm limit looks maximum might month " +
    "monthly more most must no of ok okay on only or otherwise over overall p please plus seems should since so sounds still than " +
    "thank thanks that then they this till to today total tops unless until we week weekly when where while will with within " +
    "without works would year yearly"
  ).split(" "),
);

/** Whether a text names what somebody may mean as an amount after "up to": it bounds the approval, or refuses it. */
const namesAmount = (text: string): boolean =>
  [...text.matchAll(EVERY_UP_TO)].some(({ index, 0: upTo }) => {
    const rest = text.slice(index + upTo.length, index + upTo.length + MAX_DISTANCE);
    return namesCurrency(rest) || isBareAmount(text.slice(0, index), rest);
  });

const namesCurrency = (text: string): boolean =>
  MONEY_WORD.test(text) ||
  (text.match(/(?<!\p{L})[A-Z]{3}(?!\p{L})/gu) ?? []).some((code) => CURRENCIES.has(code));

/** Whether a number follows "up to" that begins the line, or that counts nothing else. */
function isBareAmount(before: string, rest: string): boolean {
  const [number, word = ""] = NUMBER.exec(rest) ?? [];
  if (number === undefined) return false;
  if (word === "" || word.length === 3 || AFTER_AMOUNT.has(word.toLowerCase())) return true;
  return !/[\p{L}\p{N}]/u.test(before);
}

interface Limit {
  /** What comes before "up to". */
  readonly before: string;
  /** Null: what follows is no amount that can be read in one way. */
  readonly upTo: Money | null;
  /** The words that follow as an amount. */
  readonly found: string;
  readonly after: string;
}

/** The limit that a text of one line names; null: it names none, as in the sentence "we scale up to meet demand". */
function readLimit(text: string): Limit | null {
  const match = AROUND_UP_TO.exec(text);
  if (match === null) return null;
  const [, before = "", rest = ""] = match;
  if (before.trim() !== "" && !namesAmount(text)) return null;
  const [, value, unit, unitBefore, valueAfter, after = ""] = AMOUNT.exec(rest) ?? [];
  const amount = parseDecimal(value ?? valueAfter ?? "");
  const currency = unit ?? unitBefore ?? "";
  const upTo = amount === null ? null : { amount, currency: currency.toUpperCase() };
  const found = rest
    .split(/[ \t]+/, 2)
    .join(" ")
    .replace(/[,;:]$/, "");
  return { before: before.trim(), upTo, found, after: after.trim() };
}

/** "until" and what follows it, if that begins with a digit, also behind marks: another word, and a rule's name, is a part of the rest. */
const UNTIL = /(?<![\p{L}\p{N}])until(?![-_.])[^\p{L}\p{N}\p{Sc}#\r\n]+(\p{N}\S*)/giu;

/** Whether a text may name the day on which something ends. */
export const namesEnd = (text: string): boolean => text.search(UNTIL) !== -1;

/** The day that a text names as an end, as the first moment after it, and the text without it. */
function readEnd(
  text: string,
): { readonly found: string } | { readonly end: Pick<ApproveCommand, "untilMs">; readonly words: string } {
  const named = [...text.matchAll(UNTIL)].map(([, found = ""]) => found);
  const [day] = named;
  if (day === undefined) return { end: {}, words: text };
  const untilMs = parseDayEnd(day.replace(/[^\p{L}\p{N}]+$/u, ""));
  if (untilMs === null || named.length > 1) return { found: named.join(" ") };
  return { end: { untilMs }, words: text.replace(UNTIL, "").trim() };
}

function readApprove(rest: string): ParsedCommand {
  const { named, sha, words: said } = readCommit(rest);
  if (sha === null) return malformed({ kind: "sha", verb: "approve", found: named });
  const read = readEnd(said);
  if ("found" in read) return malformed({ kind: "until", found: read.found });
  const { end, words } = read;
  const limit = readLimit(words);
  if (limit === null) {
    return isBlank(words)
      ? malformed({ kind: "reason" })
      : toApproveCommand({ sha, upTo: null, ...end, rules: null, reason: words });
  }
  const { before, upTo, found, after: reason } = limit;
  if (upTo === null) return malformed({ kind: "amount", found });
  if (isBlank(reason)) return malformed({ kind: "reason" });
  const rules = before.split(/[ \t,]+/).filter((name) => name !== "");
  return toApproveCommand({ sha, upTo, ...end, rules: rules.map(removeBackticks), reason });
}

function readOverride(rest: string): ParsedCommand {
  const { named, sha, words } = readCommit(rest);
  if (sha === null) return malformed({ kind: "sha", verb: "override", found: named });
  return isBlank(words)
    ? malformed({ kind: "reason" })
    : command({ verb: "override", sha, reason: words.trim() });
}

/** The commit at the beginning of the words; `sha`: null where no full id is named. */
function readCommit(rest: string): { named: string; sha: Sha | null; words: string } {
  const [, first = "", words = ""] = /^(\S*)[ \t]*(.*)$/.exec(rest) ?? [];
  const named = removeBackticks(first);
  return { named, sha: parseSha(named.toLowerCase()), words }; // an author can make two commits that share a beginning
}

/** Nothing in it can be seen. */
const isBlank = (text: string): boolean => !/[^\p{C}\p{Z}\p{M}]/u.test(text);

const toApproveCommand = (of: Omit<Extract<Command, { verb: "approve" }>, "verb">): ParsedCommand =>
  command({ verb: "approve", ...of });

/** The comment that names a rule or a commit may have copied it with the marks of code around it. */
const removeBackticks = (word: string): string => word.replace(/^(`+)([^`]+)\1$/, "$2");

/** Takes the rules from the front of the words that follow the commit, where no amount parts them from the reason. */
export function splitReason(
  words: string,
  isRule: (name: string) => boolean,
): { readonly rules: readonly string[]; readonly reason: string } {
  const [, first = "", rest = ""] = /^(\S+?),?(?:[ \t]+(.*))?$/.exec(words) ?? [];
  const name = removeBackticks(first);
  if (first === "" || !isRule(name)) return { rules: [], reason: isBlank(words) ? "" : words };
  const further = splitReason(rest, isRule);
  return { rules: [name, ...further.rules], reason: further.reason };
}

/** The beginning of a line that names a limit anywhere, unless it quotes somebody. */
const LIMIT_LINE = new RegExp(String.raw`^[ \t]*(?![ \t>])(?=.*${UP_TO})`, "iu");

/**
 * The amount that an approving review names in the one line of plain text that begins with `up to AMOUNT`; null: it names none.
 * `unclear`: what may be meant as a limit.
 */
export function readReviewAmount(body: string): Money | null | { readonly unclear: string } {
  const mention = splitLines(body).find((line) => LIMIT_LINE.test(line) && namesAmount(line));
  if (mention === undefined) return null;
  const lines = body.length > MAX_LENGTH ? "too_deep" : extractPlainLines(body, LIMIT_LINE);
  if (typeof lines === "string") return { unclear: mention.trim() };
  const [limit, second] = lines.filter(namesAmount).flatMap((line) => readLimit(line) ?? []);
  if (limit === undefined) return null;
  if (second !== undefined || limit.before !== "") return { unclear: mention.trim() };
  return limit.upTo ?? { unclear: limit.found };
}

/** More lines than this are not looked at. */
const MAX_LINES = 50;

/** Marks of quotes and lists at the start of one line, and of all lines: the parser's time grows with the square of the first. */
const MAX_NESTING = 10;
const MAX_MARKS = 400;
const NESTING = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/;
const MARKS = />|[-+*]|\d+[.)]/g;

/**
 * `not_plain`: a line stands as text of a paragraph, but GitHub may show it as a part of something else.
 * `too_deep`: nested deeper than the parsers can follow, or soon enough.
 */
type PlainLines = readonly string[] | "not_plain" | "too_deep";

/**
 * The lines of a comment that begin with what `beginning` matches, as plain text of a paragraph that nothing encloses.
 *
 * Markdown decides that, so it is asked: in each candidate a word that occurs nowhere else takes the place of the beginning,
 * and the lines whose word arrives as the beginning of a line of plain text are the answer.
 */
function extractPlainLines(body: string, beginning: RegExp): PlainLines {
  const mark = createMark(body);
  const candidates: string[] = [];
  const marked = splitLines(body).map((line) => {
    if (!beginning.test(line) || candidates.length >= MAX_LINES) return line;
    candidates.push(line.replaceAll("\u00a0", " ").trim());
    return line.replace(beginning, (found) => `${getIndent(found)}${mark}${candidates.length - 1}x`);
  });
  if (candidates.length === 0) return [];
  const nesting = marked.map(countNesting);
  if (Math.max(...nesting) > MAX_NESTING || sumCosts(nesting) > MAX_MARKS) return "too_deep";
  const text = marked.join("\n");
  const parsed = parseMarkdown(text);
  if (parsed === null) return "too_deep";
  const markAt = new RegExp(`^${mark}(\\d+)x`);
  const found = extractParagraphLines(parsed.html).flatMap((line) => markAt.exec(line)?.[1] ?? []);
  if (found.some((index) => isDoubtful(parsed.markdown, text, text.indexOf(`${mark}${index}x`))))
    return "not_plain";
  return found.flatMap((index) => candidates[Number(index)] ?? []);
}

const splitLines = (body: string): readonly string[] => body.split(/\r\n|\r|\n/);

const countNesting = (line: string): number => NESTING.exec(line)?.[0].match(MARKS)?.length ?? 0;

const sumCosts = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const getIndent = (text: string): string => /^[ \t]*/.exec(text)?.[0] ?? "";

/** Letters only, so that Markdown gives it no meaning, and none that the text has. */
function createMark(body: string): string {
  let mark = "tollgateline";
  while (body.includes(mark)) mark += "z";
  return mark;
}

const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw);

function parseMarkdown(text: string): { readonly markdown: MarkdownRoot; readonly html: HastRoot } | null {
  try {
    const tree = markdown.parse(text);
    return { markdown: tree, html: markdown.runSync(tree) as HastRoot }; // the last step makes HTML
  } catch (error) {
    if (error instanceof RangeError) return null; // the parsers call themselves for each level
    throw error;
  }
}

/** The lines of all paragraphs that nothing encloses; what is not plain text in them stands as a blank that no line begins with. */
function extractParagraphLines(root: HastRoot): readonly string[] {
  return root.children
    .filter(isParagraph)
    .flatMap(({ children }) => children.map(getNodeText).join("").split("\n"));
}

const isParagraph = (node: HastContent): node is Element => node.type === "element" && node.tagName === "p";

const getNodeText = (node: HastNodes): string => {
  if (node.type === "text") return node.value;
  return node.type === "element" && node.tagName === "br" ? "" : "\u0000";
};

/**
 * Whether GitHub may show the line at `at`, which Markdown's tree has as text of a paragraph, as a part of something else:
 * its renderer knows formulas, filters tags and reads a comment's HTML in one piece. In doubt the
 * answer asks for the command in plain text, which costs one more comment.
 */
function isDoubtful(root: Root, text: string, at: number): boolean {
  const paragraph = root.children.find((node) => getStart(node) <= at && at < getEnd(node));
  if (paragraph?.type !== "paragraph") return true;
  const nodes = [...walkNodes(root)];
  const lineEnd = text.indexOf("\n", at);
  return (
    nodes.some(
      (node) =>
        getStart(node) < at && canOpenHtml(node, text.slice(getStart(node), Math.min(at, getEnd(node)))),
    ) ||
    !isPlainLine(paragraph, { from: at, to: lineEnd < 0 ? text.length : lineEnd }) ||
    isBetweenMarks(withoutCode(text, nodes), { at, from: getStart(paragraph), to: getEnd(paragraph) })
  );
}

const getStart = ({ position }: Nodes): number => position?.start.offset ?? 0;
const getEnd = ({ position }: Nodes): number => position?.end.offset ?? 0;

function* walkNodes(node: Nodes): Generator<Nodes> {
  yield node;
  if ("children" in node) for (const child of node.children) yield* walkNodes(child);
}

/** The nodes that a line with a command may contain. Crossed-out, hidden or quoted text is not the author's statement. */
const PLAIN: ReadonlySet<Nodes["type"]> = new Set([
  "text",
  "break",
  "inlineCode",
  "emphasis",
  "strong",
  "link",
]);

const isPlainLine = (paragraph: Paragraph, line: { readonly from: number; readonly to: number }): boolean =>
  paragraph.children
    .filter((child) => getStart(child) < line.to && getEnd(child) > line.from)
    .every((child) => [...walkNodes(child)].every(({ type }) => PLAIN.has(type)));

const TAG =
  /<\/?(?:a|b|br|code|details|em|hr|i|img|kbd|strong|sub|summary|sup)(?:\s+[a-z][a-z0-9-]*(?:="[^"<>]*")?)*\s*\/?>/;
const COMMENT = /<!--(?!-?>)(?:(?!--)[\s\S])*-->/;
const HARMLESS_HTML = new RegExp(`^(?:[^<]|${TAG.source}|${COMMENT.source})*$`, "i");

/**
 * Harmless is what every reader of HTML takes apart in the same way: whole tags that are known, with whole values, and whole
 * remarks. `before`: what stands of the node before the line.
 */
function canOpenHtml(node: Nodes, before: string): boolean {
  if (node.type === "html") return !HARMLESS_HTML.test(node.value);
  return node.type === "text" && /<[a-z!?/]/i.test(before);
}

interface TextRange {
  readonly at: number;
  /** Of the paragraph. */
  readonly from: number;
  readonly to: number;
}

/** A formula, or what looks crossed out, begins before the place and goes on after it. */
function isBetweenMarks(text: string, { at, from, to }: TextRange): boolean {
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const inParagraph = text.slice(from, at).includes("$") && text.slice(at, to).includes("$");
  return inParagraph || ["$$", "~~"].some((mark) => before.includes(mark) && after.includes(mark));
}

/** The text with blanks in the place of code, in which nothing begins. */
function withoutCode(text: string, nodes: readonly Nodes[]): string {
  let blanked = text;
  for (const node of nodes) {
    if (node.type !== "code" && node.type !== "inlineCode") continue;
    const [from, to] = [getStart(node), getEnd(node)];
    blanked = blanked.slice(0, from) + " ".repeat(to - from) + blanked.slice(to);
  }
  return blanked;
}

/** The words that a comment can ask us with. */
const VERBS = ["help", "recheck", "approve", "revoke", "override", "explain"] as const;
type Verb = (typeof VERBS)[number];

export type Command =
  | { readonly verb: "help" | "recheck" | "revoke" }
  /** Null: every rule. */
  | { readonly verb: "explain"; readonly rule: string | null }
  | ApproveCommand
  | OverrideCommand;

export interface ApproveCommand {
  readonly verb: "approve";
  readonly sha: Sha;
  readonly upTo: Money | null;
  /** The first moment after its last day in UTC, ms since 1970; absent: it has no end. */
  readonly untilMs?: number;
  /**
   * Words between the commit and the amount, which name rules; null: no amount was given, and the rules are the first
   * words of `reason`.
   */
  readonly rules: readonly string[] | null;
  /** Not escaped; never blank. */
  readonly reason: string;
}

export interface OverrideCommand {
  readonly verb: "override";
  readonly sha: Sha;
  /** Not escaped; never blank. */
  readonly reason: string;
}

/** What is wrong with a command. `found` is what was written, not escaped. */
type CommandProblem =
  /** A comment carries one command, so that it is clear what its edit or deletion takes back. */
  | { readonly kind: "several"; readonly count: number }
  | { readonly kind: "unknown_verb"; readonly found: string }
  | { readonly kind: "extra_words"; readonly verb: Verb; readonly found: string }
  /** No full commit id. */
  | { readonly kind: "sha"; readonly verb: "approve" | "override"; readonly found: string }
  | { readonly kind: "amount" | "until"; readonly found: string }
  | { readonly kind: "reason" }
  /** GitHub may show the line as a part of something else. */
  | { readonly kind: "not_plain" }
  /** Or nested too deeply. */
  | { readonly kind: "too_long" };

type ParsedCommand =
  | { readonly state: "none" }
  | { readonly state: "command"; readonly command: Command }
  | { readonly state: "malformed"; readonly problem: CommandProblem };
