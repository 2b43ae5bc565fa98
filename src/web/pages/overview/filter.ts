import { cutText } from "../../../kernel/shorten.ts";
import type { TagLabel } from "../../../report/model/report.ts";
import type { OpenPullFilter } from "../../../store/history/open-pulls.ts";
import { PULL_OUTCOMES, type PullOutcome } from "../../../store/history/pull-history.ts";
import type { Query } from "../../page/address.ts";
import { type Html, html, icon, renderOption } from "../../page/html.ts";
import { OUTCOME_LABELS } from "../outcomes.ts";
import { RECENT_PERIODS, readPeriod, renderPeriodChoice } from "../period.ts";
import { formatTagChoice, parseTagChoice } from "../tag-choice.ts";

/** What the query of an overview selects. Empty texts select everything. */
export interface OverviewFilter {
  /** Null: all. */
  readonly verdict: PullOutcome | null;
  readonly stage: string;
  /** Null: all. */
  readonly tag: TagLabel | null;
  readonly author: string;
  readonly approver: string;
  readonly text: string;
  readonly period: (typeof RECENT_PERIODS)[number];
}

/** Longest text of a filter, in characters. */
const MAX_TEXT = 200;

export function readOverviewFilter(query: Query): OverviewFilter {
  const read = (name: string): string => cutText((query[name] ?? "").trim(), MAX_TEXT);
  return {
    verdict: PULL_OUTCOMES.find((outcome) => outcome === query["verdict"]) ?? null,
    stage: read("stage"),
    tag: query["tag"] ? parseTagChoice(query["tag"]) : null,
    author: read("author").replace(/^@/, ""),
    approver: read("approver").replace(/^@/, ""),
    text: read("text"),
    period: readPeriod(query["period"], RECENT_PERIODS),
  };
}

export const toPullFilter = (
  repositoryIds: readonly number[],
  { verdict, stage, tag, author, approver, text }: OverviewFilter,
): OpenPullFilter => ({
  repositoryIds,
  ...(verdict !== null && { outcomes: [verdict] }),
  ...(stage !== "" && { stage }),
  ...(tag !== null && { tag }),
  ...(author !== "" && { author }),
  ...(approver !== "" && { approver }),
  ...(text !== "" && { text }),
});

/** The form that sets the filter. `tagName`: the name of the field for tags; null: there is none. */
export const renderFilter = (
  filter: OverviewFilter,
  path: string,
  tagName: string | null,
): Html => html`<form class="filters" method="get" action="${path}">
<label>Verdict<select name="verdict"><option value="">All</option>${PULL_OUTCOMES.map((value) => renderOption(value, OUTCOME_LABELS[value].text, value === filter.verdict))}</select></label>
<label>Stage or workspace<input name="stage" value="${filter.stage}" maxlength="200"></label>
${tagName !== null && html`<label><bdi>${tagName}</bdi><input name="tag" value="${filter.tag && formatTagChoice(filter.tag)}" autocapitalize="off"></label>`}
<label>Author<input name="author" value="${filter.author}" maxlength="200" autocapitalize="off"></label>
<label>Waiting for<input name="approver" value="${filter.approver}" maxlength="200" placeholder="login or organisation/team" autocapitalize="off"></label>
<label>Text<input name="text" type="search" value="${filter.text}" maxlength="200" placeholder="title, number …"></label>
${renderPeriodChoice({ name: "period", label: "Merged in" }, filter.period, RECENT_PERIODS)}
<button>${icon("filter")}Filter</button>
${isFiltered(filter) && html`<a class="button" href="${path}">${icon("x")}Clear</a>`}
</form>`;

export const isFiltered = (filter: OverviewFilter): boolean =>
  Object.keys(toPullFilter([], filter)).length > 1;
