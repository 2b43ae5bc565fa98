import { createLog } from "../process/log.ts";
import { waitForSignal } from "../process/wait-for-signal.ts";
import { buildDemoEnvironment, PEOPLE } from "./demo-environment.ts";
import { type DemoResult, type OpenedPull, playScene, waitForResult } from "./play-scene.ts";
import { SCENES } from "./scenes.ts";

export interface DemoOutput {
  result(text: string): void;
  message(text: string): void;
}

export interface DemoOptions {
  /** Whether to end after the comments are printed. */
  readonly once: boolean;
  /** Port of the sandbox GitHub; 0 lets the operating system choose. */
  readonly port: number;
  readonly output: DemoOutput;
}

/** Plays every scene. Prints the comments, or the addresses of the pages and then waits for Ctrl+C. */
export async function runDemo({ once, port, output }: DemoOptions): Promise<void> {
  output.message("Starting Tollgate with a sandbox GitHub on this machine …");
  const stage = await buildDemoEnvironment(createLog("silent"), { sandboxPort: port, hasPast: !once });
  try {
    const opened: OpenedPull[] = [];
    for (const scene of SCENES) opened.push(await playScene(stage, scene));
    const printResults = async () => {
      for (const pull of opened) {
        const played = await waitForResult(stage, pull);
        output.result(once ? formatResult(played) : formatAddress(played));
      }
    };
    // The past is recorded while Tollgate waits between two evaluations of a pull request.
    await Promise.all([printResults(), stage.recordPast()]);
    if (once) return;
    output.message(
      `Tollgate's pages: ${stage.bot.url}/ — sign in as ${PEOPLE.reader}, as ${PEOPLE.admin} (admin), or as ${PEOPLE.stranger}, who may read nothing.`,
    );
    output.message(`What Tollgate sent to Slack: ${stage.chat.url}`);
    output.message(`All pull requests: ${stage.sandbox.url}/ — press Ctrl+C to end the demo.`);
    await waitForSignal();
  } finally {
    await stage.close();
  }
}

const formatAddress = ({ url, title, checkName, conclusion }: DemoResult): string =>
  `${url}  ${title}  (${checkName}  ${conclusion})`;

const formatResult = ({ number, title, checkName, conclusion, comment }: DemoResult): string =>
  [`# ${title} (#${number})`, "", `${checkName}  ${conclusion}`, "", comment.trimEnd(), ""].join("\n");
