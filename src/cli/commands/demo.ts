import { runDemo } from "../../wiring/demo/run.ts";
import type { Command } from "../command.ts";

/** `tollgate demo`: the main job, on this machine alone. */
export const demoCommand: Command = {
  options: { once: { about: "print what each pull request was told, then end" } },
  details: [
    "Starts the bot as `tollgate start` does, with a GitHub on loopback in place of the real one, and opens three pull requests. Needs no account and no network.",
  ],
  run: async (given, output) => {
    await runDemo({ once: given.has("once"), output });
    return 0;
  },
};
