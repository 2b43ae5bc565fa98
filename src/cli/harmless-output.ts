import { escapeForTerminal } from "../kernel/terminal-text.ts";
import type { Output } from "./command.ts";

/**
 * The one way of every text of every command to the terminal: no file name, argument or answer of others acts on it. Colours, if there
 * ever are any, are added to what this lets through. The further lines of a message are indented: none of them looks like a message
 * of its own.
 */
export const harmlessOutput = (output: Output): Output => ({
  ...output,
  result: (text) => output.result(escapeForTerminal(text)),
  message: (text) => output.message(escapeForTerminal(text).replaceAll("\n", "\n  ")),
});
