import type { Decimal } from "../../../kernel/money.ts";
import { parseLinkTarget } from "../../../render/escape.ts";
import { formatCount, formatDuration } from "../../../render/format.ts";
import { listMissedSavings } from "../../../report/model/context.ts";
import { createStageLabels } from "../../../report/model/stage-label.ts";
import { getFactValue } from "../../../report/stages.ts";
import {
  buildAmountCell,
  buildCurrencyColumn,
  buildFigureColumn,
  buildFileColumn,
  NO_VALUE,
} from "../../page/columns.ts";
import { type Html, html, plural, renderBox } from "../../page/html.ts";
import { createTable, type Table } from "../../page/table.ts";
import type { PullSubject } from "./pull-subject.ts";

/** A recommendation of the platform for a touched resource, or a finding of the estimator's own policies. */
interface SavingLine {
  readonly kind: "recommendation" | "finops" | "tagging" | "guardrail" | "budget";
  /** Per month; null: not stated. */
  readonly saves: Decimal | null;
  readonly currency: string | null;
  /** Null: it is about the whole stage. */
  readonly address: string | null;
  readonly stage: string;
  /** What to do, in the comment's words; empty: not stated. */
  readonly advice: string;
  /** Id of the recommendation, or name of the policy. */
  readonly source: string;
  readonly attribute: string | null;
  readonly message: string | null;
  readonly current: string | null;
  readonly recommended: readonly string[];
  readonly file: string | null;
  readonly line: number | null;
  /** Page of the recommendation on the platform; null: none. */
  readonly page: string | null;
}

/** Creates the table of what could be saved and what the estimator's own policies say; without rows where figures are hidden. */
export function createSavingsTable(subject: PullSubject): {
  readonly table: Table;
  readonly box: () => Promise<Html | null>;
} {
  const rows = subject.evaluation.pull.figures
    ? [...listRecommendations(subject), ...listFindings(subject)]
    : [];
  const hasStages = subject.evaluation.report.stages.length > 1;
  const table = createTable<SavingLine>({
    ...{ name: "savings", caption: "Savings", pageSize: 10, rows },
    empty: "Nothing that could be saved is known.",
    order: { key: "saves", direction: "descending" },
    columns: [
      buildFigureColumn(
        { key: "saves", label: "Saves a month" },
        ({ saves }) => saves,
        ({ saves, currency }) => (saves === null ? NO_VALUE : buildAmountCell(saves, currency ?? "")),
      ),
      {
        ...{ key: "address", label: "Resource", sortable: true },
        cell: ({ address, stage }) => ({
          ...(address === null ? { text: stage } : { text: address, code: true }),
          ...(hasStages && address !== null && { note: stage }),
        }),
        value: ({ address }) => address,
      },
      {
        ...{ key: "advice", label: "What to do" },
        cell: ({ advice, attribute, file, line, page }) => {
          const place = file === null ? null : line === null ? file : `${file}:${line}`;
          const note = [attribute, place].filter((part) => part !== null).join(" · ");
          const text = advice === "" ? (page === null ? NO_VALUE.text : "recommendation") : advice;
          return { text, ...(page !== null && { href: page }), ...(note !== "" && { note }) };
        },
        value: ({ advice }) => advice || null,
      },
      buildFileColumn("stage", ({ stage }) => stage),
      buildCurrencyColumn(),
      buildFileColumn("kind", ({ kind }) => kind),
      buildFileColumn("source", ({ source }) => source),
      buildFileColumn("current", ({ current }) => current),
      buildFileColumn("recommended", ({ recommended }) => recommended.join(", ") || null),
      buildFileColumn("attribute", ({ attribute }) => attribute),
      buildFileColumn("message", ({ message }) => message),
      buildFileColumn("file", ({ file }) => file),
      buildFileColumn("line", ({ line }) => line),
      buildFileColumn("page", ({ page }) => page),
    ],
    currencyOf: ({ currency }) => currency,
  });
  const box = async () =>
    rows.length === 0
      ? null
      : renderBox(
          "arrow-down-right",
          "Savings and what the estimator says",
          [await table.render(subject.address), renderMissing(subject)],
          { id: "savings", count: formatCount(rows.length) },
        );
  return { table, box };
}

const NOT_STATED = {
  ...{ attribute: null, message: null, current: null, recommended: [], file: null, line: null, page: null },
} as const;

function listRecommendations({ evaluation: { report }, texts }: PullSubject): readonly SavingLine[] {
  const savings = getFactValue(report.context.savings);
  return listMissedSavings(savings ?? { items: [] }).map(
    ({ recommendationId: source, monthly, address, workspace: stage, advice, page }) => ({
      ...{ ...NOT_STATED, kind: "recommendation", source, address, stage },
      ...{ saves: monthly.amount, currency: monthly.currency },
      ...{ current: advice?.current ?? null, recommended: advice?.recommended ?? [] },
      advice: advice === undefined ? "" : texts.describeAdvice(advice),
      page: page === undefined ? null : parseLinkTarget(page),
    }),
  );
}

function listFindings({ evaluation: { report }, texts }: PullSubject): readonly SavingLine[] {
  const label = createStageLabels(report.stages);
  return report.stages.flatMap((stage) =>
    (stage.estimatorFindings?.listed ?? []).map((finding) => {
      const { kind, policy: source, saving: saves, address, attribute, message, file, line } = finding;
      return {
        ...{ ...NOT_STATED, kind, source, saves, address, attribute, file, line },
        ...{ currency: stage.currency, stage: label(stage), message: message || null },
        advice: texts.describeEstimatorFinding(finding),
      };
    }),
  );
}

/** What the table lacks; null: nothing. */
function renderMissing({ evaluation: { report } }: PullSubject): Html | null {
  const { savings } = report.context;
  const unmatched = getFactValue(savings)?.unmatched ?? 0;
  const more = report.stages.reduce((sum, { estimatorFindings }) => sum + (estimatorFindings?.more ?? 0), 0);
  const words = [
    ...(savings.state === "stale"
      ? [`The platform's savings are as of ${formatDuration(savings.ageMs)} ago.`]
      : []),
    ...(unmatched > 0
      ? [
          `Of ${formatCount(unmatched)} more ${plural(unmatched, "resource that changes", "resources that change")} it is not known whether anything could be saved.`,
        ]
      : []),
    ...(more > 0
      ? [`The estimator has ${formatCount(more)} more ${plural(more, "finding", "findings")}.`]
      : []),
  ];
  return words.length === 0 ? null : html`<p class="below">${words.join(" ")}</p>`;
}
