import type { Command, CommandRow, WordsCommand } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { codeOf, type Page } from "./claims.ts";

/** A call of the command line as a page shows it: the words after the program's name. */
interface Call {
  readonly code: string;
  readonly words: readonly string[];
}

/** Commands and options of the page that the command line does not have. */
export async function unknownCommands(page: Page): Promise<readonly string[]> {
  const { spans, lines } = codeOf(page);
  const calls = [...spans.flatMap(callsIn), ...spans.flatMap(callWithoutProgram), ...lines.flatMap(callsIn)];
  const problems = await Promise.all(calls.map(problemOf));
  return problems.flat();
}

/** Up to a comment, a pipe or a redirection. `/tollgate help` is no call but a comment on a pull request. */
function callsIn(code: string): readonly Call[] {
  const text = code.replace(/ (#|\||>|&&) .*/, "").replace("npm run --silent tollgate -- ", "tollgate ");
  return [...text.matchAll(/(?:^|[\s(|])tollgate ([a-z-][^)]*)/g)].map(([, words = ""]) => ({
    code,
    words: words.trim().split(/\s+/),
  }));
}

/** In the prose a command of two words, or one with an option, can stand without the program's name: `policy check --repository`. */
const callWithoutProgram = (code: string): readonly Call[] => {
  const words = code.split(/\s+/);
  const row = rowOf(words);
  if (row === undefined || (!row.name.includes(" ") && words[1]?.startsWith("--") !== true)) return [];
  return [{ code, words }];
};

const rowOf = (words: readonly string[]): CommandRow | undefined =>
  COMMANDS.find(({ name }) => name === words.slice(0, name.split(" ").length).join(" "));

async function problemOf({ code, words }: Call): Promise<readonly string[]> {
  const row = rowOf(words);
  if (row === undefined) return isGroup(words) ? [] : [`${code}: no such command`];
  const rest = words.slice(row.name.split(" ").length);
  const command = await row.load();
  if (row.name === "api") return operationProblems(code, rest, command);
  const known = optionsOf(command);
  return optionsIn(rest)
    .filter((option) => !known.includes(option))
    .map((option) => `${code}: no option ${option}`);
}

/** `tollgate policy` alone stands for `policy check`, `policy test` and so on. */
const isGroup = ([first, second]: readonly string[]): boolean =>
  second === undefined && COMMANDS.some(({ name }) => name.startsWith(`${first} `));

const optionsOf = (command: Command | WordsCommand): readonly string[] =>
  "options" in command
    ? [...Object.keys(command.options).map((name) => `--${name}`), "--help"]
    : [...command.complete([""]), "--words", "--help"];

/** `--name=value` and `[--name]` name the option too. */
const optionsIn = (words: readonly string[]): readonly string[] =>
  words.flatMap((word) => /^\[?(--[a-z][a-z-]*)/.exec(word)?.[1] ?? []);

/** An operation of `tollgate api`; `list|create|…` names several, a word in capitals stands for any. */
function operationProblems(
  code: string,
  words: readonly string[],
  api: Command | WordsCommand,
): readonly string[] {
  if (!("complete" in api)) throw new Error("`tollgate api` completes its own words");
  const [area = "", operations = ""] = words;
  if (area === "" || /^[-A-Z]/.test(area)) return [];
  if (!api.complete([""]).includes(area)) return [`${code}: no area ${area}`];
  const named = operations.split("|").filter((one) => /^[a-z]/.test(one) && !one.endsWith("…"));
  const unknown = named.filter((one) => !api.complete([area, ""]).includes(one));
  const known = named.flatMap((one) => [...api.complete([area, one, ""]), "--help", "--json"]);
  return [
    ...unknown.map((one) => `${code}: no operation ${one}`),
    ...(named.length === 0 ? [] : optionsIn(words))
      .filter((option) => !known.includes(option))
      .map((option) => `${code}: no option ${option}`),
  ];
}
