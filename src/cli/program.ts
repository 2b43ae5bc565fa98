import { once } from "node:events";
import type { Output } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { run } from "./run.ts";
import { takeNodeMessages } from "./terminal-messages.ts";

// A reader that has seen enough (`| head`) is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

/** A pipe stores in memory what its reader has not read yet. A reader that has ended reads nothing more. */
async function waitForReader(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, "drain").catch(() => {});
}

/** The line of progress on a terminal; a message takes its place. */
const showProgress = (text: string | null): void => {
  process.stderr.write(`\r\u001b[K${text ?? ""}`);
};

const output: Output = {
  result: (text) => process.stdout.write(`${text}\n`),
  drained: waitForReader,
  message: (text) => process.stderr.write(`${process.stderr.isTTY ? "\r\u001b[K" : ""}tollgate: ${text}\n`),
  ...(process.stderr.isTTY && { progress: showProgress }),
  // The process ends by itself when all is written: exiting here could cut the output off.
  exit: (code) => {
    process.exitCode = code;
  },
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
};
takeNodeMessages(process, output);
await run(COMMANDS, process.argv.slice(2), output);
