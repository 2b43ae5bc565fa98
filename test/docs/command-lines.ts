import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandRow } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { createProgram } from "../../src/cli/run.ts";
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

/** Programs that name containers, images and services; what follows `tollgate.js` there is a call. */
const RUNNER = /^(docker|kubectl|journalctl)\b.*?(tollgate\.js |$)/;

/** Up to a comment, a pipe or a redirection. `/tollgate help` is no call but a comment on a pull request. */
function callsIn(code: string): readonly Call[] {
  const text = code
    .replace(/ (#|\||>|&&) .*/, "")
    .replace("npm run --silent tollgate -- ", "tollgate ")
    .replace(RUNNER, "tollgate ");
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

/** `list|create|…` names several operations. */
async function problemOf({ code, words }: Call): Promise<readonly string[]> {
  const at = words.findIndex((word) => word.includes("|") && /^[a-z]/.test(word));
  if (at === -1) return wordProblems(code, words);
  const named = words[at]?.split("|").filter((one) => !one.endsWith("…")) ?? [];
  const all = await Promise.all(named.map((one) => wordProblems(code, words.with(at, one))));
  return all.flat();
}

const UNUSED = { result: () => {}, message: () => {}, exit: () => {} };

/** A word in capitals stands for any; `tollgate policy` alone stands for `policy check`, `policy test` and so on. */
async function wordProblems(code: string, words: readonly string[]): Promise<readonly string[]> {
  let command = await createProgram(COMMANDS, words, UNUSED);
  for (const word of words) {
    if (command.commands.length === 0 || !/^[a-z]/.test(word)) break;
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) return [`${code}: no command ${word}`];
    command = next;
  }
  const known = optionsOf(command);
  return optionsIn(words)
    .filter((option) => !known.includes(option))
    .map((option) => `${code}: no option ${option}`);
}

const optionsOf = (command: CommandUnknownOpts): readonly (string | undefined)[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .map(({ long }) => long);

/** `--name=value` and `[--name]` name the option too. */
const optionsIn = (words: readonly string[]): readonly string[] =>
  words.flatMap((word) => /^\[?(--[a-z][a-z-]*)/.exec(word)?.[1] ?? []);
