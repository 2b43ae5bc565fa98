import { LRUCache } from "lru-cache";
import type { Decimal } from "../../../kernel/money.ts";
import type { Evaluation } from "../../../policy/model/evaluation.ts";
import type { Verdict } from "../../../policy/model/finding.ts";
import { formatCount } from "../../../render/format.ts";
import type { PageTextLinks } from "../../../render/page-sections.ts";
import type { ChangeKind } from "../../../report/model/facts.ts";
import type { ReportedRow, ResourceReport, TagLabel } from "../../../report/model/report.ts";
import { buildStageKey, createStageLabels } from "../../../report/model/stage-label.ts";
import { listTagLabels } from "../../../report/tags.ts";
import { formatDecision } from "../../../store/evaluations.ts";
import type { InstalledRepository } from "../../../store/installations.ts";
import { formatAddress, type PageAddress } from "../../page/address.ts";
import { type Html, html, type Label } from "../../page/html.ts";
import { renderMarkdown } from "../../page/markdown.ts";
import type { PageDeps } from "../../page/page.ts";
import type { Table } from "../../page/table.ts";
import { formatTagChoice } from "../tag-choice.ts";

/** The views of an evaluation, each with an address of its own. */
export const PULL_VIEWS = ["overview", "resources", "modules", "rules", "facts", "history"] as const;
export type PullViewName = (typeof PULL_VIEWS)[number];

/** What the views of a report show, of a pull request or of one execution. */
export interface ReportSubject extends Pick<PageDeps, "texts"> {
  readonly address: PageAddress;
  readonly links: PageTextLinks;
  readonly evaluation: Evaluation;
  readonly indexed: IndexedEvaluation;
}

/** What every view of a pull request's page shows something of. */
export interface PullSubject extends ReportSubject, Pick<PageDeps, "db" | "github"> {
  readonly repository: InstalledRepository;
  readonly number: number;
  readonly nowMs: number;
  readonly evaluationId: number;
  /** Whether it is merged or closed: nothing is to be done any more. */
  readonly isEnded: boolean;
}

/** One view, and the tables that can be had as files. */
export interface PullView {
  readonly body: Html;
  readonly tables: readonly Table[];
}

/** Where figures are hidden. */
export const NO_AMOUNTS =
  "Amounts are not shown here, because not everyone who reads this repository may see them.";

/** How many rows of a view a filter leaves. */
export const formatLeft = (count: number, all: number): string =>
  count === all ? formatCount(count) : `${formatCount(count)} of ${formatCount(all)}`;

/** Keeps the order of a view's table when its filter changes. */
export const renderSortField = ({ query: { sort } }: PageAddress): Html | null =>
  sort === undefined ? null : html`<input type="hidden" name="sort" value="${sort}">`;

/** Where the facts of an evaluation are from. */
export function renderProvenance({ texts, evaluation, links }: PullSubject): Html | null {
  const text = texts.renderSection(evaluation, "provenance", links);
  return text === "" ? null : html`<div class="markdown provenance">${renderMarkdown(text)}</div>`;
}

/** Returns a link to a view of the same evaluation, with these members in its query only. */
export const linkToView = (
  { path }: PageAddress,
  view: PullViewName | "resource",
  query: Readonly<Record<string, string>> = {},
): string => formatAddress({ path, query: {} }, { ...(view !== "overview" && { view }), ...query });

const LABELS: Readonly<Record<string, Label>> = {
  success: { text: "Passed", icon: "check-circle-fill", tone: "success" },
  neutral: { text: "Passed with warnings", icon: "alert-fill", tone: "attention" },
  failure: { text: "Blocked", icon: "x-circle-fill", tone: "danger" },
  action_required: { text: "Needs approval", icon: "alert-fill", tone: "attention" },
  in_progress: { text: "In progress", icon: "hourglass", tone: "accent" },
  none: { text: "No check", icon: "info", tone: "muted" },
};

const UNDECIDED: Label = { text: "Undecided", icon: "question", tone: "attention" };

export const getDecisionLabel = ({ check, situation }: Evaluation): Label =>
  labelDecision(formatDecision(check), "verdict" in situation ? (situation.verdict?.kind ?? null) : null);

/**
 * Returns the label of a decision as `formatDecision` writes it. A check that failed without a verdict that blocks is undecided, as on
 * the overviews.
 */
export function labelDecision(decision: string, verdict: Verdict["kind"] | null): Label {
  if (decision === "failure" && verdict !== "block") return UNDECIDED;
  return LABELS[decision] ?? { text: decision, icon: "question", tone: "muted" };
}

/** An evaluation as pages read it, with what several views derive of it. */
export interface IndexedEvaluation {
  readonly evaluation: Evaluation;
  /** Its resources, and the values by which they can be filtered. */
  readonly resources: readonly ResourceLine[];
  readonly choices: ResourceChoices;
}

/** Lines of all cached evaluations together: about 100 MB. */
const MAX_LINES = 60_000;
/** Weight of an evaluation beside its lines. */
const BASE_WEIGHT = 100;

/** By a key that changes with the stored evaluation. */
export type EvaluationCache = LRUCache<string, IndexedEvaluation>;

/** The evaluations that readers looked at last, so that sorting and paging a large one does not read it again. */
export const createEvaluationCache = (): EvaluationCache =>
  new LRUCache({ maxSize: MAX_LINES, sizeCalculation: ({ evaluation }) => weigh(evaluation) });

/** Derives what several views need. */
export function indexEvaluation(evaluation: Evaluation): IndexedEvaluation {
  const resources = listResourceLines(evaluation);
  return { evaluation, resources, choices: listChoices(resources) };
}

/** Approximate number of lines, which is what takes memory. */
const weigh = ({ report }: Evaluation): number =>
  BASE_WEIGHT +
  report.resources.length +
  report.rows.length +
  report.modules.length +
  report.stages.reduce((sum, { modules }) => sum + (modules?.length ?? 0), 0);

/** A resource that the pull request changes, or whose cost it changes. */
export interface ResourceLine {
  readonly address: string;
  readonly previousAddress: string | null;
  readonly type: string;
  /** Module path without indexes; `root` for none. */
  readonly module: string;
  /** See `stageKey`. */
  readonly stage: string;
  /** Label of the stage among those of the evaluation. */
  readonly stageLabel: string;
  /** Its values of the tag by which the report divides the cost, see `listTagLabels`; empty: there is none, or readers may not see figures. */
  readonly tags: readonly TagLabel[];
  /** Null: no plan says so. */
  readonly action: ChangeKind | null;
  /** Null: no source states that its cost changes, or readers may not see figures. */
  readonly cost: ResourceReport | null;
  /** What it costs per month where its cost stays, `amount` null: unknown. Null: no source states it, or readers may not see figures. */
  readonly stays: { readonly amount: Decimal | null; readonly currency: string } | null;
  /** Its planned change; null: it is not listed. */
  readonly row: ReportedRow | null;
}

/** The key of the tag by which the report divides the cost; undefined: there is none, or readers may not see figures. */
export const findTagKey = ({ pull, report }: Pick<Evaluation, "pull" | "report">): string | undefined =>
  pull.figures ? report.byTag?.key : undefined;

/**
 * Lists the resources with a cost, largest change first, then the planned changes without one. Where readers may not see figures,
 * only the planned changes: even an order by cost would say something about it.
 */
function listResourceLines({ pull, report }: Evaluation): readonly ResourceLine[] {
  const label = createStageLabels(report.stages);
  const key = findTagKey({ pull, report });
  const labels = new Map(report.stages.map((stage) => [buildStageKey(stage), label(stage)]));
  const toLine = (
    shown: ResourceReport | ReportedRow,
    line: Pick<ResourceLine, "action" | "cost" | "row" | "stays">,
  ): ResourceLine => ({
    address: shown.address,
    previousAddress: line.row?.previousAddress ?? null,
    ...{ type: shown.type, module: shown.module, stage: shown.stage },
    stageLabel: labels.get(shown.stage) ?? shown.workspace,
    tags: key === undefined ? [] : listTagLabels(shown, key),
    ...line,
  });
  const currencies = new Map(report.stages.map((stage) => [buildStageKey(stage), stage.currency]));
  const toRowLine = (row: ReportedRow) => {
    const currency = pull.figures ? (currencies.get(row.stage) ?? null) : null;
    const stays = row.cost === undefined || currency === null ? null : { amount: row.cost, currency };
    return toLine(row, { action: row.change, cost: null, stays, row });
  };
  if (!pull.figures) return report.rows.map(toRowLine);
  const rows = Map.groupBy(report.rows, getPlace);
  const used = new Set<ReportedRow>();
  const priced = report.resources.map((cost) => {
    const row = rows.get(getPlace(cost))?.find(({ change }) => change === cost.action) ?? null;
    if (row !== null) used.add(row);
    return toLine(cost, { action: cost.action, cost, stays: null, row });
  });
  return [...priced, ...report.rows.filter((row) => !used.has(row)).map(toRowLine)];
}

/** What a resource is in one stage: the same address may be in several. */
const getPlace = ({ stage, address }: { readonly stage: string; readonly address: string }): string =>
  `${stage}\n${address}`;

/** What a reader asks for; null: anything. */
export interface ResourceFilter {
  readonly stage: string | null;
  /** A module with the modules in it. */
  readonly module: string | null;
  readonly type: string | null;
  readonly action: string | null;
  /** See `formatTagChoice`. */
  readonly tag: string | null;
  /** A part of the address, in any case. */
  readonly text: string | null;
}

export function filterResources(
  lines: readonly ResourceLine[],
  { stage, module, type, action, tag, text }: ResourceFilter,
): readonly ResourceLine[] {
  const wanted = text?.toLowerCase();
  return lines.filter(
    (line) =>
      (stage === null || line.stageLabel === stage) &&
      (type === null || line.type === type) &&
      (tag === null || line.tags.some((own) => formatTagChoice(own) === tag)) &&
      (action === null || (line.action ?? NO_ACTION) === action) &&
      (module === null || line.module === module || line.module.startsWith(`${module}.`)) &&
      (wanted === undefined || line.address.toLowerCase().includes(wanted)),
  );
}

/** How often each value of a filter occurs, the most frequent first. */
type ValueCounts = readonly (readonly [value: string, count: number])[];

export type ResourceChoices = Readonly<Record<"stage" | "module" | "type" | "action" | "tag", ValueCounts>>;

const listChoices = (lines: readonly ResourceLine[]): ResourceChoices => ({
  stage: countValues(lines.map(({ stageLabel }) => stageLabel)),
  module: countValues(lines.map(({ module }) => module)),
  type: countValues(lines.map(({ type }) => type)),
  action: countValues(lines.map(({ action }) => action ?? NO_ACTION)),
  tag: countValues(lines.flatMap(({ tags }) => tags.map(formatTagChoice))),
});

function countValues(values: readonly string[]): ValueCounts {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** The value of `action` for resources of which only the cost changes. */
export const NO_ACTION = "none";
