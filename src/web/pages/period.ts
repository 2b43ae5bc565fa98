import { type DaySpan, findPeriod, findPreviousPeriod } from "../../kernel/fiscal-periods.ts";
import { parseDayEnd, toIsoDay } from "../../kernel/instant.ts";
import { findLastDays, type TimeSpan } from "../../store/history/merged-changes.ts";
import { formatAddress, type PageAddress } from "../page/address.ts";
import { type Html, html, renderOption } from "../page/html.ts";
import type { PageDeps } from "../page/page.ts";

/** The times that pages and the API look back on, by their names in addresses. */
export const PERIODS = {
  "30": "the last 30 days",
  "90": "the last 90 days",
  "365": "the last 365 days",
  "this-quarter": "this quarter",
  "last-quarter": "last quarter",
  "this-year": "this fiscal year",
  "last-year": "last fiscal year",
} as const;

export type PeriodName = keyof typeof PERIODS;
export const PERIOD_NAMES = Object.keys(PERIODS) as PeriodName[]; // the object's own keys

/** The times up to now. */
export const RECENT_PERIODS = ["30", "90", "365"] as const satisfies readonly PeriodName[];

/** Reads the name of one of these periods; anything else means 90 days. */
export const readPeriod = <Name extends PeriodName>(
  text: string | undefined,
  names: readonly Name[],
): Name | "90" => names.find((name) => name === text) ?? "90";

export type PeriodDeps = Pick<PageDeps, "clock" | "fiscalYearStarts">;

export function findPeriodSpan(name: PeriodName, { clock, fiscalYearStarts }: PeriodDeps): TimeSpan {
  const nowMs = clock.now();
  const [which, unit] = name.split("-");
  if (unit === undefined) return findLastDays(Number(which), nowMs);
  const find = which === "this" ? findPeriod : findPreviousPeriod;
  return toTimeSpan(find(unit === "year" ? "year" : "quarter", toIsoDay(nowMs), fiscalYearStarts));
}

export const toTimeSpan = ({ from, to }: DaySpan): TimeSpan => ({
  from: new Date(from),
  to: new Date(parseDayEnd(to) ?? 0),
});

/** A field of a form that chooses one of these. */
export const renderPeriodChoice = (
  { name, label }: { readonly name: string; readonly label: string },
  current: PeriodName,
  names: readonly PeriodName[] = PERIOD_NAMES,
): Html =>
  html`<label>${label}<select name="${name}">${names.map((one) => renderOption(one, PERIODS[one], one === current))}</select></label>`;

/** Links to the same page of another time. `current` null: the page is of none of these. */
export const renderPeriods = (
  current: PeriodName | null,
  address: PageAddress,
): Html => html`<nav class="choices" aria-label="Period">
${PERIOD_NAMES.map((name) => {
  const pages = Object.keys(address.query).filter((key) => key.endsWith("_page"));
  const cleared = Object.fromEntries(["from", "to", ...pages].map((key) => [key, null]));
  const href = formatAddress(address, { ...cleared, period: name });
  return html`<a class="button" href="${href}"${name === current && html` aria-current="true"`}>${PERIODS[name].replace(/^the /, "")}</a>
`;
})}</nav>`;
