import { TollgateError } from "../kernel/errors.ts";
import { readArguments } from "./arguments.ts";
import type { CommandRow, ExitCode, Output } from "./command.ts";
import { suggestion } from "./did-you-mean.ts";
import { explainError } from "./explain-error.ts";
import { harmlessOutput } from "./harmless-output.ts";
import { commandHelp, generalHelp } from "./help.ts";

const HELP: ReadonlySet<string | undefined> = new Set(["--help", "-h", "help"]);

/** Runs the command that the arguments name. Everything that goes wrong ends in a message and an exit code. */
export async function run(
  commands: readonly CommandRow[],
  args: readonly string[],
  output: Output,
): Promise<ExitCode> {
  const safe = harmlessOutput(output);
  try {
    return await dispatch(commands, args, safe);
  } catch (error) {
    for (const line of explainError(error)) safe.message(line);
    return 2;
  }
}

async function dispatch(
  commands: readonly CommandRow[],
  args: readonly string[],
  output: Output,
): Promise<ExitCode> {
  const [first] = args;
  if (first === undefined || (HELP.has(first) && args.length === 1)) {
    const print = first === undefined ? output.message : output.result;
    print(generalHelp(commands));
    return first === undefined ? 2 : 0;
  }
  const words = args[0] === "help" ? [...args.slice(1), "--help"] : args;
  const row = commands.find(({ name }) => name.split(" ").every((word, at) => words[at] === word));
  if (row === undefined) throw unknownCommand(commands, words);
  const rest = words.slice(row.name.split(" ").length);
  return runRow(row, rest, output);
}

async function runRow(row: CommandRow, words: readonly string[], output: Output): Promise<ExitCode> {
  const command = await row.load();
  const options = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  const asksHelp = options.some((word) => word === "--help" || word === "-h");
  if ("runWords" in command) {
    if (!asksHelp) return command.runWords(words, output);
    output.result(command.help(words));
    return 0;
  }
  if (!asksHelp) return command.run(readArguments(row.name, command, words), output);
  output.result(commandHelp(row, command));
  return 0;
}

function unknownCommand(commands: readonly CommandRow[], words: readonly string[]): TollgateError {
  const typed = words.filter((word) => !word.startsWith("-")).slice(0, 2);
  const names = commands.map(({ name }) => name);
  const group = names.filter((name) => name.startsWith(`${typed[0]} `));
  const hint = "Run `tollgate --help` for all commands.";
  if (group.length > 0) {
    return new TollgateError(
      "usage",
      `\`tollgate ${typed[0]}\` takes one of: ${group.map(lastWord).join(", ")}.`,
      { hint },
    );
  }
  const meant = suggestion(typed.join(" "), names) || suggestion(typed[0] ?? "", names);
  return new TollgateError("usage", `There is no command ${JSON.stringify(typed.join(" "))}.${meant}`, {
    hint,
  });
}

const lastWord = (name: string): string => name.split(" ").at(-1) ?? name;
