import type { EventEmitter } from "node:events";
import { TollgateError } from "../kernel/errors.ts";
import { escapeForTerminal } from "../kernel/terminal-text.ts";
import type { Output } from "./command.ts";

/**
 * Escapes every text of every command: no file name, argument or answer from outside acts on the terminal. The further lines of a message
 * are indented: none of them looks like a message of its own.
 */
export const harmlessOutput = (output: Output): Output => ({
  ...output,
  result: (text) => output.result(escapeForTerminal(text)),
  ...(output.progress !== undefined && {
    progress: (text: string | null) => output.progress?.(text === null ? null : escapeForTerminal(text)),
  }),
  message: (text) => output.message(escapeForTerminal(text).replaceAll("\n", "\n  ")),
});

/** The messages that explain an error to a person. `usageHint`: the way out of wrong usage that has none of its own. */
export function explainError(error: unknown, usageHint?: string): readonly string[] {
  if (error instanceof TollgateError) {
    const hint = error.hint ?? (error.code === "usage" ? usageHint : undefined);
    return hint === undefined ? [error.message] : [error.message, hint];
  }
  // Messages of other errors may quote their input, so only the place is shown.
  const places =
    error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  const kind = error instanceof Error ? error.name : typeof error;
  return [
    `This is a fault of Tollgate itself (${kind}). Please report it with these lines:`,
    ...places.slice(0, 8),
  ];
}

/** A process, as far as it emits what Node itself would print. */
export interface NodeProcess extends Pick<EventEmitter, "on" | "removeAllListeners"> {
  exit(code: number): void;
}

/**
 * Takes over the messages that Node prints by itself, as they are: warnings, which libraries fill with what they read, and errors that
 * nobody caught. An uncaught error still ends the process, with 2: 1 would say that a policy blocks.
 */
export function takeNodeMessages(node: NodeProcess, output: Output): void {
  const { message } = harmlessOutput(output);
  node.removeAllListeners("warning"); // Node's own printing of them
  node.on("warning", (warning: Error) => message(`${warning.name}: ${warning.message}`));
  node.on("uncaughtException", (error: unknown) => {
    for (const line of explainError(error)) message(line);
    node.exit(2);
  });
}
