import { suggestChoice } from "../../kernel/suggest.ts";
import { TYPES, VARIABLES } from "./environment.ts";

/** A problem of an expression, in Tollgate's words; `offset` in characters from its start. */
export interface Advice {
  readonly message: string;
  readonly offset: number;
}

/** An error of the CEL library for an invalid expression. */
interface LibraryError {
  readonly summary?: string;
  readonly message?: string;
  readonly range?: { readonly start: number };
  /** The invalid part; of a member access, `args[0]` is the accessed object. */
  readonly node?: { readonly args?: unknown };
}

/** Describes a problem by the probable intention: first syntax of other languages, then known names. */
export function adviseOn(text: string, error: unknown): Advice {
  const { summary, message, range, node } = error as LibraryError; // thrown by the library, or made by the engine
  const words = (summary ?? message ?? "cannot be read").split("\n", 1)[0] ?? "";
  return findForeignToken(text) ?? { message: addHint(words, node), offset: range?.start ?? 0 };
}

/** Quoted texts, and syntax of other languages that CEL writes differently. */
const TOKENS =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b(?:and|or|not|AND|OR|NOT)\b(?=[\s(])|===|<>|(?<![=!<>])=(?!=)|(?<!&)&(?!&)|(?<!\|)\|(?!\|)|(?<![[(,\w.] *)\b\d{1,3}(?:,\d{3})+\b|\b\d+(?:\.\d+)? +(?!AND|NOT)[A-Z]{3}\b/g;

const CEL_EQUIVALENTS: Readonly<Record<string, string>> = {
  and: "&&",
  "&": "&&",
  or: "||",
  "|": "||",
  not: "!",
  "=": "==",
  "===": "==",
  "<>": "!=",
};

/** The first syntax of another language; null: none. */
function findForeignToken(text: string): Advice | null {
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const meant = CEL_EQUIVALENTS[token.toLowerCase()];
    if (meant !== undefined) return { message: `found "${token}", write ${meant}`, offset: index };
    if (/^\d+,/.test(token))
      return {
        message: `found "${token}", write ${token.replaceAll(",", "")}: no thousands separators`,
        offset: index,
      };
    if (/^\d/.test(token)) return { message: describeCurrencyAdvice(token), offset: index };
  }
  return null;
}

function describeCurrencyAdvice(token: string): string {
  const [amount = "", currency = ""] = token.split(/ +/);
  return `found "${token}", write ${amount}, and ask for the currency with .currency == "${currency}"`;
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [/: amount \/|\/ amount$/, "amounts are never divided; multiply the other side"],
  [
    /amount [<>=!]+ string|string [<>=!]+ amount|amount in list<string>/,
    "an amount is compared with a number, such as 500 or 0.5; what happens to a resource is in .action",
  ],
  [/list\.sum\(\)$/, "write sum(list), of amounts"],
  [/^List index must be int/, "a list has no members; ask its elements, as in list.exists(x, x.change > 0)"],
];

function addHint(words: string, node: LibraryError["node"]): string {
  const [, complaint = "", name = ""] = /^([^:]+): (\S+)$/.exec(words) ?? [];
  if (complaint === "Unknown variable")
    return describeUnknownName(name, "is no variable", Object.keys(VARIABLES));
  if (complaint === "No such key") return describeUnknownMember(name, node);
  const hint = HINTS.find(([pattern]) => pattern.test(words))?.[1];
  return hint === undefined ? words : `${words} (${hint})`;
}

function describeUnknownMember(name: string, node: LibraryError["node"]): string {
  const [accessed] = Array.isArray(node?.args) ? node.args : [];
  const type: unknown = (accessed as { readonly checkedType?: { readonly name?: unknown } } | undefined)
    ?.checkedType?.name; // the type that the checker assigned to the part
  const members =
    typeof type === "string" && Object.hasOwn(TYPES, type) ? TYPES[type as keyof typeof TYPES] : null;
  if (members === null) return `"${name}" is no member of this`;
  if (name === "change" && "action" in members)
    return `"change" is no member of ${String(type)}: write action, for what happens to the resource`;
  return describeUnknownName(name, `is no member of ${String(type)}`, Object.keys(members));
}

function describeUnknownName(name: string, complaint: string, known: readonly string[]): string {
  const meant = suggestChoice(name, known);
  return `"${name}" ${complaint}${meant === null ? "" : ` (did you mean ${meant}?)`}; there are ${known.join(", ")}`;
}
