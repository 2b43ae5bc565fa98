import { TollgateError } from "../../kernel/errors.ts";
import { processEnvironment, readSettings } from "../../settings/read.ts";
import { exportAudit } from "../../wiring/audit.ts";
import type { Command } from "../command.ts";

/** `tollgate audit export`: every verdict and signature that was ever decided, as a chain that anybody can check. */
export const auditExportCommand: Command = {
  options: {
    repository: { value: "OWNER/NAME", about: "only decisions of this repository (or GitHub's numeric id)" },
    from: { value: "DAY", about: "only decisions from this day (UTC) or moment on, e.g. 2027-01-31" },
    json: { about: "print JSON, as without it: an export is JSON always" },
    to: { value: "DAY", about: "only decisions before this day (UTC) or moment" },
  },
  details: [
    "One JSON object per line, oldest first. `record` is the exact text of a decision, `hash` covers it and the line before, and the last line names the head of the chain.",
    "Decisions that were not asked for keep their line, without what they say, so that the chain can still be proven whole with `tollgate audit verify`.",
    "The chain is written out as it stands when the command begins, also while `tollgate start` runs and goes on deciding.",
  ],
  run: async (given, output) => {
    const request = {
      repository: given.value("repository"),
      fromMs: momentOf("from", given.value("from")),
      toMs: momentOf("to", given.value("to")),
    };
    const head = await exportAudit(readSettings(processEnvironment()), request, async (entry) => {
      output.result(JSON.stringify(entry));
      await output.taken?.();
    });
    output.message(`head: ${head.hash} after ${head.seq} decisions`);
    return 0;
  },
};

const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/;

function momentOf(option: string, text: string | null): number | null {
  if (text === null) return null;
  const ms = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text.slice(0, 10)))
    throw new TollgateError(
      "usage",
      `--${option} takes a day or a moment in UTC, found ${JSON.stringify(text)}`,
      {
        hint: "Write it like 2027-01-31 or 2027-01-31T09:00:00Z.",
      },
    );
  return ms;
}
