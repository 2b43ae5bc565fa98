import {
  ENOUGH_PULLS,
  formatLimit,
  type LimitChoice,
  type LimitSuggestions,
} from "../../../policy/suggest.ts";
import { formatCount } from "../../../render/format.ts";
import { NO_VALUE } from "../../page/columns.ts";
import { type Html, html, icon, plural, renderBox } from "../../page/html.ts";
import { renderRows } from "../../page/table.ts";
import { type PeriodName, renderPeriodChoice } from "../period.ts";

/** Limits that the history suggests, each as a rule to copy. `suggestions` null: the reader has not asked for them. */
export const renderSuggestions = (
  suggestions: LimitSuggestions | null,
  { path, period }: { readonly path: string; readonly period: PeriodName },
): Html =>
  renderBox(
    "graph",
    "Which limit fits",
    html`<div class="box-body">
<p>Limits that would have held about 1, 5 and 10 % of the pull requests, and how much of the monthly rise those bring. One click selects a rule to copy.</p>
<form class="filters" action="${path}/policy#limits">
${renderPeriodChoice({ name: "suggest", label: "Pull requests of" }, period)}
<button>${icon("graph")}Suggest limits</button>
</form>
${suggestions !== null && html`<p>${describeBasis(suggestions)}</p>`}
</div>
${suggestions !== null && suggestions.choices.length > 0 && renderChoices(suggestions)}`,
    { id: "limits" },
  );

function describeBasis({ pulls, hidden, unread, isCutOff, choices }: LimitSuggestions): string {
  const hiddenPulls = `${formatCount(hidden)} ${plural(hidden, "is", "are")} left out, because readers may not see figures and limits would reveal them.`;
  return [
    pulls < ENOUGH_PULLS
      ? `${formatCount(pulls)} evaluated pull ${plural(pulls, "request says", "requests say")} nothing about limits: ${ENOUGH_PULLS} are needed.`
      : `From ${formatCount(pulls)} evaluated pull requests${isCutOff ? ", the newest of this time" : ""}. One whose value is unknown counts as held.`,
    ...(pulls >= ENOUGH_PULLS && choices.length === 0 ? ["No limit would have held so few of them."] : []),
    ...(hidden > 0 ? [hiddenPulls] : []),
    ...(unread > 0 ? [describeUnread(unread)] : []),
  ].join(" ");
}

/** Says how many pull requests are missing in what a history shows. */
export const describeUnread = (unread: number): string =>
  `${formatCount(unread)} ${plural(unread, "is", "are")} left out, because ${plural(unread, "it is", "they are")} very large or cannot be read.`;

const renderChoices = ({ choices, pulls }: LimitSuggestions): Html =>
  html`<div class="copy">${renderRows<LimitChoice>({
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
  })}</div>`;
