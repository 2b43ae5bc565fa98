import { formatAddress, type PageAddress } from "../page/address.ts";

/** The times that statistics go back. */
export const PERIODS = [
  { days: 30, label: "30 days" },
  { days: 90, label: "90 days" },
  { days: 365, label: "365 days" },
] as const;

export type Period = (typeof PERIODS)[number];

/** Reads `period`: a number of days; anything else means 90. */
export const readPeriod = (text: string | undefined): Period =>
  PERIODS.find(({ days }) => String(days) === text) ?? PERIODS[1];

/** Links to the same page with another period. */
export const buildPeriodLinks = (period: Period, address: PageAddress) =>
  PERIODS.map(({ days, label }) => ({
    text: label,
    href: formatAddress(address, { period: String(days) }),
    current: days === period.days,
  }));
