import { DAY_MS } from "../../../kernel/clock.ts";
import { startOfWeek } from "../../../kernel/instant.ts";
import { absolute, compare, sum } from "../../../kernel/money.ts";
import { createMoneyStyle, formatUtcDay } from "../../../render/format.ts";
import type { Comparison, TimeSpan } from "../../../store/history/merged-changes.ts";
import type { MergedSum } from "../../../store/history/merged-pulls.ts";
import { renderFigure } from "../../page/chart.ts";
import {
  buildChangeColumn,
  buildCountColumn,
  buildCurrencyColumn,
  buildNameColumn,
} from "../../page/columns.ts";
import type { Html } from "../../page/html.ts";
import { createTable, type Table } from "../../page/table.ts";

const WEEK_MS = 7 * DAY_MS;
/** Stages with a series of their own; the others are one series. */
const MAX_SERIES = 6;
const OTHER_STAGES = "other stages";

/** What was merged in one week into one stage, as far as its amount is known. */
export interface MergedChange extends MergedSum {
  readonly week: Date;
  /** Of the stage. */
  readonly name: string;
  readonly currency: string;
}

/** Changes of stages of a known amount, and the number of those of which nothing is known. */
export function splitMerged(sums: readonly MergedSum[]) {
  const stages = sums.filter(({ part }) => part === "stage");
  return {
    known: stages.filter(
      (one): one is MergedChange => one.name !== null && one.week !== null && one.currency !== null,
    ),
    unknown: stages.reduce((total, { unknown }) => total + unknown, 0),
  };
}

/** Most weeks of a chart: three years. */
const MAX_WEEKS = 160;

/** One chart per currency: the change that was merged per week, stacked by stage. Of a longer time it shows the last three years. */
export function renderMergedCharts(
  changes: readonly MergedChange[],
  { from, to }: TimeSpan,
): Promise<readonly Html[]> {
  const earliest = new Date(to.getTime() - (MAX_WEEKS - 1) * WEEK_MS);
  const weeks = listWeeks({ from: from < earliest ? earliest : from, to });
  const charts = [...Map.groupBy(changes, ({ currency }) => currency)].map(async ([currency, own]) => {
    const ranked = [...Map.groupBy(own, ({ name }) => name)]
      .map(([name, of]) => ({ name, size: sum(of.map(({ change }) => absolute(change))) }))
      .sort((a, b) => compare(b.size, a.size));
    const stages = ranked.map(({ name }) => name);
    const names = stages.length > MAX_SERIES ? [...stages.slice(0, MAX_SERIES - 1), OTHER_STAGES] : stages;
    const total = sum(own.map(({ change }) => change));
    const title = `Merged monthly change per week in ${currency}`;
    const description = `${title}, by stage: ${createMoneyStyle(currency).change(total)} in all.`;
    const series = names.map((name, index) => {
      const isOther = name === OTHER_STAGES && index === MAX_SERIES - 1;
      const part = own.filter((one) => (isOther ? !names.includes(one.name) : one.name === name));
      return { name, kind: "stack" as const, values: weeks.map((week) => sumWeek(part, week)) };
    });
    const labels = weeks.map((week) => formatUtcDay(week).replace(/ \d{4}$/, ""));
    const format = (value: number) => formatAxis(value, currency);
    return renderFigure(title, { labels, series, description, formatAxis: format });
  });
  return Promise.all(charts);
}

/** One chart per currency: the estimated and the actual change of each merge, which are given the newest first. */
export const renderEstimateCharts = (newest: readonly Comparison[]): Promise<readonly Html[]> =>
  Promise.all(
    [...Map.groupBy(newest.toReversed(), ({ currency }) => currency)].map(async ([currency, own]) => {
      const title = `Estimated and actual monthly change of the newest compared merges in ${currency}`;
      const series = (["estimated", "actual"] as const).map((name) => ({
        ...{ name, kind: "bars" as const },
        values: own.map((row) => Number(row[`${name}Change`])),
      }));
      const labels = own.map(({ number }) => `#${number}`);
      const format = (value: number) => formatAxis(value, currency);
      return renderFigure(title, { labels, series, description: `${title}.`, formatAxis: format });
    }),
  );

/** The Mondays whose weeks a period touches, in ms since 1970 UTC. */
function listWeeks({ from, to }: TimeSpan): readonly number[] {
  const first = startOfWeek(from.getTime());
  const count = Math.floor((startOfWeek(to.getTime()) - first) / WEEK_MS) + 1;
  return Array.from({ length: count }, (_, at) => first + at * WEEK_MS);
}

const sumWeek = (changes: readonly MergedChange[], week: number): number =>
  Number(sum(changes.filter((one) => one.week.getTime() === week).map(({ change }) => change)));

function formatAxis(value: number, currency: string): string {
  const isKnown = /^[A-Z]{3}$/.test(currency);
  const format = new Intl.NumberFormat("en-US", {
    ...{ notation: "compact", maximumFractionDigits: 1, minimumFractionDigits: 0 },
    ...(isKnown && { style: "currency", currency, currencyDisplay: "narrowSymbol" }),
  });
  return format.format(value).replace("-", "−");
}

/** What was merged, per week, stage and currency: the data of the charts. */
export const createWeeksTable = (list: () => Promise<readonly MergedChange[]>): Table =>
  createTable<MergedChange>({
    ...{ name: "weeks", caption: "Merged change per week and stage", pageSize: 25 },
    empty: "Nothing with a cost was merged in this time.",
    columns: [
      {
        ...{ key: "week", label: "Week of", sortable: true },
        cell: ({ week }) => ({ text: formatUtcDay(week.getTime()) }),
        value: ({ week }) => week.toISOString().slice(0, 10),
      },
      buildNameColumn({ key: "stage", label: "Stage" }, ({ name }) => name),
      buildCountColumn({ key: "changes", label: "Changes" }, ({ pulls }) => pulls),
      buildChangeColumn(),
      buildCurrencyColumn(),
    ],
    order: { key: "week", direction: "descending" },
    rows: list,
    currencyOf: ({ currency }) => currency,
  });
