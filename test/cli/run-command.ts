import type { CommandRow, ExitCode } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { run } from "../../src/cli/run.ts";

export interface Ended {
  readonly code: ExitCode;
  /** Standard output. */
  readonly results: string;
  /** Standard error, a line each. */
  readonly messages: readonly string[];
}

/** What comes of typing `tollgate` and these words. */
export async function typed(
  words: readonly string[],
  commands: readonly CommandRow[] = COMMANDS,
): Promise<Ended> {
  const results: string[] = [];
  const messages: string[] = [];
  let code: ExitCode = 0;
  await run(commands, words, {
    result: (text) => results.push(text),
    message: (text) => messages.push(text),
    exit: (ended) => {
      code = ended;
    },
  });
  return { code, results: results.join("\n"), messages };
}
