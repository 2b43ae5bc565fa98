import {
  Command,
  CommanderError,
  type CommandUnknownOpts,
  Help,
  InvalidArgumentError,
  type Option,
} from "@commander-js/extra-typings";
import { VERSION } from "../package/version.ts";
import type { CommandRow, Output } from "./command.ts";
import { getCommandPath, HELP_WIDTH, seeHelp } from "./help-text.ts";
import { explainError, harmlessOutput } from "./terminal-messages.ts";

/** Runs the command that the words name. Everything that goes wrong ends in a message and an exit code. */
export async function run(
  rows: readonly CommandRow[],
  words: readonly string[],
  output: Output,
): Promise<void> {
  const safe = harmlessOutput(output);
  const typed = words[0] === "help" ? [...words.slice(1), "--help"] : words;
  let called: CommandUnknownOpts | null = null;
  try {
    const program = await createProgram(rows, typed, safe);
    program.hook("preAction", (_, command) => {
      called = command;
    });
    await program.parseAsync(typed, { from: "user" });
  } catch (error) {
    output.exit(isHelp(error) ? 0 : 2);
    if (error instanceof CommanderError) return; // commander has printed it
    const hint = called === null ? undefined : seeHelp(called);
    for (const line of explainError(error, hint)) safe.message(line);
  }
}

/** Help or the version, which commander ends with an error of code 0. */
const isHelp = (error: unknown): boolean => error instanceof CommanderError && error.exitCode === 0;

/**
 * The program with the names of all commands. Only the files of the commands that the words name are loaded, so only these have their
 * options.
 */
export async function createProgram(
  rows: readonly CommandRow[],
  words: readonly string[],
  output: Output,
): Promise<CommandUnknownOpts> {
  const program = createRoot(output);
  const typed = words.filter((word) => !word.startsWith("-"));
  for (const { name, summary, load } of rows) {
    const names = name.split(" ");
    const isTyped = names.every((one, at) => typed[at] === one);
    const command = isTyped ? (await load())(output, typed.slice(names.length)) : new Command();
    const [own = name] = names.splice(-1);
    parentIn(program, names).addCommand(command.name(own).summary(summary));
  }
  configure(program, words);
  return program;
}

const createRoot = (output: Output): CommandUnknownOpts =>
  new Command("tollgate")
    .usage("COMMAND [OPTIONS]")
    .description("Tollgate says on every pull request what merging will cost and change in the cloud.")
    .version(VERSION)
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ formatHelp })
    .configureOutput({
      writeOut: (text) => output.result(text.trimEnd()),
      writeErr: (text) => output.message(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, "").replace("\n(", " (")),
      getOutHelpWidth: () => Math.min(output.columns ?? HELP_WIDTH, HELP_WIDTH),
      getErrHelpWidth: () => HELP_WIDTH,
    })
    .addHelpText(
      "after",
      "\n`tollgate COMMAND --help` describes one of them.\n" +
        "Exit codes: 0 pass or warn, 1 blocked, 2 wrong usage or unreadable input, 3 undecided.",
    );

/** The help of the whole program lists the commands of groups, too. */
function formatHelp(command: CommandUnknownOpts, help: Help): string {
  if (command.parent === null) {
    help.visibleCommands = ({ commands }) =>
      commands.flatMap((one) => (one.commands.length === 0 ? [one] : one.commands));
    help.subcommandTerm = (one) => getCommandPath(one).replace("tollgate ", "");
  }
  return Help.prototype.formatHelp.call(help, command, help);
}

/** The group that a command of two words is in, created when it is missing. */
const parentIn = (program: CommandUnknownOpts, [group]: readonly string[]): CommandUnknownOpts =>
  group === undefined
    ? program
    : (program.commands.find((one) => one.name() === group) ?? program.command(group));

/** Gives a command and its subcommands what all have in common. */
function configure(command: CommandUnknownOpts, words: readonly string[]): void {
  if (command.description() === "") command.description(command.summary());
  command.helpCommand(false).showHelpAfterError(seeHelp(command));
  for (const option of command.options.filter(({ required }) => required)) checkValues(option, words);
  for (const one of command.commands) configure(one.copyInheritedSettings(command), words);
}

/** Refuses the next option in place of a value and, of an option that takes one value, an empty or a second one. */
function checkValues(option: Option, words: readonly string[]): void {
  const { variadic, long } = option;
  const parse = option.parseArg ?? (variadic ? append : (value: string) => value);
  option.argParser((value: string, previous: unknown) => {
    const problem = nextOption(value, words, long) ?? (variadic ? null : single(value, previous, option));
    if (problem !== null) throw new InvalidArgumentError(problem);
    return parse(value, previous);
  });
}

const append = (value: string, previous: unknown): readonly string[] =>
  Array.isArray(previous) ? [...previous, value] : [value];

const nextOption = (value: string, words: readonly string[], long = ""): string | null =>
  /^--?[a-z]/i.test(value) && !words.includes(`${long}=${value}`)
    ? `It looks like an option; write ${long}=${value} if it is a value.`
    : null;

function single(value: string, previous: unknown, { long, defaultValue }: Option): string | null {
  if (previous !== undefined && previous !== defaultValue) return `${long} is given twice.`;
  return value === "" ? "A value is missing." : null;
}
