import { parseLinkTarget } from "../../../render/escape.ts";
import { formatCount, formatDuration, shortenId } from "../../../render/format.ts";
import type { ContextName } from "../../../report/model/context.ts";
import type { Fact, UnknownReason } from "../../../report/model/facts.ts";
import type { StageReport } from "../../../report/model/report.ts";
import { createStageLabels } from "../../../report/model/stage-label.ts";
import { buildFileColumn, buildTextColumn } from "../../page/columns.ts";
import { html, icon, plural, renderBox } from "../../page/html.ts";
import { renderMarkdown } from "../../page/markdown.ts";
import { type Column, createTable, type TableCell } from "../../page/table.ts";
import { type PullSubject, type PullView, renderProvenance } from "./pull-subject.ts";

interface FactLine {
  readonly fact: string;
  /** The stage that it is about; null: the whole pull request. */
  readonly stage: string | null;
  readonly state: "known" | "none" | "stale" | "partial" | "inconsistent" | "unknown" | "not_read";
  readonly because: readonly UnknownReason[];
  /** Age when it was read; null: current. */
  readonly ageMs: number | null;
  readonly source: string;
  /** The page of what states it; null: it has none. */
  readonly page: string | null;
}

/** Every fact that the evaluation rests on. */
export async function renderFacts(subject: PullSubject): Promise<PullView> {
  const { evaluation, texts, links, address } = subject;
  const { report } = evaluation;
  const label = createStageLabels(report.stages);
  const rows = [
    ...report.stages.flatMap((stage) =>
      listStageFacts(stage, label(stage), texts.describeSource(stage.source)),
    ),
    ...CONTEXT.map(([name, source]) => toContextLine(report.context[name], texts.describeFact(name), source)),
  ];
  const columns = listColumns(subject);
  const empty = "No fact was read.";
  const table = createTable({ name: "", caption: "Facts", columns, rows, empty });
  const context = texts.renderSection(evaluation, "context", links);
  const refused = report.refused.length;
  const body = html`${renderBox("info", "Facts", [
    await table.render(address),
    refused > 0 &&
      html`<p class="below">${icon("lock")}${formatCount(refused)} ${plural(refused, "execution was", "executions were")} named that this repository may not see.</p>`,
  ])}
${context !== "" && html`<section class="box"><div class="box-body markdown">${renderMarkdown(context)}</div></section>`}
${renderProvenance(subject)}`;
  return { body, tables: [table] };
}

/** The facts about the context of a pull request, and the platform's area that states them. */
const CONTEXT: readonly (readonly [ContextName, string])[] = [
  ["savings", "recommendations"],
  ["anomalies", "anomaly detection"],
  ["governance", "governance"],
  ["prompts", "governance"],
  ["unitCosts", "unit metrics"],
  ["schedules", "provisioning settings"],
];

function toContextLine(stated: Fact<unknown>, fact: string, source: string): FactLine {
  const common = { fact, stage: null, source, page: null };
  // No rule and no section of the comment needs it.
  if (stated.state === "unknown" && stated.reason === "not_read")
    return { ...common, state: "not_read", because: [], ageMs: null };
  return {
    ...common,
    state: stated.state === "absent" ? "none" : stated.state,
    because: stated.state === "unknown" ? [stated.reason] : [],
    ageMs: stated.state === "stale" ? stated.ageMs : null,
  };
}

function listStageFacts(stage: StageReport, label: string, source: string): readonly FactLine[] {
  const of = `execution ${shortenId(stage.executionId)}, ${source}`;
  const common = { stage: label, ageMs: null, source: of, page: parseLinkTarget(stage.executionPage ?? "") };
  const line = (fact: string, reason: UnknownReason | null, isKnown: boolean): FactLine => ({
    ...{ ...common, fact },
    state: reason === null && isKnown ? "known" : "unknown",
    because: reason === null ? [] : [reason],
  });
  return [
    { ...common, fact: "cost", state: stage.state, because: stage.because },
    line("cost per module", stage.modulesBecause, stage.modules !== null),
    line("numbers of changes", stage.countsBecause, stage.counts !== null),
    line("changed resources", stage.rowsBecause, true),
  ];
}

const READ: ReadonlySet<FactLine["state"]> = new Set(["known", "none", "partial", "inconsistent"]);

const STATES = {
  known: { text: "Known", icon: "check-circle", tone: "success" },
  none: { text: "None", icon: "check-circle", tone: "success" },
  stale: { text: "Old", icon: "clock", tone: "attention" },
  partial: { text: "Partly known", icon: "alert", tone: "attention" },
  inconsistent: { text: "Contradictory", icon: "alert", tone: "attention" },
  unknown: { text: "Unknown", icon: "question", tone: "attention" },
  not_read: { text: "Not needed", icon: "skip", tone: "muted" },
} as const satisfies Readonly<Record<FactLine["state"], TableCell>>;

function listColumns({ texts }: PullSubject): readonly Column<FactLine>[] {
  const describe = ({ because }: FactLine): string =>
    because.map((reason) => texts.describeReason(reason)).join("; ");
  return [
    {
      ...{ key: "state", label: "State", sortable: true },
      cell: (line) => ({ ...STATES[line.state], ...(line.because.length > 0 && { note: describe(line) }) }),
      value: ({ state }) => state,
    },
    buildTextColumn({ key: "fact", label: "Fact", sortable: true }, ({ fact }) => fact),
    {
      ...{ key: "stage", label: "Stage", sortable: true },
      cell: ({ stage }) => (stage === null ? { text: "all", tone: "muted" } : { text: stage }),
      value: ({ stage }) => stage,
    },
    {
      ...{ key: "age", label: "Age" },
      cell: ({ ageMs, state }) =>
        ageMs === null
          ? { text: READ.has(state) ? "current" : "–", tone: "muted" }
          : { text: formatDuration(ageMs), tone: "attention" },
      value: ({ ageMs }) => (ageMs === null ? null : Math.round(ageMs / 1_000)),
    },
    {
      ...{ key: "source", label: "Source" },
      cell: ({ source, page }) => ({ text: source, ...(page !== null && { href: page }) }),
      value: ({ source }) => source,
    },
    buildFileColumn("because", describe),
  ];
}
