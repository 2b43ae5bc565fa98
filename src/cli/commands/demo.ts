import { Command } from "@commander-js/extra-typings";
import { runDemo } from "../../wiring/demo/run.ts";
import { type MakeCommand, usageError } from "../command.ts";
import { paragraphs } from "../help-text.ts";

/** `tollgate demo`: Tollgate with a sandbox GitHub, on this machine alone. */
export const demoCommand: MakeCommand = (output) =>
  new Command()
    .option("--once", "print the comment of each pull request, then end")
    .option("--port <PORT>", "the port of its pages (default: any free port)")
    .addHelpText(
      "after",
      paragraphs(
        "Starts the bot as `tollgate start` does, with a GitHub on loopback in place of the real one, and opens three pull requests. Needs no account and no network.",
      ),
    )
    .action(({ once = false, port }) => runDemo({ once, port: readPort(port), output }));

/** 0 lets the system choose. */
function readPort(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw usageError(`--port ${JSON.stringify(text)} is no port: expected a number from 1 to 65535.`);
}
