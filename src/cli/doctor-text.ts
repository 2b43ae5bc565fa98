import type { Examination, ExaminedProbe } from "../wiring/doctor/examine.ts";

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
