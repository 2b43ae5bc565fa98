import { Command } from "@commander-js/extra-typings";
import { TollgateError } from "../../kernel/errors.ts";
import { instant, parseInstant } from "../../kernel/instant.ts";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import { exportAudit } from "../../wiring/local-store.ts";
import type { MakeCommand } from "../command.ts";
import { paragraphs } from "../help-text.ts";

/** `tollgate audit export`: every verdict and approval as a chain of hashes that anybody can verify. */
export const auditExportCommand: MakeCommand = (output) =>
  new Command()
    .option("--repository <OWNER/NAME>", "only decisions of this repository (or GitHub's numeric id)")
    .option(
      "--from <DAY>",
      "only decisions from this day or moment (UTC without an offset) on, e.g. 2027-01-31",
    )
    .option("--to <DAY>", "only decisions before this day or moment (UTC without an offset)")
    .option("--json", "print JSON; an export is JSON without it, too")
    .addHelpText(
      "after",
      paragraphs(
        "One JSON object per line, oldest first. `record` is the exact text of a decision, `hash` covers it and the line before, and the last line names the head of the chain.",
        "Decisions that were not asked for keep their line without their content, so that `tollgate audit verify` can still verify the whole chain.",
        "The export is the chain as it is when the command begins, also while `tollgate start` runs.",
      ),
    )
    .action(async ({ repository = null, from, to }) => {
      const request = { repository, fromMs: parseMoment("from", from), toMs: parseMoment("to", to) };
      const head = await exportAudit(readSettings(readEnvironment()), request, async (entry) => {
        output.result(JSON.stringify(entry));
        await output.drained?.();
      });
      output.message(`head: ${head.hash} after ${head.seq} decisions`);
    });

function parseMoment(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!instant.safeParse(text).success)
    throw new TollgateError("usage", `--${option} takes a day or a moment, found ${JSON.stringify(text)}`, {
      hint: "Write it like 2027-01-31 or 2027-01-31T09:00:00Z.",
    });
  return parseInstant(text);
}
