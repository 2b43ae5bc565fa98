import { TollgateError } from "../../kernel/errors.ts";
import { runDemo } from "../../wiring/demo/run.ts";
import type { Command } from "../command.ts";

/** `tollgate demo`: the main job, on this machine alone. */
export const demoCommand: Command = {
  options: {
    once: { about: "print what each pull request was told, then end" },
    port: { value: "PORT", about: "the port of its pages (any that is free)" },
  },
  details: [
    "Starts the bot as `tollgate start` does, with a GitHub on loopback in place of the real one, and opens three pull requests. Needs no account and no network.",
  ],
  run: async (given, output) => {
    await runDemo({ once: given.has("once"), port: readPort(given.value("port")), output });
    return 0;
  },
};

/** 0 lets the system choose. */
function readPort(text: string | null): number {
  if (text === null) return 0;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new TollgateError(
    "usage",
    `--port ${JSON.stringify(text)} is no port: expected a number from 1 to 65535.`,
  );
}
