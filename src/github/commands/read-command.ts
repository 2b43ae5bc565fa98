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

/** `up to 900 USD`, as a whole phrase. */
const UP_TO = /^(.*?)(?:^|[ \t])up[ \t]+to[ \t]+(\S+)(?:[ \t]+(\S+))?(?:[ \t]+(.*))?$/i;

/** Anything that somebody may mean as an amount: it bounds the approval, or refuses it. */
const AMOUNT_LIKE = /\p{N}|\p{Sc}|\b[A-Z]{3}\b/u;

function readApprove(rest: string): ParsedCommand {
  const { named, sha, words } = readCommit(rest);
  if (sha === null) return malformed({ kind: "sha", verb: "approve", found: named });
  const bounded = UP_TO.exec(words);
  const [, before = "", value = "", unit = "", reason = ""] = bounded ?? [];
  const currency = unit.replace(/[,;:]$/, "");
  const upTo = readAmount(value, currency);
  // Within a sentence, "up to" before mere words is a part of the reason: "we scale up to meet demand".
  const isSentence = before !== "" && !AMOUNT_LIKE.test(`${value} ${unit} ${reason}`);
  if (bounded === null || isSentence) {
    return isBlank(words)
      ? malformed({ kind: "reason" })
      : toApproveCommand({ sha, upTo: null, rules: null, reason: words });
  }
  if (upTo === null) return malformed({ kind: "amount", found: `${value} ${currency}`.trim() });
  if (isBlank(reason)) return malformed({ kind: "reason" });
  const rules = before.split(/[ \t,]+/).filter((name) => name !== "");
  return toApproveCommand({ sha, upTo, rules: rules.map(removeBackticks), reason: reason.trim() });
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

const CURRENCY = /^[A-Za-z]{3}$/;

/** `900 USD`, with no sign and no separators: an amount that can be read in two ways approves nothing. */
export function readAmount(value: string, currency: string): Money | null {
  const amount = /^\d{1,15}(\.\d{1,12})?$/.test(value) ? parseDecimal(value) : null;
  if (amount === null || !CURRENCY.test(currency)) return null;
  return { amount, currency: currency.toUpperCase() };
}

const AMOUNT_LINE = /^[ \t]*up[ \t]+to(?=[ \t])/i;

/** The amount that an approving review names: the one line of plain text that begins with `up to AMOUNT`. */
export function readReviewAmount(body: string): Money | null | "unclear" {
  if (!splitLines(body).some((line) => AMOUNT_LINE.test(line))) return null;
  const lines = body.length > MAX_LENGTH ? "too_deep" : extractPlainLines(body, AMOUNT_LINE);
  if (typeof lines === "string" || lines.length > 1) return "unclear";
  const [line] = lines;
  if (line === undefined) return null;
  const [, value = "", currency = ""] = /^up[ \t]+to[ \t]+(\S+)(?:[ \t]+([A-Za-z]{3}))?\b/i.exec(line) ?? [];
  return readAmount(value, currency) ?? "unclear";
}
