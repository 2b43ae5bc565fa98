import type { EventEmitter } from "node:events";
import type { Output } from "./command.ts";
import { explainError } from "./explain-error.ts";
import { harmlessOutput } from "./harmless-output.ts";

/** A process, as far as it tells of what Node itself would print. */
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
