import { CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandRow, Output } from "./command.ts";
import { createProgram } from "./create-program.ts";
import { seeHelp } from "./help-text.ts";
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
