import { type CommandUnknownOpts, Help } from "@commander-js/extra-typings";

/** Characters of a line of help, at most. */
export const HELP_WIDTH = 110;

const help = new Help();
help.prepareContext({ helpWidth: HELP_WIDTH });

/** A command as it is typed, e.g. `tollgate platform import`. */
export const getCommandPath = (command: CommandUnknownOpts): string =>
  command.parent === null ? command.name() : `${getCommandPath(command.parent)} ${command.name()}`;

export const seeHelp = (command: CommandUnknownOpts): string =>
  `Run \`${getCommandPath(command)} --help\` for its ${command.commands.length > 0 ? "commands" : "options"}.`;

/** Paragraphs below the options of a command's help, their lines wrapped. */
export const paragraphs = (...texts: readonly string[]): string =>
  texts.map((text) => `\n${help.boxWrap(text, HELP_WIDTH)}`).join("\n");

/** Terms on the left, their meanings beside them. */
export function definitions(rows: readonly (readonly [term: string, meaning: string])[]): string {
  const width = Math.max(0, ...rows.map(([term]) => term.length));
  return rows.map(([term, meaning]) => help.formatItem(term, width, meaning, help)).join("\n");
}
