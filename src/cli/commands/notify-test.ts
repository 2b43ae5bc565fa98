import { randomUUID } from "node:crypto";
import { Command } from "@commander-js/extra-typings";
import { systemClock } from "../../kernel/clock.ts";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import { type TestedTarget, testTargets } from "../../wiring/notifications/delivery-targets.ts";
import type { MakeCommand } from "../command.ts";
import { paragraphs } from "../help-text.ts";

/** `tollgate notify test`: a test message to each target of notifications. */
export const notifyTestCommand: MakeCommand = (output) =>
  new Command()
    .option("--target <NAME>", "only this target")
    .option("--json", "print the results as JSON")
    .addHelpText(
      "after",
      paragraphs(
        "Sends a real message to each target that the operator's file names, and prints the outcome. Exits with 1 if one was not sent.",
      ),
    )
    .action(async ({ target = null, json }) => {
      const message = { id: `test_${randomUUID()}`, nowMs: systemClock.now() };
      const tested = await testTargets(readSettings(readEnvironment()), target, message);
      if (json) output.result(JSON.stringify(tested, null, 2));
      else for (const one of tested) output.result(formatResult(one));
      if (tested.some(({ problem }) => problem !== null)) output.exit(1);
    });

const formatResult = ({ target, kind, problem }: TestedTarget): string =>
  `${problem === null ? "sent  " : "FAILED"}  ${target} (${kind})${problem === null ? "" : `: ${problem}`}`;
