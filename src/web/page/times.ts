import { formatDuration, formatUtcTime } from "../../render/format/time.ts";

/** A time with its age. */
export interface TimeView {
  /** ISO 8601, for `<time datetime>`. */
  readonly iso: string;
  /** "21 Nov 2026, 14:05 UTC". */
  readonly text: string;
  /** "3 hours ago". */
  readonly ago: string;
}

/** Returns the values of the template `time`. Both in ms since 1970 UTC. */
export const buildTimeView = (ms: number, nowMs: number): TimeView => ({
  iso: new Date(ms).toISOString(),
  text: formatUtcTime(ms),
  ago: nowMs - ms < 60_000 ? "just now" : `${formatDuration(nowMs - ms)} ago`,
});
