/** How a process of ours ends: 0 pass or warn, 1 blocked, 2 wrong usage or unreadable input, 3 undecided. */
export type ExitCode = 0 | 1 | 2 | 3;

/** One option of a command, `--name` or `--name VALUE`. */
export interface OptionSpec {
  /** What stands for the value in the help, e.g. "FILE"; absent: the option takes none. */
  readonly value?: string;
  readonly about: string;
  /** May be given more than once. */
  readonly multiple?: true;
  readonly required?: true;
  /** An empty value says something, e.g. that there are no labels. */
  readonly mayBeEmpty?: true;
  /** The values that are allowed; absent: any. Of an option without a value: what may follow after `=`, the first one being meant without it. */
  readonly choices?: readonly string[];
}

/** What a command takes beside its options, e.g. a file. */
export interface OperandSpec {
  readonly value: string;
  readonly about: string;
  readonly required?: true;
}

/** What was given on the command line: checked against the command's options. */
export interface CommandArguments {
  /** The value of an option that is given at most once; null when it is not given. */
  value(option: string): string | null;
  /** The value of a required option. */
  required(option: string): string;
  /** All values of an option that may be repeated. */
  all(option: string): readonly string[];
  /** The values of several options in the order in which they were typed. */
  inOrder(options: readonly string[]): readonly { readonly option: string; readonly value: string }[];
  /** Whether an option without a value is given. */
  has(option: string): boolean;
  /** What stands beside the options; null: nothing. */
  operand(): string | null;
}

/** Where results and messages go. */
export interface Output {
  /** A result; a line break is added. */
  result(text: string): void;
  /** Resolves when the reader of the results is ready for more: for results of any length. Absent: it always is. */
  taken?(): Promise<void>;
  /** A message for the person at the terminal, one line. */
  message(text: string): void;
  /** How many columns the terminal of the results has; absent where they go to a file or a program. */
  readonly columns?: number | undefined;
}

/** What a command's own file exports. */
export interface Command {
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Absent: it takes options alone. */
  readonly operand?: OperandSpec;
  /** More for the help: one paragraph each. */
  readonly details: readonly string[];
  run(given: CommandArguments, output: Output): Promise<ExitCode>;
}

/** A command that reads its words itself, because what may be typed depends on what was typed before. */
export interface WordsCommand {
  /** The help for what was typed after the command's name. */
  help(words: readonly string[]): string;
  /** What may stand in the place of the last word, which may be empty. */
  complete(words: readonly string[]): readonly string[];
  runWords(words: readonly string[], output: Output): Promise<ExitCode>;
}

/** A command in the table of commands; its own file is loaded when it is called. */
export interface CommandRow {
  /** As it is typed, e.g. "platform import". */
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command | WordsCommand>;
}
