import { parseSha, type Sha } from "../../kernel/ids.ts";
import { type Money, parseDecimal } from "../../kernel/money.ts";
import { type Command, type CommandProblem, type ParsedCommand, VERBS, type Verb } from "./command.ts";
import { extractPlainLines, splitLines } from "./plain-lines.ts";

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

/** "up to" however it is typed, with what comes before and after it. */
const UP_TO = /^(.*?)(?<![\p{L}\p{N}])up[\p{Z}\p{Cf}\t-]*to(?!\p{L})[\p{Z}\p{Cf}\t:]*(.*)$/iu;
/** `900 USD` or `USD 900` as whole words: no sign, no separators, and no unit behind it. */
const AMOUNT =
  /^(?:(\d{1,15}(?:\.\d{1,12})?)[ \t]*([a-z]{3})|([a-z]{3})[ \t]*(\d{1,15}(?:\.\d{1,12})?))[,;:.]?(?:[ \t]+(.*))?$/i;
/** Every "up to", and how many characters behind it may be about its amount. */
const EVERY_UP_TO = /(?<![\p{L}\p{N}])up[\p{Z}\p{Cf}\t-]*to(?!\p{L})/giu;
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
  const match = UP_TO.exec(text);
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

function readApprove(rest: string): ParsedCommand {
  const { named, sha, words } = readCommit(rest);
  if (sha === null) return malformed({ kind: "sha", verb: "approve", found: named });
  const limit = readLimit(words);
  if (limit === null) {
    return isBlank(words)
      ? malformed({ kind: "reason" })
      : toApproveCommand({ sha, upTo: null, rules: null, reason: words });
  }
  const { before, upTo, found, after: reason } = limit;
  if (upTo === null) return malformed({ kind: "amount", found });
  if (isBlank(reason)) return malformed({ kind: "reason" });
  const rules = before.split(/[ \t,]+/).filter((name) => name !== "");
  return toApproveCommand({ sha, upTo, rules: rules.map(removeBackticks), reason });
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
const LIMIT_LINE = /^[ \t]*(?![ \t>])(?=.*(?<![\p{L}\p{N}])up[\p{Z}\p{Cf}\t-]*to(?!\p{L}))/iu;

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
