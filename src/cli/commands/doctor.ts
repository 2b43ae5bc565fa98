import { Command } from "@commander-js/extra-typings";
import { readEnvironment } from "../../settings/read.ts";
import { type Examination, type ExaminedProbe, examineInstallation } from "../../wiring/doctor/examine.ts";
import { fixIds } from "../../wiring/doctor/fix-ids.ts";
import { type MakeCommand, usageError } from "../command.ts";
import { paragraphs } from "../help-text.ts";

const REPOSITORY = /^[\w.-]+\/[\w.-]+$/;

/** `tollgate doctor`: what is wrong with this installation, and the way out. */
export const doctorCommand: MakeCommand = (output) =>
  new Command()
    .option("--repository <OWNER/NAME>", "also examine whether this repository requires Tollgate's check")
    .option(
      "--fix-ids",
      "write GitHub's ids in the place of names in the operator's file, and do nothing else",
    )
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      paragraphs(
        "Examines settings, database, the App at GitHub with its webhook and its last deliveries, the platform, grants and policy files. It " +
          "writes nothing without --fix-ids, and may run beside `tollgate start` with the same settings.",
        "Exits 0 without failures, also with warnings, and 1 with failures; each has its way out.",
      ),
    )
    .action(async ({ repository = null, fixIds: isFixing, json }) => {
      if (isFixing) {
        const { file, names } = await fixIds(readEnvironment());
        const lines = names.map(
          ({ kind, name, id, problem }) =>
            `${kind} ${name}: ${[id, problem].filter((part) => part !== null).join("; ")}`,
        );
        output.result(json ? JSON.stringify({ file, names }, null, 2) : [`${file}:`, ...lines].join("\n"));
        return output.exit(names.every(({ id }) => id !== null) ? 0 : 1);
      }
      if (repository !== null && !REPOSITORY.test(repository))
        throw usageError(`--repository takes OWNER/NAME, found ${JSON.stringify(repository)}.`);
      const examination = await examineInstallation(readEnvironment(), { repository });
      output.result(
        json ? JSON.stringify(toExaminationJson(examination), null, 2) : formatExamination(examination),
      );
      output.exit(examination.state === "failed" ? 1 : 0);
    });

const MARKS = { ok: "ok", warning: "warning", failed: "FAILED" } as const;

/** What a person reads: a line per probe under its area, then how many need attention. */
export function formatExamination({ probes }: Examination): string {
  const width = Math.max(...probes.map(({ title }) => title.length));
  const areas = Map.groupBy(probes, ({ area }) => area);
  const blocks = [...areas].map(([area, own]) =>
    [area, ...own.flatMap((probe) => formatProbe(probe, width)), ...formatSkipped(own)].join("\n"),
  );
  return [...blocks, summarize(probes)].join("\n\n");
}

function formatProbe({ title, result }: ExaminedProbe, width: number): readonly string[] {
  if (result.state === "skipped") return [];
  const start = `  ${MARKS[result.state].padEnd(8)} ${title.padEnd(width)}  `;
  if (result.state === "ok") return [`${start}${result.found}`];
  const indent = " ".repeat(start.length);
  return result.problems.flatMap(({ found, fix }, at) => [
    `${at === 0 ? start : indent}${found}`,
    `${indent}-> ${fix}`,
  ]);
}

/** Lines without a result are joined by their reason. */
function formatSkipped(probes: readonly ExaminedProbe[]): readonly string[] {
  const skipped = probes.flatMap(({ title, result }) =>
    result.state === "skipped" ? [{ title, reason: result.reason }] : [],
  );
  return [...Map.groupBy(skipped, ({ reason }) => reason)].map(
    ([reason, own]) => `  skipped  ${own.map(({ title }) => title).join(", ")}: ${reason}`,
  );
}

function summarize(probes: readonly ExaminedProbe[]): string {
  const total = (state: "failed" | "warning") => probes.filter(({ result }) => result.state === state).length;
  const [failed, warnings] = [total("failed"), total("warning")];
  if (failed + warnings === 0) return "Everything is in order.";
  const parts = [
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(warnings === 0 ? [] : [`${warnings} ${warnings === 1 ? "warning" : "warnings"}`]),
  ];
  return `${parts.join(", ")}.`;
}

/** The stable form for programs: `{state, checks: [{id, area, title, state, found, problems: [{found, fix}]}]}`. */
export function toExaminationJson({ state, probes }: Examination): object {
  const checks = probes.map(({ id, area, title, result }) => ({
    ...{ id, area, title, state: result.state },
    found: result.state === "ok" ? result.found : result.state === "skipped" ? result.reason : null,
    problems: "problems" in result ? result.problems : [],
  }));
  return { state, checks };
}
