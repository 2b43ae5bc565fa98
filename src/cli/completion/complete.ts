import type { CommandRow } from "../command.ts";
import { completeOptions } from "./options.ts";

/** What may stand in the place of the last of the words after `tollgate`: only what continues what is typed of it. */
export async function complete(
  commands: readonly CommandRow[],
  words: readonly string[],
): Promise<readonly string[]> {
  const last = words.at(-1) ?? "";
  const begun = last === "=" ? "" : last;
  const found = await candidates(commands, words);
  return [...new Set(found)].filter((word) => word.startsWith(begun)).sort();
}

async function candidates(
  commands: readonly CommandRow[],
  words: readonly string[],
): Promise<readonly string[]> {
  const typed = words[0] === "help" ? words.slice(1) : words;
  const before = typed.slice(0, -1);
  const row = commands.find(({ name }) => name.split(" ").every((word, at) => before[at] === word));
  if (row === undefined) return nextNames(commands, before, words.length === 1);
  const command = await row.load();
  const rest = typed.slice(row.name.split(" ").length);
  return "complete" in command ? command.complete(rest) : completeOptions(command.options, rest);
}

/** The next word of each command's name that begins with these words. */
function nextNames(
  commands: readonly CommandRow[],
  before: readonly string[],
  isFirst: boolean,
): readonly string[] {
  const names = commands
    .map(({ name }) => name.split(" "))
    .filter((name) => before.every((word, at) => name[at] === word))
    .flatMap((name) => name[before.length] ?? []);
  return isFirst ? [...names, "help", "--help"] : names;
}
