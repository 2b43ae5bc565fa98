import { oneLine } from "../../kernel/terminal-text.ts";
import { proveAudit } from "../../wiring/audit.ts";
import type { Command, ExitCode } from "../command.ts";
import { linesOf } from "../lines.ts";

type AuditProof = Awaited<ReturnType<typeof proveAudit>>;

/** `tollgate audit verify`: proves an export, without any store, network or settings. */
export const auditVerifyCommand: Command = {
  operand: {
    value: "FILE",
    about: "what `tollgate audit export` wrote; - for the standard input",
    required: true,
  },
  options: {
    head: { value: "HASH", about: "the head that the chain must have, as it was told when it was exported" },
    json: { about: "print the result as JSON" },
  },
  details: [
    "Checks every hash, every link between two lines and every place, and names the first line that is wrong. Exit code 0: whole; 1: broken, cut or of another head.",
    "Lines that were taken from the end, together with a new last line, leave a chain that is whole in itself: only a head that was kept elsewhere tells. Give it with --head.",
  ],
  run: async (given, output) => {
    const proven = await proveAudit(linesOf(given.operand() ?? "-"));
    const expected = given.value("head")?.toLowerCase() ?? null;
    const other = proven.state === "whole" && expected !== null && proven.head.hash !== expected;
    if (given.has("json"))
      output.result(JSON.stringify({ ...proven, ...(other ? { state: "other_head" } : {}) }));
    else
      output.result(oneLine(other ? `another head: ${headOf(proven)}, expected ${expected}` : said(proven)));
    return codeOf(proven.state === "whole" && !other);
  },
};

const codeOf = (isWhole: boolean): ExitCode => (isWhole ? 0 : 1);
const headOf = (proven: AuditProof): string =>
  "head" in proven ? `${proven.head.hash} after ${proven.head.seq} decisions` : "";

function said(proven: AuditProof): string {
  switch (proven.state) {
    case "whole":
      return `whole: ${proven.decisions} decisions, ${proven.told} of them told; head ${headOf(proven)}`;
    case "cut":
      return `cut: the line that ends an export is missing; the chain holds up to ${headOf(proven)}`;
    case "broken":
      return `broken: line ${proven.line} ${WORDS[proven.problem]}`;
  }
}

const WORDS: Readonly<Record<Extract<AuditProof, { state: "broken" }>["problem"], string>> = {
  not_a_line: "is no line of an export",
  gap: "is not the next decision: lines are missing or out of order",
  not_linked: "does not follow from the line before",
  changed: "says something else than was decided",
  misplaced: "holds a decision from another place of the chain",
  other_head: "names another end than the chain has: lines before it are missing",
  after_end: "stands after the end",
};
