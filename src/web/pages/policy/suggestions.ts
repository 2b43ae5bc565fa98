import { DAY_MS } from "../../../kernel/clock.ts";
import { findPeriod, findPreviousPeriod } from "../../../kernel/fiscal-periods.ts";
import { toIsoDay } from "../../../kernel/instant.ts";
import {
  ENOUGH_PULLS,
  formatLimit,
  type LimitChoice,
  type LimitSuggestions,
} from "../../../policy/suggest.ts";
import { formatCount, formatUtcDay } from "../../../render/format.ts";
import type { TimeSpan } from "../../../store/history/merged-changes.ts";
import { NO_VALUE } from "../../page/columns.ts";
import { type Html, html, icon, plural, renderBox, renderOption } from "../../page/html.ts";
import { renderRows } from "../../page/table.ts";
import { PERIODS, type Period, readPeriod } from "../scope.ts";

/** A span of time that can be chosen on the page. */
export interface HistorySpan extends TimeSpan {
  readonly key: string;
  readonly label: string;
}

export interface SpanChoice {
  readonly spans: readonly HistorySpan[];
  readonly chosen: HistorySpan;
}

/**
 * The spans of time whose pull requests a policy can be tried on, the last days and fiscal quarters, and the one with this key; without
 * one, the last 90 days.
 */
export function chooseSpan(key: string | undefined, nowMs: number, yearStart: string): SpanChoice {
  const today = toIsoDay(nowMs);
  const toSpan = ({ days, label }: Period): HistorySpan => ({
    ...{ key: String(days), label: `the last ${label}` },
    ...{ from: new Date(nowMs - days * DAY_MS), to: new Date(nowMs + 1) },
  });
  const quarters = [
    { key: "quarter", words: "this quarter", own: findPeriod("quarter", today, yearStart) },
    { key: "last-quarter", words: "the last quarter", own: findPreviousPeriod("quarter", today, yearStart) },
  ].map(({ key: name, words, own }) => {
    const [from, to] = [new Date(own.from), new Date(Date.parse(own.to) + DAY_MS)];
    const label = `${words}: ${formatUtcDay(from.getTime())} to ${formatUtcDay(to.getTime() - 1)}`;
    return { key: name, label, from, to };
  });
  const spans = [...PERIODS.map(toSpan), ...quarters];
  const usual = toSpan(readPeriod(undefined));
  return { spans, chosen: spans.find((one) => one.key === (key ?? usual.key)) ?? usual };
}

/** A choice of a span; `name`: of the field. */
export const renderSpanChoice = (
  name: string,
  label: string,
  spans: readonly HistorySpan[],
  chosen: HistorySpan,
): Html =>
  html`<label>${label}<select name="${name}">${spans.map((one) => renderOption(one.key, one.label, one.key === chosen.key))}</select></label>`;

/** Limits that the history suggests, each as a rule to copy. `suggestions` null: the reader has not asked for them. */
export const renderSuggestions = (
  suggestions: LimitSuggestions | null,
  {
    path,
    spans,
    chosen,
  }: { readonly path: string; readonly spans: readonly HistorySpan[]; readonly chosen: HistorySpan },
): Html =>
  renderBox(
    "graph",
    "Which limit fits",
    html`<div class="box-body">
<p>Limits that would have held about 1, 5 and 10 % of the pull requests, and how much of the monthly rise those bring. One click selects a rule to copy.</p>
<form class="filters" action="${path}/policy#limits">
${renderSpanChoice("suggest", "Pull requests of", spans, chosen)}
<button>${icon("graph")}Suggest limits</button>
</form>
${suggestions !== null && html`<p>${describeBasis(suggestions)}</p>`}
</div>
${suggestions !== null && suggestions.choices.length > 0 && renderChoices(suggestions)}`,
    { id: "limits" },
  );

function describeBasis({ pulls, hidden, isCutOff }: LimitSuggestions): string {
  const hiddenPulls = `${formatCount(hidden)} ${plural(hidden, "is", "are")} left out, because readers may not see figures and limits would tell them.`;
  return [
    pulls < ENOUGH_PULLS
      ? `${formatCount(pulls)} evaluated pull ${plural(pulls, "request says", "requests say")} nothing about limits: ${ENOUGH_PULLS} are needed.`
      : `From ${formatCount(pulls)} evaluated pull requests${isCutOff ? ", the newest of this time" : ""}. One whose value is unknown counts as held.`,
    ...(hidden > 0 ? [hiddenPulls] : []),
  ].join(" ");
}

const renderChoices = ({
  choices,
  pulls,
  leftOut,
}: LimitSuggestions): Html => html`<div class="copy">${renderRows<LimitChoice>({
  caption: "Limits that fit",
  columns: [
    {
      ...{ key: "rule", label: "Rule" },
      cell: ({ limit }) => ({ text: `- { id: ${limit.kind}, ${formatLimit(limit)} }`, code: true }),
      value: () => null,
    },
    {
      ...{ key: "held", label: "Would have held", numeric: true },
      cell: ({ held, unknown }) => ({
        text: `${formatCount(held)} of ${formatCount(pulls)}`,
        ...(unknown > 0 && { note: `${formatCount(unknown)} unknown` }),
      }),
      value: ({ held }) => held,
    },
    {
      ...{ key: "share", label: "Of the rise", numeric: true },
      cell: ({ share }) => (share === null ? NO_VALUE : { text: `${share}%` }),
      value: ({ share }) => share,
    },
  ],
  rows: choices,
})}</div>
<p class="below">Left out: ${leftOut.map(({ kinds, why }) => `${kinds.join(", ")} (${why})`).join("; ")}.</p>`;
