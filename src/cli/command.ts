import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { TollgateError } from "../kernel/errors.ts";

/** Exit code of a command: 0 pass or warn, 1 blocked, 2 wrong usage or unreadable input, 3 undecided. */
export type ExitCode = 0 | 1 | 2 | 3;

export interface Output {
  /** A result; a line break is added. */
  result(text: string): void;
  /** Resolves when the reader of the results is ready for more: for results of any length. Absent: it always is. */
  drained?(): Promise<void>;
  /** A message for the person at the terminal, one line. */
  message(text: string): void;
  /** Shows what is under way in a line of its own, which the next one replaces; null: removes it. Absent: nobody watches. */
  progress?(text: string | null): void;
  /** Sets the exit code; it is 0 unless set. */
  exit(code: ExitCode): void;
  /** How many columns the terminal of the results has; absent where they go to a file or a program. */
  readonly columns?: number | undefined;
}

/**
 * Makes a command: its options, and an action that writes to the output. `words`: what was typed behind the command's name, without
 * options, for a command whose subcommands are many.
 */
export type MakeCommand = (output: Output, words: readonly string[]) => CommandUnknownOpts;

/** The options of the command that a function creates, as commander reads them. */
export type OptionsOf<Create extends () => { opts(): unknown }> = ReturnType<ReturnType<Create>["opts"]>;

/** A command in the table of commands; its own file is loaded when it is called. */
export interface CommandRow {
  /** As it is typed, e.g. "platform import". */
  readonly name: string;
  readonly summary: string;
  load(): Promise<MakeCommand>;
}

/** The error for options that do not go together or have unusable values. The way to the command's help is added where it is printed. */
export const usageError = (problem: string): TollgateError => new TollgateError("usage", problem);
