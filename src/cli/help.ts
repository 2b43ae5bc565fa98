import type { Command, CommandRow, OptionSpec } from "./command.ts";

/** The help of Tollgate as a whole. */
export function generalHelp(commands: readonly CommandRow[]): string {
  return [
    "Tollgate says on every pull request what merging will cost and change in the cloud.",
    "",
    "Usage: tollgate COMMAND [OPTIONS]",
    "",
    "Commands:",
    ...table(commands.map(({ name, summary }) => [name, summary])),
    "",
    "`tollgate COMMAND --help` tells more about one of them.",
    "Exit codes: 0 pass or warn, 1 blocked, 2 wrong usage or unreadable input, 3 undecided.",
  ].join("\n");
}

/** The help of one command. */
export function commandHelp({ name, summary }: CommandRow, { options, operand, details }: Command): string {
  const entries = Object.entries(options);
  const given =
    operand === undefined ? [] : [operand.required === true ? operand.value : `[${operand.value}]`];
  return [
    `tollgate ${name}: ${summary}.`,
    "",
    `Usage: ${["tollgate", name, ...given, ...entries.map(([option, spec]) => usage(option, spec))].join(" ")}`,
    "",
    "Options:",
    ...table([
      ...(operand === undefined ? [] : [[operand.value, operand.about] as const]),
      ...entries.map(([option, spec]): [string, string] => [flag(option, spec), about(spec)]),
      ["--help", "show this"],
    ]),
    ...details.flatMap((paragraph) => ["", paragraph]),
  ].join("\n");
}

function usage(option: string, spec: OptionSpec): string {
  const whole = flag(option, spec);
  if (spec.required === true) return whole;
  return spec.multiple === true ? `[${whole}]...` : `[${whole}]`;
}

/** `--name VALUE`. */
export const flag = (option: string, { value }: OptionSpec): string =>
  value === undefined ? `--${option}` : `--${option} ${value}`;

/** What an option is for, and the values that it takes. */
export const about = ({ about: text, choices }: OptionSpec): string =>
  choices === undefined ? text : `${text}: ${choices.join(", ")}`;

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
