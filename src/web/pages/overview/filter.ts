import type { OpenPullFilter } from "../../../store/history/open-pulls.ts";
import { PULL_OUTCOMES, type PullOutcome } from "../../../store/history/pull-history.ts";
import type { Query } from "../../page/address.ts";
import { PERIODS, type Period, readPeriod } from "../period.ts";
import { OUTCOME_STYLES } from "./outcomes.ts";

/** What the query of an overview selects. Empty texts select everything. */
export interface OverviewFilter {
  /** Null: all. */
  readonly verdict: PullOutcome | null;
  readonly stage: string;
  readonly author: string;
  readonly approver: string;
  readonly text: string;
  readonly period: Period;
}

/** Longest text of a filter, in characters. */
const MAX_TEXT = 200;

export function readOverviewFilter(query: Query): OverviewFilter {
  const read = (name: string): string => (query[name] ?? "").trim().slice(0, MAX_TEXT);
  return {
    verdict: PULL_OUTCOMES.find((outcome) => outcome === query["verdict"]) ?? null,
    stage: read("stage"),
    author: read("author"),
    approver: read("approver").replace(/^@/, ""),
    text: read("text"),
    period: readPeriod(query["period"]),
  };
}

/** Returns what the store is asked for. */
export const toPullFilter = (
  repositoryIds: readonly number[],
  { verdict, stage, author, approver, text }: OverviewFilter,
): OpenPullFilter => ({
  repositoryIds,
  ...(verdict !== null && { outcomes: [verdict] }),
  ...(stage !== "" && { stage }),
  ...(author !== "" && { author: author.replace(/^@/, "") }),
  ...(approver !== "" && { approver }),
  ...(text !== "" && { text }),
});

/** Values of the form that sets the filter. */
export const buildFilterView = (filter: OverviewFilter, path: string) => ({
  path,
  verdicts: PULL_OUTCOMES.map((value) => ({
    value,
    label: OUTCOME_STYLES[value].label,
    selected: value === filter.verdict,
  })),
  periods: PERIODS.map(({ days, label }) => ({
    value: String(days),
    label: `the last ${label}`,
    selected: days === filter.period.days,
  })),
  stage: filter.stage,
  author: filter.author,
  approver: filter.approver,
  text: filter.text,
  isFiltered: isFiltered(filter),
});

/** Whether the filter leaves open pull requests out. */
export const isFiltered = ({ verdict, stage, author, approver, text }: OverviewFilter): boolean =>
  verdict !== null || [stage, author, approver, text].some((value) => value !== "");
