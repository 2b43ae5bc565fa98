import type { CommandRow, ExitCode, MakeCommand } from "../../src/cli/command.ts";
import { policyCheckCommand } from "../../src/cli/commands/policy-check.ts";
import { policyExplainCommand } from "../../src/cli/commands/policy-explain.ts";
import { policyTestCommand } from "../../src/cli/commands/policy-test.ts";
import { previewCommand } from "../../src/cli/commands/preview.ts";
import { startCommand, workerCommand } from "../../src/cli/commands/start.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { run } from "../../src/cli/run.ts";
import type { withPolicyThread } from "../../src/wiring/evaluation/policy-tasks.ts";
import { performHere } from "../policy/perform-here.ts";

export interface Ended {
  readonly code: ExitCode;
  /** Standard output. */
  readonly results: string;
  /** Standard error, a line each. */
  readonly messages: readonly string[];
}

/** What a process would write to its standard output and error. */
export const asWritten = ({ code, results, messages }: Ended) => ({
  code,
  out: results === "" ? "" : `${results}\n`,
  err: messages.map((line) => `tollgate: ${line}\n`).join(""),
});

const withoutThread: typeof withPolicyThread = (work) => work(performHere);

/** Listeners of signals would stay in the process of the tests. */
const withoutSignals = (): Promise<never> => new Promise(() => {});

/** Without the threads and signals of the real ones. `run.test.ts` and `start-failures.test.ts` run processes that have them. */
const COMMANDS_HERE: ReadonlyMap<string, MakeCommand> = new Map([
  ["start", startCommand(withoutSignals)],
  ["worker", workerCommand(withoutSignals)],
  ["preview", previewCommand(withoutThread)],
  ["policy check", policyCheckCommand(withoutThread)],
  ["policy test", policyTestCommand(withoutThread)],
  ["policy explain", policyExplainCommand(withoutThread)],
]);

const ROWS_HERE = COMMANDS.map((row): CommandRow => {
  const command = COMMANDS_HERE.get(row.name);
  return command === undefined ? row : { ...row, load: async () => command };
});

/** What comes of typing `tollgate` and these words. */
export async function typed(
  words: readonly string[],
  commands: readonly CommandRow[] = ROWS_HERE,
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
