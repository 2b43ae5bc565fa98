import { Command } from "@commander-js/extra-typings";
import { TollgateError } from "../../kernel/errors.ts";
import { instant, parseInstant } from "../../kernel/instant.ts";
import { toOneLine } from "../../kernel/terminal-text.ts";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import { exportAudit, verifyAudit } from "../../wiring/local-store.ts";
import type { MakeCommand } from "../command.ts";
import { paragraphs } from "../help-text.ts";
import { inputFile } from "../input-file.ts";

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

type AuditProof = Awaited<ReturnType<typeof verifyAudit>>;

/** `tollgate audit verify`: verifies an export, without any store, network or settings. */
export const auditVerifyCommand: MakeCommand = (output) =>
  new Command()
    .argument("<FILE>", "the output of `tollgate audit export`; - for the standard input")
    .option("--head <HASH>", "the head that the chain must have, as `tollgate audit export` printed it")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      paragraphs(
        "Checks every hash, every link between two lines and every position, and names the first wrong line. Exit code 0: whole; 1: broken, cut or of another head.",
        "When lines are removed from the end and a new last line is added, the rest is still a whole chain: only a head that was stored elsewhere shows it. Give it with --head.",
      ),
    )
    .action(async (file, { head, json }) => {
      const proven = await verifyAudit(linesOf(file));
      const expected = head?.toLowerCase() ?? null;
      const other = proven.state === "whole" && expected !== null && proven.head.hash !== expected;
      const line = other ? `another head: ${formatHead(proven)}, expected ${expected}` : resultLine(proven);
      const state = other ? "other_head" : proven.state;
      output.result(json ? JSON.stringify({ ...proven, state }) : toOneLine(line));
      output.exit(state === "whole" ? 0 : 1);
    });

/** The lines of a file in UTF-8, without their ends; a file that ends in a line break has no empty line after it. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8");
  let rest = "";
  for await (const chunk of inputFile(path).bytes) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}

const formatHead = (proven: AuditProof): string =>
  "head" in proven ? `${proven.head.hash} after ${proven.head.seq} decisions` : "";

function resultLine(proven: AuditProof): string {
  switch (proven.state) {
    case "whole":
      return `whole: ${proven.decisions} decisions, ${proven.included} of them with their content; head ${formatHead(proven)}`;
    case "cut":
      return `cut: the line that ends an export is missing; the chain holds up to ${formatHead(proven)}`;
    case "broken":
      return `broken: line ${proven.line} ${WORDS[proven.problem]}`;
  }
}

const WORDS: Readonly<Record<Extract<AuditProof, { state: "broken" }>["problem"], string>> = {
  not_a_line: "is no line of an export",
  gap: "is not the next decision: lines are missing or out of order",
  not_linked: "does not follow from the line before",
  changed: "differs from what was decided",
  misplaced: "contains a decision from another position of the chain",
  other_head: "names another end than that of the chain: lines before it are missing",
  after_end: "follows the end",
};
